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
        if let what { problem.members.append((name: "used_for", value: .string(what.name))) }
        if let moment { problem.members.append((name: "used_at", value: .string(moment))) }
        return problem
    }

    /// The same, of an act's key.
    static func keyReused(_ use: KeyUse?) -> Problem {
        keyReused(for: use.map { KeyedRequest(act: $0.act) }, at: use?.at)
    }
}

/// What an idempotency key was used for, as clients see it: an act of the ledger, or a request without one.
struct KeyedRequest: Sendable {
    fileprivate let name: String

    private init(_ name: String) { self.name = name }

    /// - Parameter act: the stored name of an act.
    init(act: String) {
        switch act {
        case DecideDispute.name: self.init("dispute_decision")
        case PayPayout.name: self.init("payout_payment")
        default: self.init(act)
        }
    }

    static let grant = KeyedRequest(act: Grant.name)
    static let order = KeyedRequest("order")
    static let payout = KeyedRequest("payout")
    static let reconciliation = KeyedRequest("reconciliation")
    static let note = KeyedRequest("note")
    static let endpoint = KeyedRequest("endpoint")
    static let replay = KeyedRequest("replay")
    static let custodyBalance = KeyedRequest("custody_balance")

    fileprivate var words: String {
        let text = name.replacing("_", with: " ")
        return ("aeiou".contains(text.first ?? " ") ? "an " : "a ") + text
    }
}
