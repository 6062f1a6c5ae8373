package import Foundation

/// A payment that became coins.
package struct Purchase: Sendable, Equatable, Identifiable, Codable {
    /// Where it stands.
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// The coins were credited.
        case credited
        /// A part of the payment went back to the user.
        case partiallyRefunded = "partially_refunded"
        /// The whole payment went back to the user.
        case refunded
    }

    /// Our id of it.
    package let id: Int64
    /// Where it stands.
    package var status: Status
    /// Who bought.
    package let user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The code of the product.
    package let product: String
    /// What was paid, in minor units of ``currency``.
    package let amount: Int64
    /// The currency it was paid in.
    package let currency: Currency
    /// Coins bought.
    package let coins: Int64
    /// Coins given on top.
    package let bonusCoins: Int64
    /// What of the amount went back, in minor units.
    package var refundedAmount: Int64
    /// Bought coins that were taken back, by refund or claw-back.
    package var refundedCoins: Int64 = 0
    /// Given coins that were taken back, likewise.
    package var refundedBonusCoins: Int64 = 0
    /// Bought coins that went in place of given ones that were used.
    package var chargedCoins: Int64 = 0
    /// What of the amount the gateway paid out, less what it kept back for refunds, in minor units.
    package var settledAmount: Int64 = 0
    /// When it was paid at the gateway.
    package let paidAt: Date
    /// When the coins were credited.
    package let creditedAt: Date
    /// The journal entry that records the credit.
    package let journalEntryID: Int64
}
