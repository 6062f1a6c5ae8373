package import Ledger
package import LedgerWire
import PGVerifier

// Converts refusals and errors of the verdict and the ledger to problems. No other file does this.

extension Problem.Code {
    /// The code of a refusal by the verdict: both have one name.
    init(_ reason: RefusalReason) { self.init(named: reason.rawValue) }

    /// The code of a refusal by the ledger, as ``Refusal/row`` declares it.
    ///
    /// Refusals of settlement lines have none: they are stored with the line and never become problems.
    init(_ refusal: Refusal) { self = refusal.row.code.map { Self(named: $0) } ?? .internal }

    /// The code with this name, which may be one that only people in the console see; a test names them all.
    init(named name: String) { self = Self.ofRefusals[name] ?? .internal }

    private static let ofRefusals = Dictionary(
        (known + [changedMeanwhile, exceedsOwnLimit]).map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first }
    )

    /// The code of an error of the ledger.
    init(_ error: LedgerError) {
        self =
            switch error.code {
            case .unavailable, .outcomeUnknown, .schema: .databaseUnavailable
            case .replicaUnavailable: .replicaUnavailable
            case .overloaded: .overloaded
            case .shuttingDown: .shuttingDown
            case .invalid: .invalidRequest
            default: .internal
            }
    }
}

extension Problem {
    /// The problem of a refusal by the ledger, with its numbers.
    package init(_ refusal: Refusal) {
        let row = refusal.row
        self.init(Code(refusal), row.detail)
        members = row.members.map { member in
            switch member.value {
            case .number(let number): (name: member.name, value: .integer(number))
            case .text(let text): (name: member.name, value: .string(text))
            }
        }
    }
}

extension ProblemCode {
    // People in the console see these codes, and clients of the API do not: only a person decides by what they saw.

    /// What the act is about has changed since the person saw it.
    package static let changedMeanwhile = ProblemCode(
        "changed_meanwhile", 409, "It has changed since you opened the page: nothing was done. Open the page again.")
    /// Others came first, and together it is more than one person may do alone.
    package static let exceedsOwnLimit = ProblemCode(
        "exceeds_own_limit", 409,
        "With what was done before, another person has to approve it: nothing was done. Open the page again.")
}
