package import Foundation
import Postgres

/// Gives back what the last ``ClawBack`` of a purchase took, because the store took its refund back.
///
/// The entry is that of a dispute that is won after its loss: ``Plan/giveBack(_:of:because:grace:)``. What the store still
/// gave back of it is clawed back at once, so that nobody can spend its coins. The act has no idempotency key: a
/// claw-back is reversed once.
package struct ReverseClawBack: UserAct, Hashable {
    package var user: UserID
    package let purchaseID: Int64
    /// What was read of the books before the store was asked: if they changed since, its answer may be the older one.
    package let clawBack: ReversibleClawBack
    /// What was cancelled of the purchase by the books then, in won.
    package let cancelledAmount: Int64
    /// What the store says, as a claw-back of it.
    package let told: ClawBack
    /// When the store signed that the refund does not stand.
    package let toldAt: Date
    /// The seconds for which coins of expired lots can be used that come back; 0: they expire at once.
    package let grace: Int64

    package init(
        _ clawBack: ReversibleClawBack, of purchase: Purchase, told: ClawBack, toldAt: Date, grace: Int64
    ) {
        user = purchase.user
        purchaseID = purchase.id
        self.clawBack = clawBack
        cancelledAmount = purchase.cancelledAmount
        self.told = told
        self.toldAt = toldAt
        self.grace = grace
    }
}

/// A claw-back that can be reversed.
package struct ReversibleClawBack: Sendable, Hashable {
    /// Its entry.
    package let journalEntryID: Int64
    /// The lots of its purchase.
    package let lots: [Int64]
}

/// The result of reversing a claw-back.
package struct ClawBackReversed: Sendable, Equatable {
    package enum Result: Sendable, Equatable {
        case givenBack
        /// The books changed after they were read, so nothing was given back.
        case outdated
        /// The purchase's lots have no place for the coins, or a dispute of it is booked as lost: nothing was given back.
        case noPlace
    }

    package let result: Result
    /// The purchase after the act.
    package let purchase: Purchase
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension ReverseClawBack {
    package var touches: Touches {
        Touches(
            systemAccounts: SystemAccount.receivables + [
                .coinsIssued, .coinsPromotions, .coinsExpired, .deferredRevenue, .revenue, .breakage, .coinsWrittenOff,
            ],
            userLots: .first, purchase: purchaseID, purchaseLots: clawBack.lots, restores: true, debtHistory: true)
    }

    /// It is a claw-back, too.
    package var mostIDs: Int { 2 * Plan.mostIDs }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<ClawBackReversed> {
        try books.reverseClawBack(self)
    }
}

extension Plan {
    fileprivate mutating func reverseClawBack(
        _ act: ReverseClawBack
    ) throws(LedgerError) -> Answer<ClawBackReversed> {
        guard let purchase = purchases.purchase(act.purchaseID, of: act.user) else {
            return .refused(.noSuchPurchase)
        }
        func nothing(_ result: ClawBackReversed.Result) -> Answer<ClawBackReversed> {
            .unchanged(ClawBackReversed(result: result, purchase: purchase, balance: balance(of: act.user)))
        }
        guard let loss = purchases.lastClawBack(of: purchase), loss.journalEntryID == act.clawBack.journalEntryID,
            purchase.cancelledAmount == act.cancelledAmount
        else { return nothing(.outdated) }
        let isFrozen = disputes.frozen(of: purchase) != FrozenCoins()
        // By that, the buyer has all of the money.
        guard !disputes.isBookedAsLost(of: purchase.id), lots.of(purchase).count == (purchase.bonusCoins > 0 ? 2 : 1),
            let given = try giveBack(loss, of: purchase, because: nil, grace: act.grace)
        else { return nothing(.noPlace) }
        purchases.note(
            ClawBackReversal(
                journalEntryID: given.journalEntryID, clawBackID: loss.journalEntryID, purchaseID: purchase.id,
                toldAt: act.toldAt))
        var after = given.purchase
        if let part = due(of: after, by: act.told) {
            // Until now all of it was refunded: of a day before, both would be more than was paid.
            after = takeBack(part, of: after, usedBonus: act.told.usedBonus).purchase
        }
        settleDisputes(of: after, freezes: isFrozen || act.told.freezes)
        return .done(ClawBackReversed(result: .givenBack, purchase: after, balance: balance(of: act.user)))
    }
}

// MARK: - The fact

/// That a claw-back was reversed because the store took its refund back.
struct ClawBackReversal: Sendable, Equatable {
    /// The entry of the reversal.
    let journalEntryID: Int64
    /// The entry of the claw-back.
    let clawBackID: Int64
    let purchaseID: Int64
    let toldAt: Date

    static func insert(_ reversals: [ClawBackReversal]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO claw_back_reversal (journal_entry_id, claw_back_id, purchase_id, told_at)
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::timestamptz[])
            """,
            [
                reversals.map(\.journalEntryID), reversals.map(\.clawBackID), reversals.map(\.purchaseID),
                reversals.map(\.toldAt),
            ])
    }

    /// When stores last signed that refunds of these payments do not stand.
    static func last(of payments: [PaymentIdentity]) -> PostgresQuery<[(purchaseID: Int64, toldAt: Date)]> {
        PostgresQuery(
            """
            SELECT purchase.id, reversal.told_at
            FROM unnest($1::text[], $2::text[]) AS asked (gateway, imp_uid)
            CROSS JOIN LATERAL (
                SELECT id FROM purchase
                WHERE purchase.imp_uid = asked.imp_uid AND purchase.gateway = asked.gateway OFFSET 0
            ) AS purchase
            CROSS JOIN LATERAL (
                SELECT told_at FROM claw_back_reversal WHERE purchase_id = purchase.id ORDER BY told_at DESC LIMIT 1
            ) AS reversal
            """,
            [payments.map(\.gateway), payments.map(\.paymentID)]
        ) { row in (try row[0], try row[1]) }
    }
}

// MARK: - What can be reversed

extension Purchases {
    /// The last claw-back of a purchase, if a store's reversal of its refund can reverse it; nil: there is none, or a person
    /// gave back by hand (``Findings/settledByHand(_:)``).
    package func reversibleClawBack(of purchase: Purchase) async throws(LedgerError) -> ReversibleClawBack? {
        try await reading {
            let last = ReversibleClawBack.entry(reversing: purchase.journalEntryID, purchase.payment)
            guard let entry = try await pools.reads.run(last) else { return nil }
            return ReversibleClawBack(journalEntryID: entry, lots: try await pools.lots(of: purchase))
        }
    }
}

extension ReversibleClawBack {
    /// The last claw-back of the purchase that this entry credited.
    static func entry(reversing purchase: Int64, _ payment: PaymentIdentity) -> PostgresQuery<Int64?> {
        .first(
            """
            SELECT entry.id FROM (\(ClawBackLoss.lastEntry(reversing: "$1"))) AS entry
            WHERE NOT EXISTS (\(FindingAct.settlements("$2", "$3")))
            """, [purchase, payment.paymentID, payment.gateway])
    }
}
