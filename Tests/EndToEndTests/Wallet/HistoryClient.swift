import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Somebody with a few users of their own, so that the end of each wallet is known.
struct HistoryClient: Sendable {
    enum Act: CaseIterable {
        case buy, grant, voidGrant, lapse, spend, hold, capture, void, expire, refund, cancel, rename, again
    }

    private(set) var wallets: [String: NaiveWallet] = [:]
    private(set) var acts: [Act: Int] = [:]
    private let name: String
    private let gateway: Gateway
    private let service: Service
    private var random: SplitMix64
    private var serial = 0
    /// The ids that each user has had, the present one last.
    private var ids: [[String]]
    private var holds: [(user: String, id: Int64)] = []
    private var grants: [(user: String, entry: Int64, place: Int)] = []
    private var bought: [(user: String, payment: Payment, id: Int64)] = []
    private var last: (path: String, body: String, key: String, answer: Answer)?

    init(_ number: Int, _ gateway: Gateway, _ service: Service) {
        name = "client-\(number)"
        self.gateway = gateway
        self.service = service
        ids = (1...3).map { ["client-\(number)-user-\($0)"] }
        random = SplitMix64(seed: Effort.seed << 8 + UInt64(number))
    }

    static func isSame(_ balance: JSON, _ wallet: NaiveWallet) -> Bool {
        balance["paid"] == .integer(wallet.paid) && balance["bonus"] == .integer(wallet.bonus)
            && balance["held"] == .integer(wallet.held) && balance["debt"] == .integer(wallet.debt)
    }

    mutating func act() async throws {
        let usual: [Act] = [
            .buy, .buy, .grant, .grant, .voidGrant, .spend, .spend, .spend, .hold, .hold, .capture, .capture, .void,
            .refund,
            .again,
        ]
        let seldom: [Int64: Act] = [1: .cancel, 2: .cancel, 3: .lapse, 4: .expire, 5: .rename]
        let act = seldom[number(in: 1...60)] ?? sure(usual.randomElement(using: &random))
        acts[act, default: 0] += 1
        switch act {
        case .buy: try await buy()
        case .grant: try await grant()
        case .voidGrant: try await voidGrant()
        case .lapse: try await lapse()
        case .spend: try await spend()
        case .hold: try await hold()
        case .capture: try await capture()
        case .void: try await void()
        case .expire: try await expire()
        case .refund: try await refund()
        case .cancel: try await cancel()
        case .rename: try await rename()
        case .again: try await again()
        }
        let flaws = wallets.filter { !$0.value.isSound(at: .now) }
        #expect(flaws.isEmpty, "after \(act)")
    }

