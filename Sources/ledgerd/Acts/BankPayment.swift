import Foundation

/// A payment through our bank, as finance states it.
struct BankPayment: Sendable, Equatable {
    /// When the bank paid, or the money reached it.
    let paidAt: Date
    /// What the bank's statement says of the payment.
    let reference: String
}
