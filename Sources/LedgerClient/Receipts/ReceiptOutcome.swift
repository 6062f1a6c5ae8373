/// The result of a receipt that was not refused.
public enum ReceiptOutcome: Hashable, Sendable {
    /// Credited, now or before.
    case credited(ReceiptBody)
    /// The service keeps the receipt and credits it when the gateway confirms the payment, even if it is never
    /// presented again.
    case waiting(WaitingReceiptBody)
}
