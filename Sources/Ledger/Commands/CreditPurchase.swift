public import Foundation

/// Credits the coins of a payment that the gateway confirmed, exactly once.
///
/// ```
/// Dr coins:issued         coins   / Cr wallet:<user>:paid      coins
/// Dr coins:promotions     bonus   / Cr wallet:<user>:bonus     bonus
/// Dr gateway:receivable   amount  / Cr coins:deferred-revenue  amount
/// ```
/// Coins that the user owes are paid off at once, and recognised as if they were spent:
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr debt:<user>    coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins  won
/// ```
/// The payment is the key: the same payment again is answered with the same purchase.
public struct CreditPurchase: Sendable, Equatable {
    /// Who gets the coins.
    public let user: UserID
    /// The payment at the gateway.
    public let payment: PaymentIdentity
    /// The code of the product that was bought.
    public let product: String
    /// What was paid, as the gateway says.
    public let price: Price
    /// Coins bought.
    public let coins: Coins
    /// Coins given on top, if any.
    public let bonusCoins: Coins?
    /// When it was paid at the gateway; a time that is further ahead than ``clockTolerance`` counts as now.
    public let paidAt: Date
    /// When unused bought coins expire; nil: never.
    public let expiresAt: Date?
    /// When unused given coins expire; nil: never.
    public let bonusExpiresAt: Date?

    /// How many seconds a gateway's clock may be ahead of ours.
    public static let clockTolerance: TimeInterval = 600

    /// A purchase to credit.
    public init(
        user: UserID, payment: PaymentIdentity, product: String, price: Price, coins: Coins, bonusCoins: Coins?,
        paidAt: Date, expiresAt: Date? = nil, bonusExpiresAt: Date? = nil
    ) {
        self.user = user
        self.payment = payment
        self.product = product
        self.price = price
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.expiresAt = expiresAt
        self.bonusExpiresAt = bonusExpiresAt
    }
}

/// Which payment at which gateway.
public struct PaymentIdentity: Hashable, Sendable, Codable {
    /// The gateway that knows it: `portone-v1`.
    public let gateway: String
    /// The gateway's id of the payment (V2: the transaction's).
    public let impUID: String
    /// The order's id, at most one credited payment each.
    public let merchantUID: String
    /// V2's payment id, absent in V1.
    public let paymentID: String?

    /// Names a payment.
    public init(gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil) {
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
    }

    /// Byte by byte, as the database compares.
    public static func == (left: PaymentIdentity, right: PaymentIdentity) -> Bool { left.exact == right.exact }

    /// Of the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] {
        [ExactText(gateway), ExactText(impUID), ExactText(merchantUID), paymentID.map(ExactText.init)]
    }
}
