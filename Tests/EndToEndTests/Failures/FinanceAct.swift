import OutboundHTTP
import TestSupport
import Testing

/// An act of finance, or of a service on what was booked before, that changes the books or decides what is booked.
struct FinanceAct: Sendable, CustomStringConvertible {
    let name: String
    var method = HTTPRequest.Method.post
    /// What it adds one row to.
    let record: String
    var rivals = Rivals.answeredAlike
    /// Whether its request has an idempotency key; for a repeat without one, nothing is left to do.
    var isKeyed = true
    /// Whether one statement writes it, which commits with its reply.
    var isOneStatement = false
    /// Whether it is about a month that is over.
    var needsPastMonths = false
    /// Does what must have happened before the act; the path and the body of its request.
    let prepare: @Sendable (FinanceStage) async throws -> (path: String, body: String)

    var description: String { name }

    /// What requests of other callers for the same get, after the first one.
    enum Rivals: Equatable {
        /// A refusal with this code.
        case refused(String)
        /// The first one's response: nothing is left to do.
        case answeredAlike
        /// Each is an act of its own.
        case independent
    }

    static let all = ofServices + ofRefunds + ofProviders + ofAccounts + ofRates + ofFinance
}

extension FinanceAct {
    private static let reason = #"{"reason": "x"}"#

    private static func entry(_ kind: String) -> String { "journal_entry WHERE kind = '\(kind)'" }

