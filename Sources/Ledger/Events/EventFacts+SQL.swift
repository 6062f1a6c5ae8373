import Foundation
import Postgres

extension EventFacts {
    /// The queries of all that the rows are about, each by key whatever the statistics say (decision 0002).
    static func lookUps(for rows: [EventRow]) -> [PostgresQuery<Part>] {
        let purchases = rows.compactMap { $0.id(of: "purchase") }
        let holds = rows.compactMap { $0.id(of: "hold") }
        let refunds = rows.compactMap { $0.id(of: "refund") }
        let lots = rows.compactMap { $0.id(of: "lot") }
        let lines = rows.compactMap(\.settlementLineID)
        var lookUps: [PostgresQuery<Part>] = []
        if !purchases.isEmpty || !refunds.isEmpty {
            lookUps.append(Purchase.find(purchases, ofRefunds: refunds).map(Part.purchases))
            lookUps.append(reversals(rows.ids(about: .clawBack)).map(Part.reversals))
        }
        if !refunds.isEmpty {
            lookUps.append(Refund.find(refunds, undecidedOf: [], and: []).map(Part.refunds))
            lookUps.append(decisions(rows.ids(about: .refund)).map(Part.decisions))
        }
        if !holds.isEmpty {
            lookUps.append(Hold.find(holds).map(Part.holds))
            let placed = rows.filter { $0.kind?.row.lots == .held }.compactMap { $0.id(of: "hold") }
            if !placed.isEmpty { lookUps.append(lotsOfHolds(placed).map(Part.lotsOfHolds)) }
            lookUps.append(movedOfHolds(rows.ids(about: .hold)).map(Part.movedOfHolds))
        }
        let used = rows.ids(with: .used)
        if !used.isEmpty { lookUps.append(outcomes(used).map(Part.outcomes)) }
        let returned = rows.ids(with: .returned)
        if !returned.isEmpty { lookUps.append(reversed(returned).map(Part.reversed)) }
        let tellings: [Telling] = [
            (.debtPayment, debtPayments), (.payout, payouts), (.repayment, repayments), (.gift, gifts),
        ]
        for (fact, query) in tellings {
            let entries = rows.ids(about: fact)
            if !entries.isEmpty { lookUps.append(query(entries).map(Part.ofOneRow)) }
        }
        let adjustments = rows.compactMap { $0.id(of: "adjustment") }
        if !adjustments.isEmpty { lookUps.append(Adjustment.find(adjustments).map(Part.adjustments)) }
        let revaluations = rows.compactMap { $0.id(of: "revaluation") }
        if !revaluations.isEmpty { lookUps.append(Revaluation.find(revaluations).map(Part.revaluations)) }
        if !lots.isEmpty {
            lookUps.append(Lot.find(lots, ofHolds: []).map(Part.lots))
            lookUps.append(firstExpiries(of: lots).map(Part.firstExpiries))
        }
        if !lines.isEmpty { lookUps.append(SettlementLine.of(lines, []).map(Part.settlementLines)) }
        let owned = rows.filter(\.isOfUsersEntry)
        if !owned.isEmpty { lookUps.append(accounts(owned).map(Part.accounts)) }
        return lookUps
    }

    /// A fact that one row tells whole, and the query of these rows.
    private typealias Telling = (
        fact: EntryKind.Fact, query: ([Int64]) -> PostgresQuery<[(entry: Int64, fact: EventEntry.Fact)]>
    )

