import Ledger
import WireFormats

/// Who orders an act, and the names under which it is one act however often it is ordered.
struct ConsoleSender: Sendable {
    let person: Person
    /// The name of the proposal, and of its record in the audit.
    let once: String
    /// The name of the act's record in the audit, which ends once: a command that failed and is given again has another.
    let record: String
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
        get throws(Problem) {
            let once = try form.once()
            return ConsoleSender(person: person, once: once, record: once, key: try actKey())
        }
    }
}
