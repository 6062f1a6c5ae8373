import LedgerTestSupport
package import Postgres
import Testing

/// The ledger's tables, read as their owner: what is asserted here no line of the service had a hand in.
package struct Books: Sendable {
    package let connection: PostgresConnection

    package func count(_ sql: String, _ parameters: PostgresParameters = []) async throws -> Int64 {
        try await connection.run(.one(sql, parameters) { row in try row.decode(0, as: Int64.self) })
    }

    package func texts(_ sql: String, _ parameters: PostgresParameters = []) async throws -> [String] {
        try await connection.run(PostgresQuery(sql, parameters) { row in try row.decode(0, as: String.self) })
    }

    package func execute(_ sql: String) async throws {
        try await connection.execute(sql)
    }

    package var postings: Int64 { get async throws { try await count("SELECT count(*) FROM posting") } }
    package var purchases: Int64 { get async throws { try await count("SELECT count(*) FROM purchase") } }

    /// How many receipts stand so.
    package func receipts(_ status: String) async throws -> Int64 {
        try await count("SELECT count(*) FROM receipt_retry WHERE status = $1", [status])
    }

    /// Makes every waiting receipt due, whatever the backoff said.
    package func makeReceiptsDue() async throws {
        try await execute("UPDATE receipt_retry SET next_attempt_at = now() WHERE status = 'waiting'")
    }
}