    private static func reversals(_ entries: [Int64]) -> PostgresQuery<[PurchaseReversal]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, foreign_amount
            FROM purchase_reversal WHERE journal_entry_id = ANY($1)
            """,
            [entries]
        ) { row in
            PurchaseReversal(
                journalEntryID: try row[0], purchaseID: try row[1], amount: try row[2],
                foreignAmount: try row[6], coins: try row[3], bonusCoins: try row[4], chargedCoins: try row[5])
        }
    }

    private static func decisions(
        _ entries: [Int64]
    ) -> PostgresQuery<[(entry: Int64, decision: EventEntry.Decision)]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, refusal, refusal_code, cancellation_id, paid_at, bank_reference, repaid_at,
                repayment_reference
            FROM refund_decision
            WHERE journal_entry_id = ANY($1)
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                decision: EventEntry.Decision(
                    refusal: try row[1], gatewayCode: try row[2], cancellationID: try row[3], paidAt: try row[4],
                    bankReference: try row[5], repaidAt: try row[6], repaymentReference: try row[7])
            )
        }
    }

    private static func debtPayments(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, fact: EventEntry.Fact)]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, coins, amount, paid_at, bank_reference FROM debt_bank_payment
            WHERE journal_entry_id = ANY($1)
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                fact: .debtPayment(
                    coins: try row[1], amount: try row[2], paidAt: try row[3], bankReference: try row[4])
            )
        }
    }

    private static func payouts(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, fact: EventEntry.Fact)]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, payout_id, provider, amount, tax FROM payout_entry
            WHERE journal_entry_id = ANY($1)
            ORDER BY journal_entry_id
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                fact: .payout(try row[1], provider: try row[2], amount: try row[3], withheld: try row[4])
            )
        }
    }

    private static func repayments(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, fact: EventEntry.Fact)]> {
        PostgresQuery(
            """
            SELECT journal_entry_id, provider, amount, paid_at, bank_reference FROM provider_repayment
            WHERE journal_entry_id = ANY($1)
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                fact: .repayment(
                    provider: try row[1], amount: try row[2], paidAt: try row[3], bankReference: try row[4])
            )
        }
    }

    private static func gifts(_ entries: [Int64]) -> PostgresQuery<[(entry: Int64, fact: EventEntry.Fact)]> {
        PostgresQuery(
            """
            SELECT asked.entry, gift.id, from_user, to_user, purchase_id
            FROM (SELECT DISTINCT entry FROM unnest($1::int8[]) AS told (entry)) AS asked
            CROSS JOIN LATERAL (
                (SELECT * FROM gift WHERE sent_entry_id = asked.entry ORDER BY sent_entry_id)
                UNION ALL
                (SELECT * FROM gift WHERE received_entry_id = asked.entry ORDER BY received_entry_id)
            ) AS gift
            """,
            [entries]
        ) { row in
            (
                entry: try row[0],
                fact: .gift(try row[1], from: try row[2], to: try row[3], purchaseID: try row[4])
            )
        }
    }

    /// The users' accounts after each event, and what its entry did to them.
    private static func accounts(
        _ rows: [EventRow]
    ) -> PostgresQuery<[(event: Int64, code: AccountCode, line: Line)]> {
        PostgresQuery(
            """
            SELECT asked.seq, account.code, posting.balance,
                CASE WHEN posting.journal_entry_id <> asked.id THEN 0
                    WHEN posting.side = account.normal_side THEN posting.amount ELSE -posting.amount END
            FROM unnest($1::int8[], $2::int8[], $3::text[]) AS asked (seq, id, user_id)
            CROSS JOIN LATERAL (
                SELECT id, code, normal_side FROM account WHERE owner = asked.user_id AND \(AccountSQL.isOfUser) OFFSET 0
            ) AS account
            CROSS JOIN LATERAL (
                SELECT journal_entry_id, side, amount, balance FROM posting
                WHERE posting.account_id = account.id AND posting.seq = posting_seq_at_event(account.id, asked.seq)
                OFFSET 0
            ) AS posting
            """,
            [rows.map(\.seq), rows.map(\.id), rows.map { $0.user?.rawValue }]
        ) { row in
            (
                event: try row[0], code: AccountCode(rawValue: try row[1]),
                line: Line(balance: try row[2], change: try row[3])
            )
        }
    }
}

extension EventRow {
    /// Whether it is an entry on a user's coins.
    fileprivate var isOfUsersEntry: Bool {
        guard case .entry = source else { return false }
        return user != nil
    }
}

extension [EventRow] {
    /// The ids of the entries that are about this.
    fileprivate func ids(about fact: EntryKind.Fact) -> [Int64] {
        filter { $0.kind?.row.fact == fact }.map(\.id)
    }

    /// The ids of the entries whose events name these lots.
    fileprivate func ids(with lots: EntryKind.Lots) -> [Int64] {
        filter { $0.kind?.row.lots == lots }.map(\.id)
    }
}
