package import Foundation
package import Postgres

/// What support wrote down about a customer.
package struct CustomerNote: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let user: UserID
    package let text: String
    /// Who wrote it: a person's name, or the subject of a token.
    package let writtenBy: String
    package let writtenAt: Date
}

/// Notes on customers, which are only added.
package struct CustomerNotes: Sendable {
    /// The most characters of a note.
    package static let longest = 2000

    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Adds a note.
    ///
    /// - Parameters:
    ///   - key: of the form or request: one that is sent twice is one note.
    ///   - writer: the subject of the person or token.
    ///   - name: the writer's name, for people.
    /// - Returns: nil when another note has the key.
    package func add(
        _ text: String, on user: UserID, key: String, by writer: String, named name: String
    ) async throws(LedgerError) -> CustomerNote? {
        let add = Self.insert(text, on: user, key: key, by: writer, named: name)
        return try await reading {
            if let note = try await pools.writes.run(add) { return note }
            // A repeat that waited for the first request does not see its row; another statement does.
            return try await pools.writes.run(add)
        }
    }

    /// When the caller wrote a note under a key; nil: no such note.
    package func written(under key: String, by writer: String) async throws(LedgerError) -> Date? {
        try await reading {
            try await pools.writes.run(
                .first("SELECT written_at FROM customer_note WHERE key = $1 AND written_by = $2", [key, writer]))
        }
    }

    /// Inserts the note, or finds it if its key was used for the same note; nothing: for another one.
    static func insert(
        _ text: String, on user: UserID, key: String, by writer: String, named name: String
    ) -> PostgresQuery<CustomerNote?> {
        .first(
            """
            WITH added AS (
                INSERT INTO customer_note (key, user_id, text, written_by, written_name)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING
                RETURNING id, user_id, text, written_name, written_at
            )
            SELECT * FROM added
            UNION ALL
            SELECT id, user_id, text, written_name, written_at FROM customer_note
            WHERE key = $1 AND user_id = ANY\(UserAliases.names(of: "$2::text")) AND text = $3 AND written_by = $4
            """, [key, user.rawValue, text, writer, name])
    }

    /// The notes on a customer, newest first, also those on ids that were merged into the customer's.
    package func list(
        on user: UserID, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<CustomerNote, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                PostgresQuery<[CustomerNote]>(
                    """
                    SELECT id, user_id, text, written_name, written_at FROM customer_note
                    WHERE user_id = ANY\(UserAliases.names(of: "$1::text")) AND id < $2 ORDER BY id DESC LIMIT $3
                    """, [user.rawValue, cursor?.id ?? .max, Int64(limit + 1)]))
            return Page(found, limit: limit)
        }
    }
}

extension CustomerNote: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CustomerNote {
        try row.make(at: &column, CustomerNote.init)
    }
}
