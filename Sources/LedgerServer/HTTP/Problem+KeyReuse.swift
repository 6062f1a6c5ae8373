import CivilTime
import Foundation
import Ledger

extension Problem {
    /// The caller's own idempotency key was used for another request.
    ///
    /// - Parameters:
    ///   - what: what it was used for; nil: not known.
    ///   - at: when its outcome was recorded; nil: not known.
    static func keyReused(for what: KeyedRequest?, at: Date?) -> Problem {
        let (purpose, moment) = (what.map { " for \($0.words)" } ?? "", at.map(RFC3339.string))
        var problem = Problem(
            .idempotencyKeyReused, "the key was first used\(purpose)\(moment.map { " at \($0)" } ?? "")")
        if let what { problem.members.append((name: "used_for", value: .string(what.rawValue))) }
        if let moment { problem.members.append((name: "used_at", value: .string(moment))) }
        return problem
    }

    /// The same, of an act's key.
    static func keyReused(_ use: KeyUse?) -> Problem {
        keyReused(for: use.flatMap { KeyedRequest(act: $0.act) }, at: use?.at)
    }
}

/// What an idempotency key can be used for, as clients see it.
enum KeyedRequest: String, CaseIterable, Sendable {
    case spend, grant, hold, capture, void, reversal, refund
    case grantVoid = "grant_void"
    case refundPayment = "refund_payment"
    case refundReversal = "refund_reversal"
    case refundRepayment = "refund_repayment"
    case debtPayment = "debt_bank_payment"
    case debtWriteOff = "debt_write_off"
    case disputeDecision = "dispute_decision"
    case providerRepayment = "provider_repayment"
    case payoutPayment = "payout_payment"
    case adjustment
    // Requests without an act of the ledger.
    case order, payout, reconciliation, note, endpoint, replay
    case custodyBalance = "custody_balance"

    /// - Parameter act: the stored name of an act.
    init?(act: String) {
        switch act {
        case DecideDispute.name: self = .disputeDecision
        case PayPayout.name: self = .payoutPayment
        default: self.init(rawValue: act)
        }
    }

    fileprivate var words: String {
        let text = rawValue.replacing("_", with: " ")
        return ("aeiou".contains(text.first ?? " ") ? "an " : "a ") + text
    }
}
