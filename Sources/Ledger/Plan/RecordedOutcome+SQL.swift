import Foundation
import Postgres

extension RecordedOutcome {
    /// The outcomes recorded under these keys.
    static func under(_ keys: [IdempotencyKey]) -> PostgresQuery<[RecordedOutcome]> {
        PostgresQuery(
            """
            SELECT key, caller, command, fingerprint, outcome
            FROM unnest($1::text[], $2::text[]) AS asked (key, caller)
            JOIN idempotency USING (key, caller)
            """,
            [keys.map(\.text), keys.map(\.caller.rawValue)],
            row: decode)
    }

    static func insert(_ outcomes: [RecordedOutcome], at recordedAt: Date) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO idempotency (key, caller, command, fingerprint, outcome, journal_entry_id, recorded_at)
            SELECT key, caller, command, fingerprint, outcome, journal_entry_id, $7
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::int8[])
                AS new (key, caller, command, fingerprint, outcome, journal_entry_id)
            """,
            [
                outcomes.map(\.key.text), outcomes.map(\.key.caller.rawValue), outcomes.map(\.command),
                outcomes.map(\.fingerprint.text), outcomes.map { PostgresJSON(encoding: $0.outcome) },
                outcomes.map(\.outcome.journalEntryID),
                recordedAt,
            ])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> RecordedOutcome {
        guard let key = IdempotencyKey(try row.decode(0, as: String.self), of: try row.decode(1)) else {
            throw UnreadableColumn(column: 0, type: "IdempotencyKey")
        }
        return RecordedOutcome(
            key: key, command: try row.decode(2, as: String.self), fingerprint: Fingerprint(text: try row[3]),
            outcome: try row.decodeJSON(4, as: Outcome.self))
    }
}

extension Outcome {
    /// The journal entry that records it, if it is one that keys are used for and moved something.
    fileprivate var journalEntryID: Int64? {
        switch self {
        case .granted(let granted): granted.journalEntryID
        case .spent(let spent): spent.journalEntryID
        case .holdPlaced(let placed): placed.hold.journalEntryID
        case .holdCaptured(let captured): captured.journalEntryID
        case .refundBegun(let begun): begun.refund.journalEntryID
        case .credited, .clawedBack, .holdVoided, .lotExpired, .debtPaid, .refundDecided, .settled, .refused: nil
        }
    }
}
