import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ValueTests {
    private func roundTrip<Value: PostgresEncodable & PostgresDecodable & Equatable>(
        _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let connection = try await connect()
        let queries = values.map { value in
            PostgresQuery<Value>.one("SELECT $1", [value]) { try $0[0] }
        }
        #expect(try await connection.pipeline(queries) == values, sourceLocation: sourceLocation)
    }

    @Test func `integers come back, the extreme ones too`() async throws {
        try await roundTrip([0, 1, -1, .max, .min] as [Int64])
        try await roundTrip([0, 1, -1, .max, .min] as [Int])
        try await roundTrip([0, 1, -1, .max, .min] as [Int32])
    }

    @Test func `text, booleans and bytes come back`() async throws {
        try await roundTrip(["", "a", "코인 🪙 e\u{301}", "'\\\"$1;--", String(repeating: "긴", count: 100_000)])
        try await roundTrip([true, false])
        try await roundTrip([PostgresBytes([]), PostgresBytes([0, 1, 255])])
    }

    @Test func `JSON comes back as the server renders it`() async throws {
        try await roundTrip([PostgresJSON(#"{"a": [1, null, "코인"]}"#), PostgresJSON("null")])
        let connection = try await connect()
        let json = PostgresJSON(#"{"bb":1,"a":12345678901234567890}"#)
        let query = PostgresQuery<PostgresJSON>.one("SELECT $1", [json]) { try $0[0] }
        #expect(try await connection.run(query).text == #"{"a": 12345678901234567890, "bb": 1}"#)
    }

    @Test func `NULL comes back as nil`() async throws {
        try await roundTrip([nil, 7] as [Int64?])
        try await roundTrip([nil, 7] as [Int?])
        try await roundTrip([nil, 7] as [Int32?])
        try await roundTrip([nil, ""] as [String?])
        try await roundTrip([nil, false] as [Bool?])
        try await roundTrip([nil, Date(timeIntervalSinceReferenceDate: 0)] as [Date?])
        try await roundTrip([nil, PostgresJSON("1")] as [PostgresJSON?])
        try await roundTrip([nil, []] as [[Int64]?])
    }

    @Test func `arrays come back, empty ones and ones with NULLs too`() async throws {
        try await roundTrip([[], [1], [.min, 0, .max]] as [[Int64]])
        try await roundTrip([[], [nil], [1, nil, 3]] as [[Int64?]])
        try await roundTrip([[], [1, 2]] as [[Int]])
        try await roundTrip([[], [nil, 2]] as [[Int32?]])
        try await roundTrip([[], [""], ["a", "코인", "{\"x\",NULL}"]])
        try await roundTrip([["NULL", nil, ""]] as [[String?]])
        try await roundTrip([[true, false]])
        try await roundTrip([[Date(timeIntervalSinceReferenceDate: 0.25), nil]] as [[Date?]])
        try await roundTrip([[PostgresJSON("{}")]])
        try await roundTrip([[PostgresBytes([1, 2]), nil]] as [[PostgresBytes?]])
    }

    @Test func `times are kept to the microsecond`() async throws {
        var dates = [Date.distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: -1e9)]
        var generator = SplitMix64(seed: Effort.seed)
        for _ in 0..<500 {
            let microseconds = Int64.random(in: -2_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
            dates.append(Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000))
        }
        try await roundTrip(dates)

        let connection = try await connect()
        let query = PostgresQuery<String>.one(
            "SELECT $1::timestamptz::text", [Date(timeIntervalSince1970: 1_700_000_000.123_456)]
        ) { try $0[0] }
        #expect(try await connection.run(query) == "2023-11-14 22:13:20.123456+00")
    }

    @Test func `a time between two microseconds is rounded to the nearer one`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<String>.one(
            "SELECT $1::timestamptz::text", [Date(timeIntervalSinceReferenceDate: 0.000_001_6)]
        ) { try $0[0] }
        #expect(try await connection.run(query) == "2001-01-01 00:00:00.000002+00")
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e15, 9.3e12])
    func `a time that the database can't hold is refused by it`(seconds: Double) async throws {
        let connection = try await connect()
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let error = await postgresError { _ = try await connection.run(.affected("SELECT $1", [date])) }
        #expect(error?.sqlState == .datetimeFieldOverflow)
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `infinity is not a date`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<Date>.one("SELECT 'infinity'::timestamptz") { try $0[0] }
        #expect(await postgresError { _ = try await connection.run(query) }?.code == .decoding)
    }

    @Test func `a string with NUL is refused, and not cut short`() async throws {
        let connection = try await connect()
        let error = await postgresError { _ = try await connection.run(.affected("SELECT $1", ["a\0b"])) }
        #expect(error?.code == .server)
        #expect(await postgresError { try await connection.execute("SELECT 1\0; broken") }?.code == .configuration)
        #expect(await postgresError { _ = try await connection.run(.affected("SELECT 1\0")) }?.code == .configuration)
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `NULL is not a value`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<Int>.one("SELECT NULL::int8 AS amount") { try $0[0] }
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.code == .decoding)
        #expect(error?.column == "amount")
        #expect(error?.message.contains("Int") == true)
        #expect(error?.statement == query.sql)
    }

    @Test func `NULL in an array is not a value`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<[Int]>.one("SELECT ARRAY[1, NULL]::int8[]") { try $0[0] }
        #expect(await postgresError { _ = try await connection.run(query) }?.code == .decoding)
    }

    @Test(arguments: ["1::int4", "'1'::text", "1.5::float8", "1::numeric", "now()", "ARRAY[1]::int8[]"])
    func `another type is refused, never converted`(expression: String) async throws {
        let connection = try await connect()
        let query = PostgresQuery<Int64>.one("SELECT \(expression) AS x") { try $0[0] }
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.code == .decoding)
        #expect(error?.column == "x")
        #expect(error?.message.contains("bigint") == true)
    }

    @Test func `an array of several dimensions is refused`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<[Int]>.one("SELECT '{{1,2},{3,4}}'::int8[]") { try $0[0] }
        #expect(await postgresError { _ = try await connection.run(query) }?.code == .decoding)
    }

    @Test func `a column that is not there is an error`() async throws {
        let connection = try await connect()
        for column in [-1, 1, .max] {
            let query = PostgresQuery<Int>.one("SELECT 1::int8") { try $0[column] }
            #expect(await postgresError { _ = try await connection.run(query) }?.code == .decoding)
        }
    }

    @Test func `text is read from every type of characters`() async throws {
        let connection = try await connect()
        let query = PostgresQuery<[String]>.one("SELECT 'a'::varchar, 'b'::char(1), 'c'::name, 'd'::text") { row in
            [try row[0], try row[1], try row[2], try row[3]]
        }
        #expect(try await connection.run(query) == ["a", "b", "c", "d"])
    }
}
