package import Foundation

/// A store asks what the shop says to a refund of a purchase, until a deadline.
package struct RefundQuestion: WorkItem, Equatable {
    package enum Status: String, Sendable, CaseIterable {
        /// It is answered when its time has come.
        case waiting
        /// The store has the answer.
        case answered
        /// Its time ended, and the user did not consent to tell the store anything.
        case unconsented
        /// Its time ended, and the store could not be told.
        case unanswered
        /// The store decided before it was answered.
        case ended
    }

    /// What the store did.
    package enum Outcome: String, Sendable, CaseIterable {
        /// It gave money back, whole or in part.
        case refunded
        /// It refused.
        case declined
    }

    package typealias Decision = Status

    package let id: Int64
    package let purchaseID: Int64
    package let gateway: String
    /// What the store calls the question.
    package let token: String
    /// Why the buyer asks, as the store says it; nil: it does not say.
    package let storeReason: String?
    package let askedAt: Date
    package let deadline: Date
    package let status: Status
    /// Why it waits, or what came of it.
    package let reason: String
    package let attempts: Int64
    package let nextAttemptAt: Date
    /// When it was answered, or ended without an answer; nil: it waits.
    package let decidedAt: Date?
    /// The answer, which is kept before it is sent; nil: it is made when it is sent.
    package let answer: RefundAnswer?
    /// What a person chose in place of the rule; nil: nobody did.
    package let overruling: Overruling?
    /// Nil: nothing is known of what the store did.
    package let outcome: Outcome?
    package let outcomeAt: Date?

    /// What a person chose in place of the rule.
    package struct Overruling: Sendable, Equatable {
        package let preference: RefundPreference
        package let by: String
        package let reason: String
        package let at: Date

        package init(preference: RefundPreference, by: String, reason: String, at: Date) {
            self.preference = preference
            self.by = by
            self.reason = reason
            self.at = at
        }
    }
}

/// A question to store.
package struct RefundQuestionDraft: Sendable, Equatable {
    package let purchaseID: Int64
    package let gateway: String
    package let token: String
    package let storeReason: String?
    package let askedAt: Date
    package let deadline: Date
    /// When it is answered.
    package let answeredFrom: Date

    package init(
        purchaseID: Int64, gateway: String, token: String, storeReason: String?, askedAt: Date, deadline: Date,
        answeredFrom: Date
    ) {
        self.purchaseID = purchaseID
        self.gateway = gateway
        self.token = token
        self.storeReason = storeReason
        self.askedAt = askedAt
        self.deadline = deadline
        self.answeredFrom = answeredFrom
    }
}

/// What the shop would do about a refund that a store decides.
package enum RefundPreference: String, Sendable, CaseIterable {
    /// Give all back.
    case grantFull = "grant_full"
    /// Give the unused part back.
    case grantProrated = "grant_prorated"
    /// Give nothing back.
    case decline
}

/// What a store is told.
package struct RefundAnswer: Sendable, Equatable {
    package let preference: RefundPreference
    /// The used part, in thousandths of a percent; nil: it is not told.
    package let percentage: Int64?

    package init(preference: RefundPreference, percentage: Int64?) {
        self.preference = preference
        self.percentage = percentage
    }

    /// The answer by the rule, or as a person chose.
    ///
    /// - Parameter isUseTold: whether the store may be told how much was used. Otherwise the rule's answer does not depend on it.
    package init(of coins: PurchasedCoins, overruledTo chosen: RefundPreference?, isUseTold: Bool) {
        percentage = isUseTold ? coins.percentage : nil
        let wanted = chosen ?? percentage.map { RefundPreference(used: $0) } ?? .grantProrated
        // Of what is unused, the unused part is all; stores refuse a part of nothing.
        preference = wanted == .grantProrated && percentage == 0 ? .grantFull : wanted
    }
}

extension RefundPreference {
    /// The rule: unused coins go back, and used ones do not.
    ///
    /// - Parameter used: in thousandths of a percent.
    package init(used: Int64) {
        self = used == 0 ? .grantFull : used >= PurchasedCoins.whole ? .decline : .grantProrated
    }
}

/// What became of the paid coins of a purchase of which the store still has the money: those that it gave back do not count.
///
/// Coins that went back by bank transfer count as used, because the store must not give their money back too.
package struct PurchasedCoins: Sendable, Equatable {
    /// All of it, in thousandths of a percent.
    static let whole: Int64 = 100_000

    package let coins: Int64
    /// In a wallet or on hold, also of another user who was given them.
    package let unused: Int64
    package let expired: Int64

    package var used: Int64 { max(0, coins - unused - expired) }

    /// The used part in thousandths of a percent, rounded down.
    package var percentage: Int64 { coins > 0 ? Self.whole.share(min(used, coins), of: coins) : Self.whole }

    init(coins: Int64, unused: Int64, expired: Int64) {
        self.coins = coins
        self.unused = unused
        self.expired = expired
    }

    /// - Parameter lots: those with coins left or expired ones; others are used.
    init(of purchase: Purchase, _ lots: [Lot]) {
        let paid = lots.filter { $0.kind == .paid && $0.purchaseOfCoins == purchase.id }
        // Refunded coins are also those of bank transfers: then what the store gave back is the share of its money.
        let givenBack =
            purchase.transferredAmount > 0
            ? purchase.coins.share(purchase.cancelledAmount, of: purchase.amount) : purchase.refundedCoins
        self.init(
            coins: purchase.coins - givenBack,
            unused: paid.reduce(0) { $0 + $1.remaining + $1.held },
            expired: paid.reduce(0) { $0 + $1.expired })
    }
}
