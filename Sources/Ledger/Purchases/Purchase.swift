package import Foundation

/// A credited payment.
package struct Purchase: Hashable, Sendable, Identifiable, Codable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// The coins were credited.
        case credited
        /// A part of the payment was refunded or clawed back.
        case partiallyRefunded = "partially_refunded"
        /// The whole payment was refunded or clawed back.
        case refunded
    }

    package let id: Int64
    package var status: Status
    package let user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    /// The code of the product.
    package let product: String
    /// The amount paid, in minor units of ``currency``; of a payment in a foreign currency, its worth.
    package let amount: Int64
    /// That of the books.
    package let currency: Currency
    /// Paid coins, without the bonus.
    package let coins: Int64
    /// Bonus coins that came with the purchase.
    package let bonusCoins: Int64
    /// The part of the amount that went back to the user, in minor units.
    package var refundedAmount: Int64
    /// Paid coins taken back by refunds and claw-backs.
    package var refundedCoins: Int64 = 0
    /// Bonus coins taken back by refunds and claw-backs.
    package var refundedBonusCoins: Int64 = 0
    /// When it was paid at the gateway.
    package let paidAt: Date
    /// When the coins were credited.
    package let creditedAt: Date
    /// The journal entry that records the credit.
    package let journalEntryID: Int64
    /// The part of the amount that the gateway paid out, less its deductions for refunds, in minor units.
    package var settledAmount: Int64 = 0
    /// Paid coins that were charged for used bonus coins.
    package var chargedCoins: Int64 = 0
    /// The part of ``refundedAmount`` that goes back by bank transfer, in minor units; nil in outcomes recorded before this
    /// member existed.
    var transferred: Int64? = 0
    /// The part of the amount that has no VAT by the gateway's record, in minor units; nil: the gateway does not tell.
    package var taxFree: Int64?
    /// The members of ``foreign``; nil: it was paid in won.
    package internal(set) var foreignAmount: Int64?
    package internal(set) var foreignCurrency: ForeignCurrency?
    private(set) var rateID: Int64?
    package internal(set) var foreignRefunded: Int64?
    /// What of it the gateway paid out, less its deductions for refunds; nil: nothing was settled yet.
    package internal(set) var foreignSettled: Int64?

    /// The part of ``refundedAmount`` that goes back by bank transfer, in minor units.
    package var transferredAmount: Int64 { transferred ?? 0 }
    /// The part of ``refundedAmount`` that the gateway gave back, in minor units.
    package var cancelledAmount: Int64 { refundedAmount - transferredAmount }

    /// The amount that goes back twice, by bank transfer and at the gateway, when this much is cancelled there in all.
    ///
    /// - Parameter cancelled: in the payment's currency.
    package func refundedTwice(cancelled: Int64) -> Int64 {
        max(0, min(worth(ofCancelled: cancelled), amount) + transferredAmount - amount)
    }

    /// What is to be taken back in all when this much is cancelled at the gateway: what went back by bank transfer too is not
    /// taken twice.
    ///
    /// - Parameter cancelled: in the payment's currency.
    package func due(cancelled: Int64) -> Int64 {
        min(worth(ofCancelled: cancelled), amount) - refundedTwice(cancelled: cancelled)
    }
}