    private static let ofServices: [FinanceAct] = [
        FinanceAct(name: "reverseSpend", record: entry("spend_reversal"), rivals: .refused("already_reversed")) {
            ("/v1/spends/\(try await $0.spend())/reversals", reason)
        },
        FinanceAct(name: "reverseCapture", record: entry("capture_reversal"), rivals: .refused("already_reversed")) {
            ("\(try await $0.capture())/reversals", reason)
        },
        FinanceAct(name: "voidGrant", record: "grant_void WHERE is_whole", rivals: .refused("exceeds_grant")) {
            ("/v1/grants/\(try await $0.grant())/void", reason)
        },
        FinanceAct(name: "gift", record: "gift WHERE purchase_id IS NULL", rivals: .refused("exceeds_giveable")) {
            _ = try await $0.buy()
            return (
                "/v1/users/\($0.user)/transfers", #"{"to": "\#(try await $0.friend())", "coins": 100}"#
            )
        },
        FinanceAct(
            name: "createCampaign", record: "campaign", rivals: .refused("campaign_exists"), isKeyed: false,
            isOneStatement: true
        ) { ("/v1/campaigns", #"{"name": "\#($0.user)", "coins": 10, "budget": 10, "reason": "x"}"#) },
        FinanceAct(name: "mergeUser", record: "user_merge", rivals: .refused("user_merged")) { stage in
            _ = try await stage.buy()
            try await stage.did("/v1/users/\(stage.user)-2/grants", #"{"coins": 5, "reason": "x"}"#)
            return ("/v1/users/\(stage.user)/merge", #"{"into": "\#(stage.user)-2", "reason": "x"}"#)
        },
        FinanceAct(
            name: "reverseVoided", record: "grant_void WHERE reversal_id IS NOT NULL",
            rivals: .refused("already_reversed")
        ) { stage in
            let grant = try await stage.grant()
            let spent = try await stage.did("/v1/users/\(stage.user)/spends", #"{"coins": 20}"#)
            try await stage.did("/v1/grants/\(grant)/void", reason)
            return ("/v1/spends/\(sure(spent["spend"]["journal_entry_id"].integer))/reversals", reason)
        },
    ]

    private static let ofRefunds: [FinanceAct] = [
        FinanceAct(name: "approveRefund", record: "refund", rivals: .refused("nothing_to_refund")) {
            ("/v1/purchases/\(try await $0.buy())/refunds", FinanceStage.transfer)
        },
        FinanceAct(name: "refundGiven", record: "refund", rivals: .refused("nothing_to_refund")) {
            let purchase = try await $0.buy()
            try await $0.did(
                "/v1/users/\($0.user)/transfers", #"{"to": "\#(try await $0.friend())", "coins": 90}"#)
            return ("/v1/purchases/\(purchase)/refunds", FinanceStage.transfer)
        },
        FinanceAct(name: "payRefund", record: entry("refund_payment"), rivals: .refused("refund_not_approved")) {
            ("\(try await $0.approvedRefund())/payment", $0.payment())
        },
        FinanceAct(name: "reverseRefund", record: entry("refund_reversal"), rivals: .refused("refund_not_approved")) {
            ("\(try await $0.approvedRefund())/reversal", reason)
        },
        FinanceAct(name: "repayRefund", record: entry("refund_reversal"), rivals: .refused("refund_not_paid")) {
            stage in
            let path = try await stage.approvedRefund()
            try await stage.did("\(path)/payment", stage.payment())
            return ("\(path)/repayment", stage.payment())
        },
        FinanceAct(name: "payDebt", record: entry("debt_bank_payment"), rivals: .refused("exceeds_debt")) { stage in
            try await stage.owe()
            return ("/v1/users/\(stage.user)/debt/payments", stage.payment(#""amount": 600, "coins": 60, "#))
        },
        FinanceAct(name: "writeOffDebt", record: entry("debt_write_off"), rivals: .refused("exceeds_debt")) { stage in
            try await stage.owe()
            return ("/v1/users/\(stage.user)/debt/write-offs", #"{"coins": 60, "reason": "x"}"#)
        },
    ]

    private static let ofProviders: [FinanceAct] = [
        FinanceAct(name: "setTerms", method: .put, record: "provider_terms", isKeyed: false) {
            ("/v1/providers/\($0.provider)", FinanceStage.terms)
        },
        FinanceAct(name: "proposePayout", record: "payout", rivals: .refused("nothing_owed"), isOneStatement: true) {
            stage in
            _ = try await stage.captureWithTerms()
            return ("/v1/payouts", stage.payout)
        },
        FinanceAct(
            name: "approvePayout", record: "payout_decision WHERE decision = 'approved'", isKeyed: false,
            isOneStatement: true
        ) { ("\(try await $0.proposedPayout())/approval", "") },
        FinanceAct(
            name: "withdrawPayout", record: "payout_decision WHERE decision = 'withdrawn'", isKeyed: false,
            isOneStatement: true
        ) { ("\(try await $0.proposedPayout())/withdrawal", reason) },
        FinanceAct(name: "payPayout", record: entry("payout"), rivals: .refused("payout_status_conflict")) {
            ("\(try await $0.approvedPayout())/payment", $0.payment())
        },
        FinanceAct(name: "repayClaim", record: entry("provider_repayment"), rivals: .refused("exceeds_claim")) {
            stage in
            try await stage.claim()
            return ("/v1/providers/\(stage.provider)/repayments", stage.payment(#""amount": 720, "#))
        },
    ]

    private static let ofAccounts: [FinanceAct] = [
        FinanceAct(name: "proposeAccount", method: .put, record: "provider_account", isKeyed: false) { stage in
            try await stage.did("/v1/providers/\(stage.provider)", FinanceStage.terms, .put)
            return ("/v1/providers/\(stage.provider)/account", FinanceStage.account)
        },
        FinanceAct(name: "approveAccount", record: "provider_account WHERE approved_by IS NOT NULL", isKeyed: false) {
            ("\(try await $0.proposedAccount())/approval", FinanceStage.number)
        },
        FinanceAct(name: "withdrawAccount", record: "provider_account WHERE status = 'withdrawn'", isKeyed: false) {
            ("\(try await $0.proposedAccount())/withdrawal", "")
        },
        FinanceAct(
            name: "eraseAccounts", method: .delete, record: "provider_account WHERE status = 'erased'", isKeyed: false
        ) { stage in
            try await stage.did("\(try await stage.proposedAccount())/approval", FinanceStage.number)
            return ("/v1/providers/\(stage.provider)/account", "")
        },
    ]

    private static let ofRates: [FinanceAct] = [
        FinanceAct(name: "setRate", method: .put, record: "rate WHERE approved_by IS NULL", isKeyed: false) { stage in
            try await stage.publishFirstRate()
            return ("/v1/rates/USD/\(stage.dayAfterOthers)", FinanceStage.rate)
        },
        FinanceAct(name: "proposeRate", method: .put, record: "rate_proposal", isKeyed: false) {
            ("/v1/rates/JPY/\($0.dayBeforeOthers)", FinanceStage.rate)
        },
        FinanceAct(name: "approveRate", record: "rate WHERE currency = 'JPY'", isKeyed: false) {
            ("\(try await $0.proposedRate())/approval", FinanceStage.approvedRate)
        },
        FinanceAct(name: "withdrawRate", record: "rate_proposal WHERE status = 'withdrawn'", isKeyed: false) {
            ("\(try await $0.proposedRate())/withdrawal", "")
        },
    ]

    private static let ofFinance: [FinanceAct] = [
        FinanceAct(name: "decideDispute", record: "dispute WHERE status = 'lost'", rivals: .refused("dispute_decided"))
        {
            ("/v1/disputes/\(try await $0.dispute())/decisions", #"{"outcome": "lost", "reason": "x"}"#)
        },
        FinanceAct(name: "winDispute", record: entry("claw_back_reversal"), rivals: .refused("dispute_decided")) {
            stage in
            let path = "/v1/disputes/\(try await stage.dispute())/decisions"
            try await stage.did(path, #"{"outcome": "lost", "reason": "x"}"#)
            return (path, #"{"outcome": "won", "reason": "y"}"#)
        },
        FinanceAct(name: "enterCustodyBalance", record: "custody_balance", rivals: .independent, isOneStatement: true) {
            (
                "/v1/custody-balances",
                #"{"custodian": "\#($0.provider)", "method": "trust", "balance": 9, "held_at": "2026-01-01"}"#
            )
        },
        FinanceAct(name: "setPolicy", method: .put, record: "accounting_policy", isKeyed: false) {
            ("/v1/accounting-policies/bonus/2020-0\($0.nextMonth())", #"{"method": "relative_price"}"#)
        },
        FinanceAct(name: "bookAdjustment", record: entry("adjustment"), needsPastMonths: true) {
            ("/v1/adjustments", try await $0.adjustableMonth())
        },
        FinanceAct(name: "bookRevaluation", record: "revaluation") { stage in
            try await stage.publishFirstRate()
            try await stage.did("/v1/rates/USD/\(stage.monthOfOthers)-28", FinanceStage.rate, .put)
            return ("/v1/revaluations", #"{"currency": "USD", "month": "\#(stage.monthOfOthers)"}"#)
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
