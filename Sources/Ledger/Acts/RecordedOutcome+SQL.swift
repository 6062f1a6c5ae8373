import Foundation
import Postgres

extension RecordedOutcome {
    /// The outcomes recorded under these keys.
    ///
    /// `OFFSET 0` keeps the look-ups by key in a plan that PostgreSQL made while the table was new (decision 0002).
    static func under(_ keys: [CallerKey]) -> PostgresQuery<[RecordedOutcome]> {
        PostgresQuery(
            """
            SELECT found.*
            FROM unnest($1::text[], $2::text[]) AS asked (key, caller)
            CROSS JOIN LATERAL (
                SELECT key, caller, command, fingerprint, outcome FROM idempotency
                WHERE idempotency.key = asked.key AND idempotency.caller = asked.caller
                OFFSET 0
            ) AS found
            """,
            [keys.map(\.text), keys.map(\.caller.rawValue)],
            row: decode)
    }

    /// What a key was first used for.
    static func use(of key: CallerKey) -> PostgresQuery<KeyUse?> {
        .first(
            "SELECT command, recorded_at, journal_entry_id FROM idempotency WHERE key = $1 AND caller = $2",
            [key.text, key.caller.rawValue]
        ) { row in try row.make(KeyUse.init) }
    }

    static let insert = BulkInsert<RecordedOutcome>(
        into: "idempotency",
        [
            .init("key", \.key.text), .init("caller", \.key.caller), .init("command", \.act),
            .init("fingerprint", \.fingerprint.text), .init("outcome", \.outcome),
            .init("journal_entry_id", \.journalEntryID),
        ],
        and: ["recorded_at": "$7"])

    private static func decode(_ row: borrowing PostgresRow) throws -> RecordedOutcome {
        guard let key = CallerKey(try row[0], of: try row[1]) else {
            throw UnreadableColumn(column: 0, type: "CallerKey")
        }
        return RecordedOutcome(
            key: key, act: try row[2], fingerprint: Fingerprint(text: try row[3]),
            outcome: try row[4])
    }
}
