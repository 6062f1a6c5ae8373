package import Ledger
package import WireFormats

/// Who orders an act, and the names under which it is one act however often it is ordered.
package struct ActSender: Sendable {
    package let person: Person
    /// The name of the proposal, and of its record in the audit.
    let once: String
    /// The name of the act's record in the audit, which ends once: a command that failed and is given again has another.
    let record: String
    /// The key of the act.
    package let key: CallerKey

    package init(person: Person, once: String, record: String, key: CallerKey) {
        self.person = person
        self.once = once
        self.record = record
        self.key = key
    }
}

/// What became of an order.
package enum PersonOrderOutcome: Sendable {
    /// It is done; what was made, for the record.
    case done([String: JSON])
    /// It is the proposal with this id.
    case proposed(Int64)
}
