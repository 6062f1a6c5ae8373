import Foundation
import Postgres
import Testing

/// Rows are inserted as arrays of columns.
@Suite(.timeLimit(.minutes(20))) struct BulkInsertTests {
    private enum Kind: String, PostgresRawRepresentable { case paid, bonus }

    private struct Lot: Sendable {
        let id: Int64
        let kind: Kind
        var issuer: String?
        var endsAt: Date?
        var isOpen = true
    }

    private static let lots = [
        Lot(id: 1, kind: .paid), Lot(id: 2, kind: .bonus, issuer: "ann", endsAt: .distantPast, isOpen: false),
    ]

    private static func table(on connection: PostgresConnection) async throws {
        try await connection.execute(
            """
            CREATE TEMPORARY TABLE lot (
                id bigint PRIMARY KEY, kind text, issuer text, ends_at timestamptz, is_open boolean, left_over bigint,
                batch text)
            """)
    }

    private static let rows = """
        SELECT concat_ws(' ', id, kind, issuer, ends_at IS NULL, is_open, left_over, batch) FROM lot ORDER BY id
        """

    @Test func `each row has the values of its columns`() async throws {
        let connection = try await connect()
        try await Self.table(on: connection)
        let insert = BulkInsert<Lot>(
            into: "lot",
            [
                .init("id", \.id), .init("kind", \.kind), .init("issuer", \.issuer), .init("ends_at", \.endsAt),
                .init("is_open") { $0.isOpen },
            ])
        #expect(try await connection.run(insert(Self.lots)) == 2)
        #expect(try await connection.run(PostgresQuery<[String]>(Self.rows)) == ["1 paid t t", "2 bonus ann f f"])
        #expect(try await connection.run(insert([])) == 0)
    }

    @Test func `further columns are expressions, with the columns and further parameters`() async throws {
        let connection = try await connect()
        try await Self.table(on: connection)
        let insert = BulkInsert<Lot>(
            into: "lot AS known", [.init("id", \.id), .init("issuer", \.issuer)],
            and: ["left_over": "id * 10", "kind": "'paid'", "batch": "$3"],
            ending: "ON CONFLICT (id) DO UPDATE SET batch = known.batch || excluded.batch")
        for batch in ["a", "b"] { #expect(try await connection.run(insert(Self.lots, batch)) == 2) }
        #expect(
            try await connection.run(PostgresQuery<[String]>(Self.rows)) == ["1 paid t 10 ab", "2 paid ann t 20 ab"])
    }

    @Test func `a column of another type than the table's is refused, and none is inserted`() async throws {
        let connection = try await connect()
        try await Self.table(on: connection)
        let insert = BulkInsert<Lot>(into: "lot", [.init("id", \.id), .init("is_open", \.kind)])
        let error = await postgresError { _ = try await connection.run(insert(Self.lots)) }
        #expect(error?.sqlState?.rawValue == "42804")
        #expect(try await connection.run(PostgresQuery<[String]>(Self.rows)).isEmpty)
    }
}
