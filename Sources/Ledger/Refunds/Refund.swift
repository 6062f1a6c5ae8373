package import Foundation

/// A payment's money on its way back, whole or in part, on our own order.
package struct Refund: Sendable, Equatable, Identifiable, Codable {
    /// Where it stands.
    package enum Status: String, Sendable, Codable {
        /// Its coins are set aside, and the gateway has not definitely answered.
        case pending
        /// The gateway gave the money back, and the purchase is reversed.
        case completed
        /// The gateway refused, and the coins are back in the wallet.
        case refused
    }

    /// Why a gateway refused.
    package struct GatewayRefusal: Sendable, Equatable, Codable {
        /// Our stable name of it.
        package let reason: String
        /// The gateway's own code, for people.
        package let gatewayCode: String?

        /// Names a refusal.
        package init(reason: String, gatewayCode: String?) {
            self.reason = reason
            self.gatewayCode = gatewayCode
        }
    }

    /// Our id of it.
    package let id: Int64
    /// The purchase.
    package let purchaseID: Int64
    /// Who bought.
    package let user: UserID
    /// Where it stands.
    package var status: Status
    /// Bought coins that go, those charged among them.
    package let coins: Int64
    /// Given coins that go with them.
    package let bonusCoins: Int64
    /// Of the bought coins, how many go in place of given ones that were used; nil in outcomes recorded before that.
    let charged: Int64?
    /// What the bought coins that were not charged were bought for, in minor units of ``currency``.
    package let value: Int64
    /// What of the value we keep.
    package let fee: Int64
    /// The currency that was paid in.
    package let currency: Currency
    /// Why, in people's words.
    package let explanation: String
    /// What could be cancelled at the gateway when it was requested.
    package let believedBalance: Int64
    /// When it was requested.
    package let requestedAt: Date
    /// When it was completed or refused.
    package var decidedAt: Date?
    /// Why the gateway refused, if it did.
    package var refusal: GatewayRefusal?
    /// The gateway's id of the cancellation, when it told one.
    package var cancellationID: String?
    /// The journal entry that set the coins aside.
    package let journalEntryID: Int64
    /// The journal entry that reversed the purchase.
    package var reversalEntryID: Int64?

    /// Of the bought coins, how many go in place of given ones that were used: nothing is paid for them.
    package var bonusCharged: Int64 { charged ?? 0 }

    /// Bought coins that money is paid for.
    var coinsPaidFor: Int64 { coins - bonusCharged }

    /// What the payer gets.
    package var amount: Int64 { value - fee }
}
