import OutboundHTTP
import TestSupport
import Testing

/// An act of finance, or of a service on what was booked before, that changes the books or decides what is booked.
struct FinanceAct: Sendable, CustomStringConvertible {
    let description: String
    let method: HTTPRequest.Method
    /// What it adds one row to.
    let record: String
    let rivals: Rivals
    /// Whether its request has an idempotency key; for a repeat without one, nothing is left to do.
    let isKeyed: Bool
    /// Whether one statement writes it, which commits with its reply.
    let isOneStatement: Bool
    /// Whether it is about a month that is over.
    let needsPastMonths: Bool
    /// Does what must have happened before the act; the path and the body of its request.
    let prepare: @Sendable (FinanceStage) async throws -> (path: String, body: String)

    /// What requests of other callers for the same get, after the first one.
    enum Rivals: Equatable {
        /// A refusal with this code.
        case refused(String)
        /// The first one's response: nothing is left to do.
        case answeredAlike
        /// Each is an act of its own.
        case independent
    }

    private init(
        _ name: String, _ method: HTTPRequest.Method = .post, adds record: String, rivals: Rivals = .answeredAlike,
        isKeyed: Bool = true, isOneStatement: Bool = false, needsPastMonths: Bool = false,
        _ prepare: @escaping @Sendable (FinanceStage) async throws -> (path: String, body: String)
    ) {
        description = name
        self.method = method
        self.record = record
        self.rivals = rivals
        self.isKeyed = isKeyed
        self.isOneStatement = isOneStatement
        self.needsPastMonths = needsPastMonths
        self.prepare = prepare
    }

    static let all = ofServices + ofRefunds + ofProviders + ofAccounts + ofFinance
}

extension FinanceAct {
    private static let reason = #"{"reason": "x"}"#

    private static func entry(_ kind: String) -> String { "journal_entry WHERE kind = '\(kind)'" }

