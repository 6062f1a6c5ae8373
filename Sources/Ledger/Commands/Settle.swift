/// Books what the gateway paid out of a payment, or kept back for a refund of it, as a row of its statement says.
///
/// ```
/// Dr bank          net          / Cr gateway:receivable  gross
/// Dr gateway:fees  fee and tax
/// ```
/// A row of a refund has amounts below zero, and its entry the sides exchanged. It takes effect when it was paid out. The
/// row is the key: one that is settled stays so.
public struct Settle: Sendable, Equatable {
    /// The purchase's user.
    public let user: UserID
    /// The payment at the gateway.
    public let payment: PaymentIdentity
    /// The row, as it was imported.
    public let rowID: Int64
    /// All that its file says of this payment, on this day and in this direction: in the file's order.
    public let siblings: [PayoutAmounts]

    /// A row to book.
    ///
    /// - Parameter siblings: without them, what other files have booked of the payment and day is left to a person.
    public init(user: UserID, payment: PaymentIdentity, rowID: Int64, siblings: [PayoutAmounts] = []) {
        self.user = user
        self.payment = payment
        self.rowID = rowID
        self.siblings = siblings
    }
}
