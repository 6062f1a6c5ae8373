import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// A service that reaches its database through a proxy, and what must have happened before acts.
final class FinanceStage {
    let house: House
    let proxy: FaultProxy
    private let gateway: Gateway
    /// Only adjustments need months that are over.
    private let months: PastMonths?
    private(set) var service: Service
    private var second: Service?
    /// Whether its services are processes, which can be killed in the middle of an act.
    private let isToBeKilled: Bool
    /// The act that is prepared, and how many of any were.
    private var act: FinanceAct
    private var number = 0
    /// How many months of a policy have begun.
    private var month = 0

    private init(in house: House, for act: FinanceAct, _ isToBeKilled: Bool) async throws {
        self.house = house
        self.act = act
        self.isToBeKilled = isToBeKilled
        months = act.needsPastMonths ? try await PastMonths(in: house) : nil
        proxy = try FaultProxy(house.ledger.database.server)
        gateway = try await house.startGateway()
        service = try await Self.serve(house, gateway, proxy, isToBeKilled)
    }

    /// Checks acts one after the other in one house, and expects the books to be sound in the end.
    ///
    /// Those that need months that are over have a house of their own, whose database has its own clock.
    static func check(
        _ acts: [FinanceAct], killing isToBeKilled: Bool = false,
        _ body: (FinanceStage, FinanceAct) async throws -> Void
    ) async throws {
        for isInPast in [false, true] {
            let acts = acts.filter { $0.needsPastMonths == isInPast }
            guard let first = acts.first else { continue }
            try await House.with { house in
                let stage = try await FinanceStage(in: house, for: first, isToBeKilled)
                defer { stage.proxy.stop() }
                for act in acts {
                    await house.check("\(act)") {
                        stage.act = act
                        try await body(stage, act)
                    }
                }
                try await house.expectSound()
            }
        }
    }

    /// The service and another one, for acts that are sent to two.
    func services() async throws -> [Service] {
        let second = if let second { second } else { try await serve() }
        self.second = second
        return [service, second]
    }

    /// Starts another service.
    func serve() async throws -> Service { try await Self.serve(house, gateway, proxy, isToBeKilled) }

    private static func serve(
        _ house: House, _ gateway: Gateway, _ proxy: FaultProxy, _ isToBeKilled: Bool
    ) async throws -> Service {
        let settings = Hooks.v2Settings(at: gateway).merging([
            "LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy), "LEDGERD_GIFT_COINS": "all",
        ]) { $1 }
        return isToBeKilled
            ? try await house.serveProcess(at: gateway, settings) : try await house.serve(at: gateway, settings)
    }

    /// Kills the service, and starts its successor.
    func replaceService() async throws {
        try await service.end()
        proxy.cutAll()  // what it holds back is lost with who sent it
        proxy.resume()
        service = try await serve()
    }

    /// How often the act was done.
    var records: Int64 { get async throws { try await house.books.count("SELECT count(*) FROM \(act.record)") } }
}

// MARK: - What comes before

extension FinanceStage {
    var user: String { "user-\(number)" }
    var provider: String { "designer-\(number)" }

    /// Does what must have happened before the act.
    ///
    /// - Returns: the act's request; each call returns an act of its own.
    func prepare() async throws -> ActRequest {
        number += 1
        let (path, body) = try await act.prepare(self)
        return ActRequest(method: act.method, path: path, body: body, caller: "\(act)-\(number)")
    }

    static let terms = #"{"share_basis_points": 8000, "role": "agent"}"#
    static let account = #"{"bank": "KB", "number": "00-7", "holder": "Kim"}"#
    static let number = #"{"number": "007"}"#
    static let rate = #"{"rate": "1000", "per": 1, "source": "x"}"#
    static let approvedRate = #"{"rate": "1000", "per": 1}"#
    static let transfer = #"{"reason": "x", "method": "bank_transfer"}"#

    /// The bank's payment, today.
    func payment(_ members: String = "") -> String {
        #"{\#(members)"paid_at": "\#(Date().formatted(.iso8601))", "bank_reference": "KB 7"}"#
    }