    private static let ofServices: [FinanceAct] = [
        FinanceAct("reverseSpend", adds: entry("spend_reversal"), rivals: .refused("already_reversed")) {
            ("/v1/spends/\(try await $0.spend())/reversals", reason)
        },
        FinanceAct("reverseCapture", adds: entry("capture_reversal"), rivals: .refused("already_reversed")) {
            ("\(try await $0.capture())/reversals", reason)
        },
        FinanceAct("voidGrant", adds: "grant_void WHERE is_whole", rivals: .refused("exceeds_grant")) {
            ("/v1/grants/\(try await $0.grant())/void", reason)
        },
        FinanceAct(
            "reverseVoided", adds: "grant_void WHERE reversal_id IS NOT NULL", rivals: .refused("already_reversed")
        ) { stage in
            let grant = try await stage.grant()
            let spent = try await stage.did("/v1/users/\(stage.user)/spends", #"{"coins": 20}"#)
            try await stage.did("/v1/grants/\(grant)/void", reason)
            return ("/v1/spends/\(sure(spent["spend"]["journal_entry_id"].integer))/reversals", reason)
        },
    ]

    private static let ofRefunds: [FinanceAct] = [
        FinanceAct("approveRefund", adds: "refund", rivals: .refused("nothing_to_refund")) {
            ("/v1/purchases/\(try await $0.buy())/refunds", FinanceStage.transfer)
        },
        FinanceAct("payRefund", adds: entry("refund_payment"), rivals: .refused("refund_not_approved")) {
            ("\(try await $0.approvedRefund())/payment", $0.payment())
        },
        FinanceAct("reverseRefund", adds: entry("refund_reversal"), rivals: .refused("refund_not_approved")) {
            ("\(try await $0.approvedRefund())/reversal", reason)
        },
        FinanceAct("repayRefund", adds: entry("refund_reversal"), rivals: .refused("refund_not_paid")) { stage in
            let path = try await stage.approvedRefund()
            try await stage.did("\(path)/payment", stage.payment())
            return ("\(path)/repayment", stage.payment())
        },
        FinanceAct("payDebt", adds: entry("debt_bank_payment"), rivals: .refused("exceeds_debt")) { stage in
            try await stage.owe()
            return ("/v1/users/\(stage.user)/debt/payments", stage.payment(#""amount": 600, "coins": 60, "#))
        },
        FinanceAct("writeOffDebt", adds: entry("debt_write_off"), rivals: .refused("exceeds_debt")) { stage in
            try await stage.owe()
            return ("/v1/users/\(stage.user)/debt/write-offs", #"{"coins": 60, "reason": "x"}"#)
        },
    ]

    private static let ofProviders: [FinanceAct] = [
        FinanceAct("setTerms", .put, adds: "provider_terms", isKeyed: false) {
            ("/v1/providers/\($0.provider)", FinanceStage.terms)
        },
        FinanceAct("proposePayout", adds: "payout", rivals: .refused("nothing_owed"), isOneStatement: true) { stage in
            _ = try await stage.captureWithTerms()
            return ("/v1/payouts", stage.payout)
        },
        FinanceAct(
            "approvePayout", adds: "payout_decision WHERE decision = 'approved'", isKeyed: false, isOneStatement: true
        ) { ("\(try await $0.proposedPayout())/approval", "") },
        FinanceAct(
            "withdrawPayout", adds: "payout_decision WHERE decision = 'withdrawn'", isKeyed: false, isOneStatement: true
        ) { ("\(try await $0.proposedPayout())/withdrawal", reason) },
        FinanceAct("payPayout", adds: entry("payout"), rivals: .refused("payout_status_conflict")) {
            ("\(try await $0.approvedPayout())/payment", $0.payment())
        },
        FinanceAct("repayClaim", adds: entry("provider_repayment"), rivals: .refused("exceeds_claim")) { stage in
            try await stage.claim()
            return ("/v1/providers/\(stage.provider)/repayments", stage.payment(#""amount": 720, "#))
        },
    ]

    private static let ofAccounts: [FinanceAct] = [
        FinanceAct("proposeAccount", .put, adds: "provider_account", isKeyed: false) { stage in
            try await stage.did("/v1/providers/\(stage.provider)", FinanceStage.terms, .put)
            return ("/v1/providers/\(stage.provider)/account", FinanceStage.account)
        },
        FinanceAct("approveAccount", adds: "provider_account WHERE approved_by IS NOT NULL", isKeyed: false) {
            ("\(try await $0.proposedAccount())/approval", FinanceStage.number)
        },
        FinanceAct("withdrawAccount", adds: "provider_account WHERE status = 'withdrawn'", isKeyed: false) {
            ("\(try await $0.proposedAccount())/withdrawal", "")
        },
        FinanceAct(
            "eraseAccounts", .delete, adds: "provider_account WHERE status = 'erased'", isKeyed: false
        ) { stage in
            try await stage.did("\(try await stage.proposedAccount())/approval", FinanceStage.number)
            return ("/v1/providers/\(stage.provider)/account", "")
        },
    ]

    private static let ofFinance: [FinanceAct] = [
        FinanceAct("decideDispute", adds: "dispute WHERE status = 'lost'", rivals: .refused("dispute_decided")) {
            ("/v1/disputes/\(try await $0.dispute())/decisions", #"{"outcome": "lost", "reason": "x"}"#)
        },
        FinanceAct("winDispute", adds: entry("claw_back_reversal"), rivals: .refused("dispute_decided")) { stage in
            let path = "/v1/disputes/\(try await stage.dispute())/decisions"
            try await stage.did(path, #"{"outcome": "lost", "reason": "x"}"#)
            return (path, #"{"outcome": "won", "reason": "y"}"#)
        },
        FinanceAct("enterCustodyBalance", adds: "custody_balance", rivals: .independent, isOneStatement: true) {
            (
                "/v1/custody-balances",
                #"{"custodian": "\#($0.provider)", "method": "trust", "balance": 9, "held_at": "2026-01-01"}"#
            )
        },
        FinanceAct("setPolicy", .put, adds: "accounting_policy", isKeyed: false) {
            ("/v1/accounting-policies/bonus/2020-0\($0.nextMonth())", #"{"method": "relative_price"}"#)
        },
        FinanceAct("bookAdjustment", adds: entry("adjustment"), needsPastMonths: true) {
            ("/v1/adjustments", try await $0.adjustableMonth())
        },
    ]
}

/// An act as a request that can be sent again, and by other callers.
struct ActRequest: Sendable {
    var method = HTTPRequest.Method.post
    let path: String
    var body = ""
    /// The caller, which is the key, too: in the traffic with the database it marks what belongs to this request.
    var caller: String

    /// The same by another caller, with another key.
    func by(_ caller: String) -> ActRequest {
        var request = self
        request.caller = caller
        return request
    }
}

extension Service {
    /// Sends an act, as a caller who has the rights to all.
    func send(_ request: ActRequest) async throws -> Answer {
        try await send(
            request.method, request.path,
            as: Token.make(sub: request.caller, scope: "service finance refunds:approve"),
            headers: [("Content-Type", "application/json"), ("Idempotency-Key", request.caller)], body: request.body)
    }

    /// Sends an act again until no earlier request with its key is running.
    func persist(_ request: ActRequest) async throws -> Answer {
        var answer: Answer?
        try await eventually("no request with this key is running") {
            answer = try await send(request)
            return answer?.code != "request_in_progress"
        }
        return sure(answer)
    }
}
