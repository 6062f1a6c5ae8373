import Foundation
import Postgres

/// An event with its entry or occurrence, without what these are about.
struct EventRow: Sendable {
    let seq: Int64
    let id: Int64
    let type: EventType
    let user: UserID?
    let recordedAt: Date
    let source: Source

    enum Source: Sendable {
        case entry(EntryKind?, reference: String, reason: String?, effectiveAt: Date)
        case occurrence(Occurrence)
    }

    /// The id in the entry's reference, such as `purchase:17`, if it is of this kind.
    func id(of kind: StaticString) -> Int64? {
        guard case .entry(_, let reference, _, _) = source, reference.hasPrefix("\(kind):") else { return nil }
        return Int64(reference.dropFirst(kind.utf8CodeUnitCount + 1))
    }

    /// The kind of the entry; nil: it is no entry, or a newer version's.
    var kind: EntryKind? {
        guard case .entry(let kind, _, _, _) = source else { return nil }
        return kind
    }

    /// The id of the settlement line that a settlement's entry names.
    var settlementLineID: Int64? {
        guard case .entry(.settlement, _, let reason?, _) = source else { return nil }
        return reason.split(separator: " ").last.flatMap { Int64($0) }
    }
}

/// A part of the list of events.
package struct EventPage: Sendable {
    /// The events, in order.
    package let events: [Event]
    /// Where the next page begins: after this number.
    ///
    /// With filters it can be higher than the last event's number.
    package let next: Int64
    /// Whether there may be more already.
    package let hasMore: Bool
}

/// Which events a reader wants.
package struct EventFilter: Sendable, Equatable {
    /// Only events of these types; empty: of all types.
    package let types: [EventType]
    /// Only this user's events; nil: everybody's.
    package let user: UserID?

    /// All events.
    package static let all = EventFilter()

    package init(types: [EventType] = [], user: UserID? = nil) {
        self.types = types
        self.user = user
    }

    /// The most events that are looked at for a page, so that a rare type does not read everything.
    static let mostExamined = 10_000
}

// MARK: - SQL

extension EventRow {
    /// A page of rows, and the number of the last that was looked at.
    struct Part: Sendable {
        let rows: [EventRow]
        let last: Int64
        let isWhole: Bool
    }

    /// The events after a number.
    ///
    /// An index has a user's events in order; types are looked for among ``EventFilter/mostExamined`` events.
    static func after(_ seq: Int64, _ filter: EventFilter, limit: Int) -> PostgresQuery<Part> {
        let examined = filter.types.isEmpty ? limit : max(limit, EventFilter.mostExamined)
        var parameters: PostgresParameters = [
            seq, filter.types.map(\.rawValue), Int64(limit), Int64(examined),
        ]
        if let user = filter.user { parameters.append(user.rawValue) }
        return PostgresQuery(
            """
            WITH examined AS MATERIALIZED (
                SELECT seq, id, type, user_id FROM event
                WHERE seq > $1 \(filter.user == nil ? "" : "AND user_id = $5 AND user_id IS NOT NULL")
                ORDER BY seq
                LIMIT $4
            ), shown AS MATERIALIZED (
                SELECT * FROM examined WHERE cardinality($2::text[]) = 0 OR type = ANY($2) ORDER BY seq LIMIT $3
            ), place AS MATERIALIZED (
                SELECT count(*) = $3 AS is_full, (SELECT count(*) = $4 FROM examined) AS has_more,
                    CASE
                    WHEN count(*) = $3 THEN max(seq)
                    WHEN (SELECT count(*) = $4 FROM examined) THEN (SELECT max(seq) FROM examined)
                    ELSE greatest($1, (SELECT max(seq) FROM event)) END AS last
                FROM shown
            )
            SELECT place.last, place.is_full OR place.has_more, \(columns)
            FROM place
            LEFT JOIN shown AS event ON true
            \(sources)
            ORDER BY event.seq
            """,
            parameters
        ) { row in
            (
                last: try row.decode(0, as: Int64.self), hasMore: try row.decode(1, as: Bool.self),
                row: try row.decode(2, as: Int64?.self).map { try decode(row, seq: $0) }
            )
        }.map { found in
            Part(rows: found.compactMap(\.row), last: found.first?.last ?? seq, isWhole: found.first?.hasMore != true)
        }
    }

    /// The events with these numbers, in order.
    static func find(_ seqs: [Int64]) -> PostgresQuery<[EventRow]> {
        PostgresQuery(
            """
            SELECT NULL::int8, NULL::bool, \(columns) FROM event \(sources) WHERE event.seq = ANY($1) ORDER BY event.seq
            """,
            [seqs]
        ) { row in try decode(row, seq: try row[2]) }
    }

    private static let columns = """
        event.seq, event.id, event.type, event.user_id, coalesce(entry.recorded_at, occurrence.recorded_at), entry.kind,
        entry.reference, entry.reason, entry.effective_at, occurrence.subject, occurrence.detail
        """
    /// Only the primary keys have the orders of the ids, so no plan looks for one in the indexes by transaction (decision 0002).
    private static let sources = """
        LEFT JOIN LATERAL (
            SELECT recorded_at, kind, reference, reason, effective_at FROM journal_entry WHERE id = ANY(ARRAY[event.id])
            ORDER BY id
        ) AS entry ON true
        LEFT JOIN LATERAL (
            SELECT recorded_at, subject, detail FROM occurrence WHERE id = ANY(ARRAY[event.id]) ORDER BY id
        ) AS occurrence ON true
        """

    private static func decode(_ row: borrowing PostgresRow, seq: Int64) throws -> EventRow {
        try row.decode(of: "event", id: 2) { row in
            EventRow(
                seq: seq, id: try row[3], type: EventType(rawValue: try row[4]),
                user: try row.decode(5, as: String?.self).flatMap(UserID.init(rawValue:)), recordedAt: try row[6],
                source: try source(row))
        }
    }

    private static func source(_ row: borrowing PostgresRow) throws -> Source {
        guard let kind = try row.decode(7, as: String?.self) else {
            return .occurrence(
                Occurrence(subject: try row[11], detail: try row.decode(12, as: PostgresJSON.self).text))
        }
        return .entry(EntryKind(rawValue: kind), reference: try row[8], reason: try row[9], effectiveAt: try row[10])
    }
}
