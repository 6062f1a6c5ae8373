import Foundation
import Postgres

// The statements that write each part of a plan. A part without rows has none.

extension PostgresQuery<Int> {
    fileprivate static func facts<Row>(_ rows: [Row], _ insert: ([Row]) -> PostgresQuery<Int>) -> [PostgresQuery<Int>] {
        rows.isEmpty ? [] : [insert(rows)]
    }

    fileprivate static func facts<Row>(_ rows: [Row], _ insert: BulkInsert<Row>) -> [PostgresQuery<Int>] {
        facts(rows) { insert($0) }
    }
}

extension PlannedJournal {
    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(Array(accounts.opened), Account.insert) + PostgresQuery.facts(entries, JournalEntry.insert)
            + PostgresQuery.facts(postings, Posting.insert)
    }
}

extension PlannedPurchases {
    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new.map { ($0, Stripe(of: $0.user, among: stripes)) }, Purchase.insert)
    }

    /// To be written after the lots' movements: the database checks them against the lots.
    var reversalFacts: [PostgresQuery<Int>] { PostgresQuery.facts(reversals, PurchaseReversal.insert) }
}

extension PlannedLots {
    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(new, Lot.insert) + PostgresQuery.facts(movements, LotMovement.insert)
    }
}

extension PlannedHolds {
    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new.map { ($0, Stripe(of: $0.user, among: stripes)) }, Hold.insert)
            + PostgresQuery.facts(newLots, HoldLot.insert) + PostgresQuery.facts(events, HoldEvent.insert)
    }
}

extension PlannedRefunds {
    func facts(among stripes: Int64, leasedTo holder: Int64?) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new) { refunds in
            Refund.insert(
                refunds.map { ($0, Stripe(of: $0.refund.user, among: stripes)) }, PendingRefund.lease.milliseconds,
                holder)
        } + decisionsInTurn.flatMap { PostgresQuery.facts($0, RefundDecision.insert) }
    }

    /// The decisions in parts with one of each refund at most, because the database checks each statement as a whole.
    ///
    /// A refund that is paid and repaid in one batch has two.
    private var decisionsInTurn: [[RefundDecision]] {
        var parts: [[RefundDecision]] = []
        var places: [Int64: Int] = [:]
        for decision in decisions {
            let place = places[decision.refund.id] ?? 0
            if place == parts.count { parts.append([]) }
            parts[place].append(decision)
            places[decision.refund.id] = place + 1
        }
        return parts
    }
}

extension PlannedDisputes {
    /// To be written after the purchases' reversals: the database checks decisions against them.
    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        let disputes = PostgresQuery.facts(new) { disputes in
            Dispute.insert(disputes, stripes: disputes.map { Stripe(of: $0.user, among: stripes) })
        }
        return disputes + PostgresQuery.facts(freezes, CoinFreeze.insert)
            + PostgresQuery.facts(decisions, DisputeDecision.insert) + PostgresQuery.facts(wins, DisputeWin.insert)
    }
}

extension Plan {
    /// To be written after the postings: the database checks them against each other.
    var debtFacts: [PostgresQuery<Int>] { PostgresQuery.facts(debtPayments, DebtPaidByBank.insert) }
}

extension PlannedProviders {
    /// To be written after the postings: the database checks them against each other.
    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(shares, ProviderShareRecord.insert)
            + PostgresQuery.facts(repayments, ProviderRepaymentRecord.insert)
    }
}

extension PlannedSettlements {
    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(changed, SettlementLine.update) }
}

extension PlannedRedemptions {
    /// To be written after the lots' movements and the purchases' reversals: the database checks them against both.
    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(returns, CoinReturn.insert) }
}

extension PlannedOutcomes {
    func facts(at recordedAt: Date) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new) { RecordedOutcome.insert($0, recordedAt) }
    }
}
