/// What a column has of people, which decides what an export shows of it and what forgetting a user does to it.
///
/// `forget_user` of the database knows these names (schema/judges/forgetting.sql).
enum ColumnContent: String, CaseIterable {
    /// The id of a user; of a provider it is the same id. The replacement takes its place.
    case user
    /// The ids of several users. The same.
    case users
    /// A text or document in which the id of a user can stand, such as an account's code. The same; words of people in a document of
    /// the user are erased.
    case naming
    /// What people, callers or gateways wrote: notes, references, reasons. Of the user it is erased; in others' words the id is
    /// replaced.
    case words
    /// A name that the shop gave to something, such as a campaign, or to itself. An id in it is replaced, wherever the name stands.
    case label
    /// A bank account, or the gateway's name of a card. It must be gone before.
    case bankAccount
    /// A name of a payment outside, at the gateway. It stays, without an id in it.
    case payment
    /// An idempotency key, which its caller may have made of a user's id. A random one takes its place.
    case key
    /// An unkeyed hash of what was sent: who guesses a user's id can confirm it. The same.
    case digest
    /// Who of the shop's people, or which of its services. It stays, unless it is the user.
    case staff
    /// Nothing of a person.
    case impersonal
}

extension ColumnContent {
    /// Whether the user's export shows the value.
    ///
    /// Names of the shop's people are theirs, and keys and hashes are callers'. Of a bank account it says that there is one
    /// (docs/decisions/0196).
    var isExported: Bool {
        switch self {
        case .user, .naming, .words, .payment, .impersonal: true
        case .users, .label, .bankAccount, .key, .digest, .staff: false
        }
    }
}
