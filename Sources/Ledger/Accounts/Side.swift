/// The side of an account that a posting is written on.
public enum Side: String, Hashable, Sendable {
    /// Dr: increases a debit-normal account.
    case debit = "D"
    /// Cr: increases a credit-normal account.
    case credit = "C"
}
