package import Foundation
import Ledger
import Timing

/// A payment through our bank, as finance states it: it is not in the future.
package struct BankPayment: Sendable, Equatable {
    /// When the bank paid, or the money reached it.
    package let paidAt: Date
    /// What the bank's statement says of the payment.
    package let reference: String

    /// - Throws: ``InputFault`` for a payment in the future. The clock of the person who states it can be ahead by less
    ///   than ``CreditPurchase/clockTolerance``.
    package init(paidAt: Date, reference: String) throws(InputFault) {
        guard paidAt < Time.current.now + CreditPurchase.clockTolerance else {
            throw InputFault("paid_at", "must not be in the future")
        }
        self.paidAt = paidAt
        self.reference = reference
    }
}
