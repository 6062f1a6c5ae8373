package import Foundation

/// A refund of a payment, in whole or in part, that a caller requested.
package struct Refund: Sendable, Equatable, Identifiable, Codable {
    package enum Status: String, Sendable, Codable {
        /// The coins are held, and the gateway has not given a final answer.
        case pending
        /// The money went back, and the coins are taken.
        case completed
        /// The gateway refused, and the coins are released to the wallet.
        case refused
        /// By bank transfer: the coins are taken, and finance has not paid yet.
        case approved
        /// By bank transfer: it was not paid, or the payer repaid it, and the coins came back.
        case reversed
    }

    /// How the money goes back.
    package enum Method: String, Sendable, Codable, CaseIterable {
        /// The gateway cancels the payment.
        case gateway
        /// Finance pays from our bank.
        case bankTransfer = "bank_transfer"
    }

    /// What a refund by bank transfer has besides.
    package struct Transfer: Sendable, Equatable, Codable {
        /// The coins that were taken of each lot, with the won that were deferred for them.
        let taken: [LotUse]
        /// When the bank paid it; nil: not paid.
        package var paidAt: Date?
        /// What the bank's statement says of the payment; nil: not paid.
        package var bankReference: String?
        /// When the money came back to our bank; nil: it did not.
        package var repaidAt: Date?
        /// What the bank's statement says of the money that came back; nil: none did.
        package var repaymentReference: String?
    }

    /// The expired coins of a refund.
    package struct ExpiredPart: Sendable, Equatable, Codable {
        /// Expired paid coins to take back, including charged ones.
        package let coins: Int64
        /// The amount paid for those that are not charged.
        package let value: Int64
        /// The part of the value that is kept.
        package let fee: Int64
    }

    /// A gateway's refusal.
    package struct GatewayRefusal: Hashable, Sendable, Codable {
        /// The stable name of the reason.
        package let reason: String
        /// The gateway's own code, for people.
        package let gatewayCode: String?

        package init(reason: String, gatewayCode: String?) {
            self.reason = reason
            self.gatewayCode = gatewayCode
        }
    }

    package let id: Int64
    package let purchaseID: Int64
    package let user: UserID
    package var status: Status
    /// Paid coins to take back, including charged ones.
    package let coins: Int64
    /// Bonus coins to take back.
    package let bonusCoins: Int64
    /// Paid coins that are charged for used bonus coins; nil in outcomes recorded before this member existed.
    let charged: Int64?
    /// The amount paid for the paid coins that are not charged, in minor units of ``currency``; of a payment in a foreign
    /// one, its worth.
    package let value: Int64
    /// The part of the value that is kept.
    package let fee: Int64
    /// That of the books.
    package let currency: Currency
    /// The reason, for people.
    package let explanation: String
    /// The amount that could be cancelled at the gateway when the refund was requested.
    package let believedBalance: Int64
    /// When it was requested.
    package let requestedAt: Date
    /// When it was completed, refused or reversed.
    package var decidedAt: Date?
    /// Why the gateway refused; nil: it did not.
    package var refusal: GatewayRefusal?
    /// The gateway's id of the cancellation; nil: not reported.
    package var cancellationID: String?
    /// The journal entry that held the coins or, by bank transfer, took them.
    package internal(set) var journalEntryID: Int64
    /// The journal entry that reversed the purchase.
    package var reversalEntryID: Int64?
    /// What a refund by bank transfer has besides; nil: the gateway gives the money back.
    package var transfer: Transfer?

    /// The rule that set the fee; nil: begun before there were rules.
    package let feeRule: RefundFeeRule?
    /// Why the fee was waived; nil: it was not.
    package let feeWaiver: String?
    /// The output VAT that the fee contains; nil: the fee pays for no supply.
    let feeVAT: Int64?
    /// The expired ones of the paid coins; nil: none.
    package let expired: ExpiredPart?
    /// The journal entry that took the expired coins back into the wallet; nil: there are none.
    package var expiryReversalID: Int64?
    /// What had been recognised for the expired coins, and came back with them; nil: there are none, or the outcome was
    /// recorded before this member existed.
    var expiredWon: Int64?

    /// The part of the amount that the gateway is asked to cancel as free of VAT, in minor units of the payment's currency;
    /// nil: none is sent.
    package var taxFree: Int64?
    /// What it gives back of a payment in a foreign currency; nil: it was paid in won.
    package var foreign: ForeignRefund?

    package var method: Method { transfer == nil ? .gateway : .bankTransfer }

    /// Paid coins that are charged for used bonus coins.
    ///
    /// No money is refunded for them.
    package var bonusCharged: Int64 { charged ?? 0 }

    /// Paid coins for which money is refunded.
    var coinsPaidFor: Int64 { coins - bonusCharged }

    /// Paid coins that had not expired.
    var unusedCoins: Int64 { coins - (expired?.coins ?? 0) }
}
