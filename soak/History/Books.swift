package import Foundation

/// What the database holds when everything has come to rest, read from its tables.
package struct Books: Codable, Sendable {
    /// A journal entry with its effect on one user's accounts.
    package struct Entry: Codable, Hashable, Sendable {
        package var id: Int64
        package var transaction: Int64
        /// When the transaction was committed, in microseconds, by the primary's clock.
        package var committedAt: Int64
        /// The kind; of a merge, `merge_sent` of the former user and `merge_received` of the other one.
        package var kind: String
        /// Such as `purchase:4097`.
        package var reference: String
        /// The reason; the clients give the key of their act.
        package var reason: String?
        package var recordedAt: Date
        package var user: String
        package var lines: [Line]

        package init(
            id: Int64, transaction: Int64, committedAt: Int64, kind: String, reference: String, reason: String?,
            recordedAt: Date, user: String, lines: [Line]
        ) {
            self.id = id
            self.transaction = transaction
            self.committedAt = committedAt
            self.kind = kind
            self.reference = reference
            self.reason = reason
            self.recordedAt = recordedAt
            self.user = user
            self.lines = lines
        }
    }

    /// A posting to one of a user's accounts.
    package struct Line: Codable, Hashable, Sendable {
        /// The account's code without the user: `wallet:paid`, `wallet:bonus`, `held:paid`, `held:bonus`, `debt`.
        package var account: String
        /// The place in the account's history, from 1.
        package var place: Int64
        /// The change of the balance.
        package var change: Int64
        /// The balance after it.
        package var balance: Int64

        package init(account: String, place: Int64, change: Int64, balance: Int64) {
            self.account = account
            self.place = place
            self.change = change
            self.balance = balance
        }
    }

    /// A recorded idempotency key.
    package struct Key: Codable, Hashable, Sendable {
        package var key: String
        package var entry: Int64?

        package init(key: String, entry: Int64?) {
            self.key = key
            self.entry = entry
        }
    }

    package struct Purchase: Codable, Hashable, Sendable {
        package var id: Int64
        package var user: String
        package var merchantUID: String
        package var entry: Int64
        package var amount: Int64
        package var coins: Int64
        package var bonus: Int64
        /// The money that went back.
        package var refunded: Int64

        package init(
            id: Int64, user: String, merchantUID: String, entry: Int64, amount: Int64, coins: Int64, bonus: Int64,
            refunded: Int64
        ) {
            self.id = id
            self.user = user
            self.merchantUID = merchantUID
            self.entry = entry
            self.amount = amount
            self.coins = coins
            self.bonus = bonus
            self.refunded = refunded
        }
    }

    package struct Refund: Codable, Hashable, Sendable {
        package var id: Int64
        package var purchase: Int64
        package var coins: Int64
        package var status: String

        package init(id: Int64, purchase: Int64, coins: Int64, status: String) {
            self.id = id
            self.purchase = purchase
            self.coins = coins
            self.status = status
        }
    }

    /// The debits and credits of all accounts in a currency.
    package struct Total: Codable, Hashable, Sendable {
        package var currency: String
        package var debits: Int64
        package var credits: Int64

        package init(currency: String, debits: Int64, credits: Int64) {
            self.currency = currency
            self.debits = debits
            self.credits = credits
        }
    }

    package var entries: [Entry] = []
    package var keys: [Key] = []
    package var purchases: [Purchase] = []
    package var refunds: [Refund] = []
    /// The won that each claw-back took, by its entry.
    package var clawBacks: [Int64: Int64] = [:]
    /// The voids of all that a grant had, by their entries.
    package var wholeVoids: Set<Int64> = []
    /// Who was merged, and into whom.
    package var merges: [String: String] = [:]
    /// The `merchant_uid`s of the orders.
    package var orders: [String] = []
    package var trialBalance: [Total] = []

    package init() {}
}

/// A payment as the gateway has it when everything has come to rest.
package struct PaymentRecord: Codable, Hashable, Sendable {
    package let merchantUID: String
    /// The money paid, before cancellations; 0 if it was never paid.
    package let paid: Int64
    /// The money that went back.
    package let cancelled: Int64

    package init(merchantUID: String, paid: Int64, cancelled: Int64) {
        self.merchantUID = merchantUID
        self.paid = paid
        self.cancelled = cancelled
    }
}
