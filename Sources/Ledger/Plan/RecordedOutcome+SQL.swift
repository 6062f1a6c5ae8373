import Foundation
import Postgres

extension RecordedOutcome {
    /// The outcomes recorded under these keys.
    static func under(_ keys: [IdempotencyKey]) -> PostgresQuery<[RecordedOutcome]> {
        PostgresQuery(
            "SELECT key, command, fingerprint, outcome FROM idempotency WHERE key = ANY($1)", [keys.map(\.rawValue)],
            row: decode)
    }

    static func insert(_ outcomes: [RecordedOutcome], at recordedAt: Date) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO idempotency (key, command, fingerprint, outcome, journal_entry_id, recorded_at)
            SELECT key, command, fingerprint, outcome, journal_entry_id, $6
            FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::int8[])
                AS new (key, command, fingerprint, outcome, journal_entry_id)
            """,
            [
                outcomes.map(\.key.rawValue), outcomes.map(\.command.rawValue), outcomes.map(\.fingerprint),
                outcomes.map(\.outcome.json), outcomes.map(\.outcome.journalEntryID), recordedAt,
            ])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> RecordedOutcome {
        RecordedOutcome(
            key: try row.decode(0, as: IdempotencyKey.self),
            command: try row.decode(1, as: JournalEntry.Kind.self),
            fingerprint: try row.decode(2, as: String.self),
            outcome: try row.decodeJSON(3, as: Granted.self))
    }
}

extension Granted {
    fileprivate var json: PostgresJSON {
        do {
            return PostgresJSON(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
        } catch {
            preconditionFailure("integers and booleans always encode: \(error)")
        }
    }
}
