import CivilTime
import Foundation
import Ledger

extension Problem {
    /// The caller's own idempotency key was used for another request.
    ///
    /// - Parameters:
    ///   - what: what it was used for, as clients see it: an act, or a request without one; nil: not known.
    ///   - at: when its outcome was recorded; nil: not known.
    static func keyReused(for what: String?, at: Date?) -> Problem {
        let words = what.map {
            " for \("aeiou".contains($0.first ?? " ") ? "an" : "a") \($0.replacing("_", with: " "))"
        }
        let moment = at.map(RFC3339.string)
        var problem = Problem(
            .idempotencyKeyReused, "the key was first used\(words ?? "")\(moment.map { " at \($0)" } ?? "")")
        if let what { problem.members.append((name: "used_for", value: .string(what))) }
        if let moment { problem.members.append((name: "used_at", value: .string(moment))) }
        return problem
    }

    /// The same, of an act's key.
    static func keyReused(_ use: KeyUse?) -> Problem {
        let what =
            switch use?.act {
            case DecideDispute.name: "dispute_decision"
            case PayPayout.name: "payout_payment"
            case let act: act
            }
        return keyReused(for: what, at: use?.at)
    }
}
