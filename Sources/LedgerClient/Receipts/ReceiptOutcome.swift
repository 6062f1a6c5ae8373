/// What became of a receipt that was not refused.
public enum ReceiptOutcome: Hashable, Sendable {
    /// It is a purchase, now or since before.
    case credited(ReceiptBody)
    /// It is kept by the service, and credited when the gateway confirms it, whether or not it is presented again.
    case waiting(WaitingReceiptBody)
}
