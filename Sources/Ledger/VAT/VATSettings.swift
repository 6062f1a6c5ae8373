/// What VAT is booked of.
///
/// Coins keep the rule of their sale, and refunds the VAT of their fee, whatever the settings are later.
package struct VATSettings: Sendable, Equatable {
    /// Sales by the rules of products, debts that are paid in won, and the gateway's fees.
    package let isBooked: Bool
    /// Expired coins: whether they are supplied when they expire.
    package let taxesBreakage: Bool
    /// Fees of refunds: whether they pay for a supply.
    package let taxesRefundFees: Bool

    /// No VAT.
    package static let off = VATSettings(isBooked: false)

    /// - Precondition: breakage and fees are taxed only if VAT is booked.
    package init(isBooked: Bool, taxesBreakage: Bool = false, taxesRefundFees: Bool = false) {
        precondition(isBooked || !taxesBreakage && !taxesRefundFees, "VAT of breakage and fees needs VAT")
        self.isBooked = isBooked
        self.taxesBreakage = taxesBreakage
        self.taxesRefundFees = taxesRefundFees
    }
}
