public import Foundation

/// A payment that became coins.
public struct Purchase: Sendable, Equatable, Identifiable, Codable {
    /// Where it stands.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// The coins were credited.
        case credited
        /// A part of the payment went back to the user.
        case partiallyRefunded = "partially_refunded"
        /// The whole payment went back to the user.
        case refunded
    }

    /// Our id of it.
    public let id: Int64
    /// Where it stands.
    public var status: Status
    /// Who bought.
    public let user: UserID
    /// The payment at the gateway.
    public let payment: PaymentIdentity
    /// The code of the product.
    public let product: String
    /// What was paid, in minor units of ``currency``.
    public let amount: Int64
    /// The currency it was paid in.
    public let currency: Currency
    /// Coins bought.
    public let coins: Int64
    /// Coins given on top.
    public let bonusCoins: Int64
    /// What of the amount went back, in minor units.
    public var refundedAmount: Int64
    /// Bought coins that were taken back, by refund or claw-back.
    public var refundedCoins: Int64 = 0
    /// Given coins that were taken back, likewise.
    public var refundedBonusCoins: Int64 = 0
    /// Bought coins that went in place of given ones that were used.
    public var chargedCoins: Int64 = 0
    /// What of the amount the gateway paid out, less what it kept back for refunds, in minor units.
    public var settledAmount: Int64 = 0
    /// When it was paid at the gateway.
    public let paidAt: Date
    /// When the coins were credited.
    public let creditedAt: Date
    /// The journal entry that records the credit.
    public let journalEntryID: Int64
}
