package import Foundation
import Postgres
import Timing

/// A sign-in to the console.
package struct ConsoleSession: Sendable, Equatable {
    package let person: Person
    package let createdAt: Date
    /// When it was last used, to the minute.
    package let seenAt: Date
    /// When it is over, even if it is in use.
    package let endsAt: Date
}

/// The sessions of the console, each known by the SHA-256 of its token.
package struct ConsoleSessions: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Stores that a session was used when the stored time is older than this.
    private static let precision: TimeInterval = 60

    /// Begins a session of a token.
    package func begin(
        _ tokenSHA256: [UInt8], of person: Person, lasting lifetime: Duration
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    INSERT INTO console_session (token_sha256, subject, name, role, ends_at)
                    VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
                    """,
                    [
                        PostgresBytes(tokenSHA256), person.subject, person.name, person.role.rawValue,
                        lifetime.milliseconds,
                    ]))
        }
    }

    /// The session of a token, which is then counted as used; nil: there is none, or it is over.
    ///
    /// - Parameter idle: how long a session lasts without use.
    package func use(_ tokenSHA256: [UInt8], idle: Duration) async throws(LedgerError) -> ConsoleSession? {
        try await reading {
            guard let session = try await pools.lookups.run(Self.find(tokenSHA256, idle: idle)).first else {
                return nil
            }
            if session.seenAt < Time.current.now.addingTimeInterval(-Self.precision) {
                // A page is shown also when its use can't be stored: the next one stores it.
                try? await store(use: tokenSHA256)
            }
            return session
        }
    }

    private func store(use tokenSHA256: [UInt8]) async throws {
        try await pools.reads.withConnection { connection in
            try await connection.execute(Pools.beginForPage)
            _ = try await connection.run(Self.touch(tokenSHA256))
            try await connection.execute("COMMIT")
        }
    }

    /// Ends the session of a token.
    package func end(_ tokenSHA256: [UInt8]) async throws(LedgerError) {
        try await reading {
            _ = try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    "UPDATE console_session SET ended_at = now() WHERE token_sha256 = $1 AND ended_at IS NULL",
                    [PostgresBytes(tokenSHA256)]))
        }
    }

    /// Ends all sessions of a person.
    ///
    /// - Returns: how many there were.
    package func endAll(of subject: String) async throws(LedgerError) -> Int {
        try await reading {
            try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    UPDATE console_session SET ended_at = now()
                    WHERE subject = $1 AND ended_at IS NULL AND ends_at > now()
                    """, [subject]))
        }
    }

    /// Deletes sessions that were over more than a day ago.
    ///
    /// - Returns: how many were deleted; `limit` when there may be more.
    package func purge(limit: Int) async throws(LedgerError) -> Int {
        try await reading {
            try await pools.writes.run(
                .one("SELECT purge_console_sessions($1)", [Int64(limit)]))
        }
    }

    private static func find(_ tokenSHA256: [UInt8], idle: Duration) -> PostgresQuery<[ConsoleSession]> {
        PostgresQuery(
            """
            SELECT subject, name, role, created_at, seen_at, ends_at FROM console_session
            WHERE token_sha256 = $1 AND ended_at IS NULL AND ends_at > now()
                AND seen_at > now() - $2 * interval '1 millisecond'
            """,
            [PostgresBytes(tokenSHA256), idle.milliseconds]
        ) { row in
            guard let person = Person(subject: try row[0], name: try row[1], role: try row[2]) else {
                throw UnreadableColumn(column: 0, type: "a subject")
            }
            return ConsoleSession(
                person: person, createdAt: try row[3], seenAt: try row[4], endsAt: try row[5])
        }
    }

    private static func touch(_ tokenSHA256: [UInt8]) -> PostgresQuery<Int> {
        .affected(
            "UPDATE console_session SET seen_at = now() WHERE token_sha256 = $1 AND ended_at IS NULL",
            [PostgresBytes(tokenSHA256)])
    }
}

extension Person.Role: PostgresRawRepresentable {}
