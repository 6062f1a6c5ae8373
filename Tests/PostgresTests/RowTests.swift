import Foundation
import Postgres
import Testing

/// Rows become values whose members are listed once.
@Suite(.timeLimit(.minutes(20))) struct RowTests {
    private struct Wallet: Equatable {
        enum Status: String, PostgresRawRepresentable { case open, closed }

        let id: Int64
        let owner: String?
        let status: Status
        var former: Status?
        let closedAt: Date?
    }

    private struct Span: PostgresReadable, Equatable {
        let first: Int64
        let last: Int64?

        static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Span {
            try row.make(at: &column, Span.init)
        }
    }

    private struct Page: Equatable {
        let name: String
        let span: Span
        let isLast: Bool
    }

    @Test func `a row is made of all columns, in their order`() async throws {
        let query = PostgresQuery<[Wallet]>(
            """
            VALUES (1::int8, 'ann', 'open', NULL, NULL::timestamptz),
                (2, NULL, 'closed', 'open', '2001-01-01 00:00+00')
            """
        ) { row in try row.make(Wallet.init) }
        #expect(
            try await connect().run(query) == [
                Wallet(id: 1, owner: "ann", status: .open, former: nil, closedAt: nil),
                Wallet(
                    id: 2, owner: nil, status: .closed, former: .open,
                    closedAt: Date(timeIntervalSinceReferenceDate: 0)),
            ])
    }

    @Test func `a value of several columns is a member like any other`() async throws {
        let query = PostgresQuery<Page>.one("SELECT 'a'::text, 1::int8, NULL::int8, true") { row in
            try row.make(Page.init)
        }
        #expect(try await connect().run(query) == Page(name: "a", span: Span(first: 1, last: nil), isLast: true))
    }

    @Test func `without a decoder, a row is one value`() async throws {
        let connection = try await connect()
        #expect(try await connection.run(.one("SELECT 1::int8")) as Int == 1)
        #expect(try await connection.run(.one("SELECT NULL::int8")) as Int? == nil)
        #expect(try await connection.run(.first("SELECT 'a'::text WHERE false")) as String? == nil)
        #expect(try await connection.run(PostgresQuery<[String]>("SELECT unnest($1)", [["a", "b"]])) == ["a", "b"])
        #expect(
            try await connection.run(PostgresQuery<[Span]>("VALUES (1::int8, 2::int8)")) == [Span(first: 1, last: 2)])
    }

    @Test(arguments: [
        ("SELECT 'a'::text, 1::int8, 2::int8, true, now() AS late", "late", "5 columns, and Page takes 4"),
        ("SELECT 'a'::text, 1::int8, 2::int8", nil, "no column 3: the row has 3"),
        ("SELECT 'a'::text, 1::int8 AS first, true AS last, true", "last", "has the type 16, not bigint"),
        ("SELECT NULL::text AS name, 1::int8, 2::int8, true", "name", "is NULL"),
    ])
    func `a row of other columns than the members is an error that names the column`(
        sql: String, column: String?, message: String
    ) async throws {
        let connection = try await connect()
        let query = PostgresQuery<[Page]>(sql) { row in try row.make(Page.init) }
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.code == .decoding)
        #expect(error?.column == column)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "no error")")
        #expect(error?.statement == sql)
    }

    @Test func `an optional column of another type is an error even if it is NULL`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<Span>.one("SELECT 1::int8, NULL::text AS last")
        #expect(await postgresError { _ = try await connection.run(query) }?.column == "last")
    }

    @Test func `one column does not stand for a row of two`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<Int>.one("SELECT 1::int8, 2::int8 AS second")
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.column == "second")
        #expect(error?.message.contains("2 columns, and Int takes 1") == true)
    }

    @Test func `a value with a raw value is stored as it, and no other text is read`() async throws {
        let connection = try await connect()
        let statuses: [Wallet.Status?] = [.open, nil, .closed]
        #expect(try await connection.run(PostgresQuery<[Wallet.Status?]>("SELECT unnest($1)", [statuses])) == statuses)
        #expect(try await connection.run(.one("SELECT $1", [Wallet.Status.closed])) as String == "closed")
        let query = PostgresQuery<Wallet.Status>.one("SELECT 'lost'::text AS status")
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.column == "status")
        #expect(error?.message.contains("Status can't represent") == true)
    }

    @Test func `text that is not UTF-8 is no string`() {
        func text(_ bytes: [UInt8]) -> String? { String(postgresBytes: bytes.span.bytes) }
        #expect(text([0x61, 0xff]) == nil)
        #expect(text([0xea, 0xb0, 0x80, 0x62]) == "가b")
        #expect(text([])?.isEmpty == true)
    }
}
