package import Foundation

/// Something that happened: a journal entry, or a fact that has no entry.
///
/// It is read from rows that never change, so it is the same whenever it is read.
package struct Event: Sendable, Identifiable {
    /// The number of the event, from 1 without gaps.
    package let seq: Int64
    package let type: EventType
    /// Whose coins or receipt it is about; nil: no user's.
    package let user: UserID?
    /// When it was written.
    package let recordedAt: Date
    package let content: Content

    /// The number of the event.
    package var id: Int64 { seq }

    /// What an event tells.
    package enum Content: Sendable {
        /// A journal entry.
        case entry(EventEntry)
        /// What is no journal entry.
        case occurrence(Occurrence)
    }
}

/// A journal entry, as an event tells it.
package struct EventEntry: Sendable {
    /// The entry's id.
    package let id: Int64
    /// When it happened.
    package let effectiveAt: Date
    /// The reason that the caller gave.
    package let reason: String?
    /// The caller's reference; nil: none.
    package let reference: String?
    /// What the entry did to the user's coins; nil: it belongs to no user.
    package let change: CoinChange?
    /// The user's balance after the entry; nil: it belongs to no user.
    package let balance: Balance?
    /// The first ``mostLots`` of the lots that a spend, hold or capture used, or that coins came back into.
    ///
    /// ``Events/lots(of:after:limit:)`` has all of them.
    package let lots: [LotUse]
    /// The number of all these lots.
    package let lotCount: Int64
    package let fact: Fact?

    /// The most lots that an event tells of.
    package static let mostLots = 1000

    /// What the entry is about.
    ///
    /// Only members that never change may be used of these.
    package enum Fact: Sendable {
        /// The credited payment.
        case purchase(Purchase)
        /// The claw-back of a payment: its amount in minor units, that in the payment's foreign currency, and coins.
        case clawBack(Purchase, amount: Int64, foreignAmount: Int64?, coins: Int64, bonusCoins: Int64)
        /// The hold, the coins of it that the entry moved, and who earned them.
        case hold(Hold, coins: Int64, provider: String?)
        /// The refund and its purchase.
        case refund(Refund, Purchase, Decision?)
        /// Owed coins that were paid in won.
        case debtPayment(coins: Int64, amount: Int64, paidAt: Date, bankReference: String)
        /// The lot that was granted, or that expired.
        case lot(Lot)
        /// The spend or capture of which coins came back: its entry and the provider; and the coins with the won
        /// recognised for them.
        case reversal(of: Int64, provider: String?, coins: Int64, amount: Int64)
        /// The payout, the provider, and the won that the entry pays before taxes, with the taxes.
        case payout(Int64, provider: String, amount: Int64, withheld: Int64)
        /// What a provider paid back of a claim.
        case repayment(provider: String, amount: Int64, paidAt: Date, bankReference: String)
        /// What was adjusted.
        case adjustment(Adjustment)
        /// What was revalued: the entry books it, or takes it back.
        case revaluation(Revaluation)
        /// The gift, whose coins they were, who has them now, and the purchase for whose refund they came back.
        case gift(Int64, from: UserID, to: UserID, purchaseID: Int64?)
        /// The line of the settlement file, and the payment that it is for.
        case settlement(SettlementLine, Purchase)
    }

    /// What the gateway or finance decided of a refund.
    package struct Decision: Sendable {
        /// Why it refused; nil: it did not.
        package let refusal: String?
        /// The gateway's own code of the refusal.
        package let gatewayCode: String?
        /// The gateway's id of the cancellation.
        package let cancellationID: String?
        /// When the bank paid it; nil: it did not.
        package let paidAt: Date?
        /// What the bank's statement says of the payment.
        package let bankReference: String?
        /// When the money came back to our bank; nil: it was not paid back.
        package let repaidAt: Date?
        /// What the bank's statement says of the repayment.
        package let repaymentReference: String?
    }
}

/// What an entry did to a user's coins: positive for more, negative for fewer.
package struct CoinChange: Sendable, Equatable {
    /// Paid coins in the wallet.
    package let paid: Int64
    /// Bonus coins in the wallet.
    package let bonus: Int64
    /// Held coins, paid and bonus.
    package let held: Int64
    /// Coins that the user owes.
    package let debt: Int64
}

/// Something that happened and is no journal entry, as it was then.
package struct Occurrence: Sendable {
    /// What it happened to, such as `finding:12`.
    package let subject: String
    /// What the database told of it: a JSON object.
    ///
    /// Times are microseconds since 1970.
    let detail: String

    package init(subject: String, detail: String) {
        self.subject = subject
        self.detail = detail
    }

    /// Reads what was told of it.
    ///
    /// - Parameter names: the names that members have in `Told`, by their stored ones, where these differ.
    /// - Throws: ``LedgerError/Code/fault`` if a member is missing or is not what it should be.
    package func decode<Told: Decodable>(
        _: Told.Type = Told.self, renaming names: [String: String] = [:]
    ) throws(LedgerError) -> Told {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            Date(microsecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
        }
        if !names.isEmpty {
            decoder.keyDecodingStrategy = .custom { path in
                StoredKey(path.last.map { names[$0.stringValue] ?? $0.stringValue } ?? "")
            }
        }
        do {
            return try decoder.decode(Told.self, from: Data(detail.utf8))
        } catch {
            throw .unreadable("occurrence", "of \(subject)")
        }
    }

    /// The name of a member.
    private struct StoredKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