    private mutating func buy() async throws {
        let user = user()
        let isLarge = number(in: 0...2) == 0
        let payment = try await gateway.pay(isLarge ? "5000" : "1000", #", "version": "V1""#)
        let answer = try await service.present(payment, by: called(user))
        #expect(answer.status == 201, "\(answer)")
        wallets[user, default: NaiveWallet()].purchase(
            payment.impUID, coins: isLarge ? 500 : 100, bonus: isLarge ? 50 : 0, won: isLarge ? 5000 : 1000, at: .now)
        bought.append((user, payment, try #require(answer.purchase["id"].integer)))
        expectSame(answer, user)
    }

    private mutating func grant() async throws {
        let user = user()
        let coins = number(in: 1...40)
        let answer = try await post("users/\(called(user))/grants", #"{"coins": \#(coins), "reason": "luck"}"#)
        #expect(answer.status == 201, "\(answer)")
        wallets[user, default: NaiveWallet()].grant(coins: coins, expiresAt: nil, at: .now)
        expectSame(answer, user)
        let entry = try #require(answer.json["grant"]["journal_entry_id"].integer)
        grants.append((user, entry, sure(wallets[user]).lots.count - 1))
    }

    /// All that is left in the wallet of a grant goes, or a part of it.
    private mutating func voidGrant() async throws {
        guard let (user, entry, place) = grants.suffix(10).randomElement(using: &random) else { return }
        let coins = Bool.random(using: &random) ? number(in: 1...20) : nil
        let part = coins.map { #""coins": \#($0), "# } ?? ""
        let answer = try await post("grants/\(entry)/void", #"{\#(part)"reason": "luck"}"#)
        let refusal = wallets[user]?.voidGrant(place, coins, at: .now)
        // A refusal is not recorded, because coins may come back.
        if refusal != nil { last = nil }
        expect(answer, user, refusal == nil ? 201 : 422)
    }

    /// Coins are given for a second, and not used in it.
    private mutating func lapse() async throws {
        let user = user()
        let coins = number(in: 1...40)
        let end = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down) + 2)
        let answer = try await post(
            "users/\(user)/grants",
            #"{"coins": \#(coins), "reason": "a moment", "expires_at": "\#(end.formatted(.iso8601))"}"#)
        guard answer.status == 201 else { return #expect(answer.code == "already_expired", "\(answer)") }
        wallets[user, default: NaiveWallet()].grant(coins: coins, expiresAt: end, at: end - 1)
        expectSame(answer, user)
        let place = sure(wallets[user]).lots.count - 1
        wallets[user]?.expireLot(place, at: end)
        try await eventuallySame(user, "\(coins) coins expire")
    }

    private mutating func spend() async throws {
        let user = user()
        let coins = number(in: 1...150)
        let answer = try await post("users/\(called(user))/spends", #"{"coins": \#(coins)}"#)
        let isDone = wallets[user, default: NaiveWallet()].spend(coins, at: .now)
        expect(answer, user, isDone ? 201 : 402)
    }

    private mutating func hold() async throws {
        let user = user()
        let coins = number(in: 1...120)
        let answer = try await post(
            "users/\(called(user))/holds", #"{"coins": \#(coins), "timeout_seconds": 86400}"#)
        let id = answer.json["hold"]["id"].integer ?? 0
        let isDone = wallets[user, default: NaiveWallet()].hold("\(id)", coins, until: .distantFuture, at: .now)
        if isDone { holds.append((user, id)) }
        expect(answer, user, isDone ? 201 : 402)
    }

    private mutating func capture() async throws {
        guard let hold = holds.suffix(8).randomElement(using: &random) else { return }
        let coins: Int64? = Bool.random(using: &random) ? number(in: 1...60) : nil
        let isFinal = Bool.random(using: &random)
        let amount = coins.map { #""coins": \#($0), "# } ?? ""
        let answer = try await post(
            "holds/\(hold.id)/capture", #"{\#(amount)"provider": "kim", "final": \#(isFinal)}"#)
        let refusal = wallets[hold.user]?.capture(
            "\(hold.id)", coins, for: "kim", isFinal: isFinal, at: .now)
        expect(answer, hold.user, refusal == nil ? 200 : refusal == "holdClosed" ? 409 : 422)
    }

    private mutating func void() async throws {
        guard let hold = holds.suffix(8).randomElement(using: &random) else { return }
        let answer = try await post("holds/\(hold.id)/void", "")
        let refusal = wallets[hold.user]?.void("\(hold.id)", at: .now)
        expect(answer, hold.user, refusal == nil ? 200 : 409)
    }

    /// Coins are held for a second, and nobody captures them.
    private mutating func expire() async throws {
        let user = user()
        let coins = number(in: 1...120)
        let answer = try await post("users/\(user)/holds", #"{"coins": \#(coins), "timeout_seconds": 1}"#)
        let id = answer.json["hold"]["id"].integer ?? 0
        let isDone = wallets[user, default: NaiveWallet()].hold("\(id)", coins, until: .now, at: .now)
        expect(answer, user, isDone ? 201 : 402)
        wallets[user]?.expireHold("\(id)", at: .now)
        try await eventuallySame(user, "hold \(id) expires")
    }

    private func eventuallySame(_ user: String, _ what: String) async throws {
        let wallet = sure(wallets[user])
        try await eventually(what) { [service] in
            let balance = try await service.get("/v1/users/\(user)/balance", as: Token.service()).json
            return Self.isSame(balance, wallet)
        }
    }

    /// Unused coins go back for their money, less a fee of ten percent; now and then the gateway takes the request only later.
    ///
    /// After an answer that leaves open whether it was carried out, nobody waits for it: it is asked for again after 90 s.
    private mutating func refund() async throws {
        guard let (user, payment, id) = bought.suffix(10).randomElement(using: &random) else { return }
        let coins: Int64? = Bool.random(using: &random) ? number(in: 1...80) : nil
        serial += 1
        let key = "\(name)-\(serial)"
        if number(in: 1...6) == 1 {
            try await gateway.fail(#"{"path": "/payments/cancel", "times": 1, "kind": "status", "status": 429}"#)
        }
        let answer = try await service.refund(id, coins.map { #", "coins": \#($0)"# } ?? "", key: key)
        let refusal = wallets[user]?.beginRefund(key, of: payment.impUID, coins, feePercent: 10, at: .now)
        guard refusal == nil, let refund = wallets[user]?.refunds[key] else {
            return #expect(answer.status == 422 && answer.code == refusal?.inSnakeCase, "\(answer)")
        }
        wallets[user]?.completeRefund(key)
        #expect([201, 202].contains(answer.status), "\(answer)")
        #expect(answer.json["refund"]["amount"] == .integer(refund.value - refund.fee), "\(answer)")
        if answer.status == 201 { return expectSame(answer, user) }
        let number = try #require(answer.json["refund"]["id"].integer, "\(answer)")
        try await eventually("refund \(number) is completed") { [service] in
            try await service.get("/v1/refunds/\(number)", as: Token.service()).json["status"] == "completed"
        }
    }

    /// The gateway's console cancels a part or all, and the books follow.
    private mutating func cancel() async throws {
        guard let (user, payment, _) = bought.suffix(10).randomElement(using: &random),
            let purchase = wallets[user]?.purchases[payment.impUID], purchase.refundedAmount < purchase.amount
        else { return }
        let left = purchase.amount - purchase.refundedAmount
        let amount = Bool.random(using: &random) ? left : number(in: 1...left)
        try await gateway.cancel(payment, Int(amount))
        wallets[user]?.clawBack(payment.impUID, cancelled: purchase.refundedAmount + amount, at: .now)
        try await eventually("\(payment.impUID) is clawed back") { [service] in
            let list = try await service.get("/v1/users/\(user)/purchases?limit=100", as: Token.service()).json
            let mine = list["purchases"].elements.first { $0["imp_uid"].text == payment.impUID }
            return mine?["refunded_amount"] == .integer(purchase.refundedAmount + amount)
        }
    }

    /// A user gets another id: all that is theirs goes on under it, and the old ones are still known.
    private mutating func rename() async throws {
        let former = user()
        guard let wallet = wallets[former], !wallet.lots.isEmpty,
            let place = ids.firstIndex(where: { $0.last == former })
        else { return }
        let user = "\(former)-\(ids[place].count)"
        let answer = try await post(
            "users/\(former)/merge", #"{"into": "\#(user)", "new_user": true, "reason": "luck"}"#)
        ids[place].append(user)
        wallets[user] = wallets.removeValue(forKey: former)
        holds = holds.map { ($0.user == former ? user : $0.user, $0.id) }
        grants = grants.map { ($0.user == former ? user : $0.user, $0.entry, $0.place) }
        bought = bought.map { ($0.user == former ? user : $0.user, $0.payment, $0.id) }
        expect(answer, user, 201)
    }

    /// One of the ids that the user has or had.
    private mutating func called(_ user: String) -> String {
        ids.first { $0.last == user }?.randomElement(using: &random) ?? user
    }

    /// The last act once more, as a client does that did not get the answer.
    private mutating func again() async throws {
        guard let last else { return }
        let answer = try await service.post(last.path, last.body, key: last.key)
        #expect(answer.status == last.answer.status && answer.headers["Idempotent-Replayed"] == "true", "\(answer)")
        if answer.status < 300 { #expect(answer.json == last.answer.json) }
    }

    private mutating func post(_ path: String, _ body: String) async throws -> Answer {
        serial += 1
        let key = "\(name)-\(serial)"
        let answer = try await service.post("/v1/" + path, body, key: key)
        last = ("/v1/" + path, body, key, answer)
        return answer
    }

    private func expect(_ answer: Answer, _ user: String, _ status: Int) {
        #expect(answer.status == status, "\(answer)")
        if status < 300 { expectSame(answer, user) }
    }

    private func expectSame(_ answer: Answer, _ user: String) {
        let wallet = wallets[user] ?? NaiveWallet()
        #expect(Self.isSame(answer.json["balance"], wallet), "\(answer)")
    }

    private mutating func user() -> String { sure(sure(ids.randomElement(using: &random)).last) }

    private mutating func number(in range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
}

extension String {
    /// `userInDebt` as `user_in_debt`.
    fileprivate var inSnakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