    var payout: String { #"{"providers": ["\#(provider)"]}"# }

    /// Sends a request of another caller.
    @discardableResult
    func did(_ path: String, _ body: String = "", _ method: HTTPRequest.Method = .post) async throws -> JSON {
        let answer = try await service.send(
            ActRequest(method: method, path: path, body: body, caller: "before \(UUID())"))
        #expect((200..<300).contains(answer.status), "\(path): \(answer)")
        return answer.json
    }

    /// Somebody who can be given coins.
    func friend() async throws -> String {
        let friend = "friend-\(number)"
        try await did("/v1/users/\(friend)/grants", #"{"coins": 1, "reason": "x"}"#)
        return friend
    }

    func buy() async throws -> Int64 { try await service.buy(try await gateway.pay(), by: user) }

    /// Buys 100 coins and spends 60.
    func spend() async throws -> Int64 {
        _ = try await buy()
        let spent = try await did("/v1/users/\(user)/spends", #"{"coins": 60}"#)
        return sure(spent["spend"]["journal_entry_id"].integer)
    }

    /// Buys 100 coins, of which the provider gets 90.
    ///
    /// - Returns: the path of the capture.
    func capture() async throws -> String {
        _ = try await buy()
        let hold = sure(try await did("/v1/users/\(user)/holds", #"{"coins": 90}"#)["hold"]["id"].integer)
        let captured = try await did("/v1/holds/\(hold)/capture", #"{"provider": "\#(provider)"}"#)
        return "/v1/holds/\(hold)/captures/\(sure(captured["capture"]["journal_entry_id"].integer))"
    }

    /// Grants 50 coins.
    ///
    /// - Returns: the grant's entry.
    func grant() async throws -> Int64 {
        let granted = try await did("/v1/users/\(user)/grants", #"{"coins": 50, "reason": "x"}"#)
        return sure(granted["grant"]["journal_entry_id"].integer)
    }

    func captureWithTerms() async throws -> String {
        try await did("/v1/providers/\(provider)", Self.terms, .put)
        return try await capture()
    }

    func approvedRefund() async throws -> String {
        let approved = try await did("/v1/purchases/\(try await buy())/refunds", Self.transfer)
        return "/v1/refunds/\(sure(approved["refund"]["id"].integer))"
    }

    /// Buys coins and spends 60, whose payment the gateway then cancels.
    func owe() async throws {
        let payment = try await gateway.pay()
        _ = try await service.buy(payment, by: user)
        try await did("/v1/users/\(user)/spends", #"{"coins": 60}"#)
        try await gateway.cancel(payment, 1000)
        _ = try await service.tellV1(Hooks.v1(payment, "cancelled"))
        let token = Token.user(user)
        try await eventually("the coins are owed") {
            try await service.get("/v1/me/balance", as: token).json["debt"] == 60
        }
    }

    /// Proposes the account of a provider with terms.
    ///
    /// - Returns: its path.
    func proposedAccount() async throws -> String {
        try await did("/v1/providers/\(provider)", Self.terms, .put)
        let proposed = try await did("/v1/providers/\(provider)/account", Self.account, .put)
        return "/v1/providers/\(provider)/accounts/\(sure(proposed["id"].integer))"
    }

    /// A day after those of earlier acts, and one before them.
    var dayAfterOthers: String { String(format: "%d-01-%02d", 2001 + number / 28, 1 + number % 28) }
    var dayBeforeOthers: String { String(format: "%d-01-%02d", 2020 - number / 28, 28 - number % 28) }
    /// A month of its own, of which the dollar has a rate.
    var monthOfOthers: String { String(format: "%d-%02d", 2001 + number / 12, 1 + number % 12) }

    /// Publishes the first rate of the dollar, after which one person sets equal ones.
    func publishFirstRate() async throws {
        try await did("/v1/rates/USD/2000-01-01", Self.rate, .put)
        try await did("/v1/rates/USD/2000-01-01/approval", Self.approvedRate)
    }

    /// Proposes a rate before all others of its currency, for which two people are needed.
    ///
    /// - Returns: its path.
    func proposedRate() async throws -> String {
        let path = "/v1/rates/JPY/\(dayBeforeOthers)"
        try await did(path, Self.rate, .put)
        return path
    }

    func proposedPayout() async throws -> String {
        _ = try await captureWithTerms()
        return "/v1/payouts/\(sure(try await did("/v1/payouts", payout)["id"].integer))"
    }

    func approvedPayout() async throws -> String {
        let path = try await proposedPayout()
        try await did("\(path)/approval")
        return path
    }

    /// Has the provider be paid for a capture that then comes back.
    func claim() async throws {
        let path = try await captureWithTerms()
        let id = sure(try await did("/v1/payouts", payout)["id"].integer)
        try await did("/v1/payouts/\(id)/approval")
        try await did("/v1/payouts/\(id)/payment", payment())
        try await did("\(path)/reversals")
    }

    func dispute() async throws -> Int64 {
        let payment = try await gateway.pay("1000", #", "version": "V2""#)
        let answer = try await service.present(paymentID: payment.merchantUID, by: user)
        let purchase = sure(answer.purchase["id"].integer)
        try await gateway.drive(.patch, "/sandbox/payments/\(payment.impUID)", #"{"dispute": "open"}"#)
        _ = try await service.tellV2(SignedHook("Transaction.DisputeCreated", paymentID: payment.merchantUID))
        let id = "SELECT coalesce(max(id), 0) FROM dispute WHERE purchase_id = $1"
        try await eventually("it is disputed") { try await house.books.count(id, [purchase]) > 0 }
        return try await house.books.count(id, [purchase])
    }

    /// The next month of a policy.
    func nextMonth() -> Int {
        month += 1
        return month
    }

    /// Has a month pass of which a policy asks for an adjustment.
    func adjustableMonth() async throws -> String {
        if nextMonth() == 1 {
            let policy = #"{"method": "expected_pattern", "expected": 100}"#
            try await did("/v1/accounting-policies/breakage/2026-01", policy, .put)
        }
        try await months?.pass(month, for: user, at: gateway, service)
        return #"{"subject": "breakage", "month": "2026-0\#(month)"}"#
    }
}
