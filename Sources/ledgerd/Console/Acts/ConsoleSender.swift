import Ledger
import WireFormats

/// Who orders an act, and the names under which it is one act however often it is ordered.
struct ConsoleSender: Sendable {
    let person: Person
    /// The name of the audit's record and of the proposal.
    let once: String
    /// The key of the act.
    let key: CallerKey
}

/// What became of an order.
enum ConsoleOrdered: Sendable {
    /// It is done; what was made, for the record.
    case done([String: JSON])
    /// It is the proposal with this id.
    case proposed(Int64)
}

extension Visit {
    /// The person, with the names of the form.
    var sender: ConsoleSender {
        get throws(Problem) { ConsoleSender(person: person, once: try form.once(), key: try actKey()) }
    }
}
