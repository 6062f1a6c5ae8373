/// What a column has of people, which decides what an export shows of it and what forgetting a user does to it.
enum ColumnContent: CaseIterable {
    /// The id of a user; of a provider it is the same id.
    case user
    /// The ids of several users.
    case users
    /// A text or document in which the id of a user can stand, such as an account's code.
    case naming
    /// What people, callers or gateways wrote: notes, references, reasons.
    case words
    /// A bank account, or the gateway's name of a card.
    case bankAccount
    /// A name of a payment outside: at the gateway, or in our bank's statement.
    case payment
    /// An idempotency key, which its caller may have made of a user's id.
    case key
    /// An unkeyed hash of what was sent: who guesses a user's id can confirm it.
    case digest
    /// Who of the shop's people, or which of its services.
    case staff
    /// Nothing of a person.
    case impersonal
}

extension ColumnContent {
    /// What becomes of a value when its user is forgotten (docs/decisions/0206).
    enum Fate {
        /// The replacement id takes the id's place.
        case replaced
        /// Gone at once.
        case erased
        /// Gone here; kept encrypted until the retention of payments ends.
        case keptApart
        /// A keyed hash takes its place, so that a repeat is still known.
        case hashed
        case kept
    }

    var fate: Fate {
        switch self {
        case .user, .users, .naming: .replaced
        case .words, .bankAccount: .erased
        case .payment: .keptApart
        case .key, .digest: .hashed
        case .staff, .impersonal: .kept
        }
    }

    /// Whether the user's export shows the value.
    ///
    /// Names of the shop's people are theirs, and keys and hashes are callers'. Of a bank account it says that there is one
    /// (docs/decisions/0196).
    var isExported: Bool {
        switch self {
        case .user, .naming, .words, .payment, .impersonal: true
        case .users, .bankAccount, .key, .digest, .staff: false
        }
    }
}
