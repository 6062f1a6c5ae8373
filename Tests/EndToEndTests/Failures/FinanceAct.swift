import OutboundHTTP
import TestSupport
import Testing

/// The acts of finance, and of services on what was booked before, that change the books or decide what is booked.
enum FinanceAct: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case reverseSpend, reverseCapture
    case voidGrant, reverseVoided
    case approveRefund, payRefund, reverseRefund, repayRefund
    case payDebt, writeOffDebt
    case setTerms, proposePayout, approvePayout, withdrawPayout, payPayout, repayClaim
    case proposeAccount, approveAccount, withdrawAccount, eraseAccounts
    case decideDispute, winDispute
    case enterCustodyBalance
    case setPolicy, bookAdjustment

    var testDescription: String { rawValue }

    /// What requests of other callers for the same get, after the first one.
    enum Rivals: Equatable {
        /// A refusal with this code.
        case refused(String)
        /// The first one's response: nothing is left to do.
        case answeredAlike
        /// Each is an act of its own.
        case independent
    }

    var rivals: Rivals {
        switch self {
        case .reverseSpend, .reverseCapture, .reverseVoided: .refused("already_reversed")
        case .voidGrant: .refused("exceeds_grant")
        case .approveRefund: .refused("nothing_to_refund")
        case .payRefund, .reverseRefund: .refused("refund_not_approved")
        case .repayRefund: .refused("refund_not_paid")
        case .payDebt, .writeOffDebt: .refused("exceeds_debt")
        case .proposePayout: .refused("nothing_owed")
        case .payPayout: .refused("payout_status_conflict")
        case .repayClaim: .refused("exceeds_claim")
        case .decideDispute, .winDispute: .refused("dispute_decided")
        case .setTerms, .approvePayout, .withdrawPayout, .setPolicy, .bookAdjustment: .answeredAlike
        case .proposeAccount, .approveAccount, .withdrawAccount, .eraseAccounts: .answeredAlike
        case .enterCustodyBalance: .independent
        }
    }

    /// Whether it is about a month that is over.
    var needsPastMonths: Bool { self == .bookAdjustment }

    /// Whether its request has an idempotency key; for a repeat without one, nothing is left to do.
    var isKeyed: Bool {
        switch self {
        case .setTerms, .approvePayout, .withdrawPayout, .setPolicy: false
        case .proposeAccount, .approveAccount, .withdrawAccount, .eraseAccounts: false
        default: true
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .setTerms, .setPolicy, .proposeAccount: .put
        case .eraseAccounts: .delete
        default: .post
        }
    }

    /// Whether one statement writes it, which commits with its reply.
    var isOneStatement: Bool {
        [.proposePayout, .approvePayout, .withdrawPayout, .enterCustodyBalance].contains(self)
    }

    /// What it adds one row to.
    var record: String {
        switch self {
        case .reverseSpend: "journal_entry WHERE kind = 'spend_reversal'"
        case .reverseCapture: "journal_entry WHERE kind = 'capture_reversal'"
        case .voidGrant: "grant_void WHERE is_whole"
        case .reverseVoided: "grant_void WHERE reversal_id IS NOT NULL"
        case .approveRefund: "refund"
        case .payRefund: "journal_entry WHERE kind = 'refund_payment'"
        case .reverseRefund, .repayRefund: "journal_entry WHERE kind = 'refund_reversal'"
        case .payDebt: "journal_entry WHERE kind = 'debt_bank_payment'"
        case .writeOffDebt: "journal_entry WHERE kind = 'debt_write_off'"
        case .setTerms: "provider_terms"
        case .proposePayout: "payout"
        case .approvePayout: "payout_decision WHERE decision = 'approved'"
        case .withdrawPayout: "payout_decision WHERE decision = 'withdrawn'"
        case .payPayout: "journal_entry WHERE kind = 'payout'"
        case .repayClaim: "journal_entry WHERE kind = 'provider_repayment'"
        case .proposeAccount: "provider_account"
        case .approveAccount: "provider_account WHERE approved_by IS NOT NULL"
        case .withdrawAccount: "provider_account WHERE status = 'withdrawn'"
        case .eraseAccounts: "provider_account WHERE status = 'erased'"
        case .decideDispute: "dispute WHERE status = 'lost'"
        case .winDispute: "journal_entry WHERE kind = 'claw_back_reversal'"
        case .enterCustodyBalance: "custody_balance"
        case .setPolicy: "accounting_policy"
        case .bookAdjustment: "journal_entry WHERE kind = 'adjustment'"
        }
    }
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
