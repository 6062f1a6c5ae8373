package import Foundation
import Postgres

/// A line of a provider's account: what changed what is owed to the provider.
package struct ProviderAccountLine: Sendable, Equatable {
    /// What happened.
    package enum Kind: String, Sendable {
        case capture
        case captureReversal = "capture_reversal"
        case repayment
        case payout
    }

    package let kind: Kind
    /// The entry of the capture, reversal or repayment; for a payout, its first entry.
    package let journalEntryID: Int64
    /// The entry of the capture, for a capture or reversal.
    package let captureID: Int64?
    /// The payout that pays the share or nets the repayment off; for a payout, itself.
    package let payoutID: Int64?
    /// The version of the terms, for a capture or reversal.
    package let termsID: Int64?
    /// What was sold, if the capture names it.
    package let item: String?
    /// The won that were recognised, deferred again or paid back; for a payout, what is paid before taxes.
    package let won: Int64
    /// What it adds to what is owed: below zero for reversals and payouts.
    package let change: Int64
    package let recordedAt: Date
    /// What is owed after it; below zero: a claim on the provider.
    package let balance: Int64
}

/// Where the next page of a provider's account begins: after this line.
package struct ProviderAccountCursor: Sendable, Codable, Equatable {
    let recordedAt: CursorMoment
    let journalEntryID: Int64
    /// What was owed before the last line.
    let balance: Int64

    init(after line: ProviderAccountLine) {
        recordedAt = CursorMoment(line.recordedAt)
        journalEntryID = line.journalEntryID
        balance = line.balance - line.change
    }
}

extension ProviderAccountLine {
    /// The lines of a provider, newest first.
    ///
    /// The balance after the first line is that of the accounts, or of the cursor. Returns up to `limit` + 1 rows, to
    /// show whether there are more.
    static func list(
        of provider: UserID, _ payables: [AccountCode], before cursor: ProviderAccountCursor?, limit: Int
    ) -> PostgresQuery<[ProviderAccountLine]> {
        PostgresQuery(
            """
            WITH line AS (
                (
                    SELECT CASE WHEN journal_entry_id = capture_id THEN 'capture' ELSE 'capture_reversal' END AS kind,
                        journal_entry_id, capture_id, payout_id, terms_id, product, amount AS won,
                        CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END AS change, recorded_at
                    FROM provider_share
                    WHERE provider = $1 AND (recorded_at, journal_entry_id) < ($3, $4)
                    ORDER BY recorded_at DESC, journal_entry_id DESC LIMIT $6
                )
                UNION ALL
                (
                    SELECT 'repayment', journal_entry_id, NULL, payout_id, NULL, NULL, amount, amount, recorded_at
                    FROM provider_repayment
                    WHERE provider = $1 AND (recorded_at, journal_entry_id) < ($3, $4)
                    ORDER BY recorded_at DESC, journal_entry_id DESC LIMIT $6
                )
                UNION ALL
                SELECT * FROM (
                    SELECT 'payout', min(booked.journal_entry_id) AS first, NULL::bigint, booked.payout_id, NULL::bigint,
                        NULL::text, sum(booked.amount)::bigint, -sum(booked.amount)::bigint, max(entry.recorded_at) AS at
                    FROM payout_entry AS booked
                    JOIN journal_entry AS entry ON entry.id = booked.journal_entry_id
                    WHERE booked.provider = $1
                    GROUP BY booked.payout_id
                ) AS paid
                WHERE (at, first) < ($3, $4)
            )
            SELECT kind, journal_entry_id, capture_id, payout_id, terms_id, product, won, change, recorded_at,
                (coalesce($5, (SELECT sum(balance) FROM account WHERE code = ANY($2)))
                    - coalesce(sum(change) OVER (
                        ORDER BY recorded_at DESC, journal_entry_id DESC
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))::bigint
            FROM line
            ORDER BY recorded_at DESC, journal_entry_id DESC
            LIMIT $6
            """,
            [
                provider.rawValue, payables.map(\.rawValue), cursor?.recordedAt.date ?? .endOfHistory,
                cursor?.journalEntryID ?? Int64.max, cursor?.balance, Int64(limit + 1),
            ]
        ) { row in try row.make(ProviderAccountLine.init) }
    }
}

extension ProviderAccountLine.Kind: PostgresRawRepresentable {}
