import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PipelineTests {
    private func connectWithTable() async throws -> PostgresConnection {
        let connection = try await connect()
        try await connection.execute("CREATE TEMP TABLE t (id bigint CONSTRAINT t_pkey PRIMARY KEY, name text)")
        return connection
    }

    private static let insert = "INSERT INTO t SELECT * FROM unnest($1::int8[], $2::text[])"

    private func insert(_ ids: [Int64], _ names: [String]) -> PostgresQuery<Int> {
        PostgresQuery.affected(Self.insert, [ids, names])
    }

    private let names = PostgresQuery<[String]>("SELECT name FROM t ORDER BY id") { try $0[0] }

    @Test func `statements of several kinds answer in order`() async throws {
        let connection = try await connectWithTable()
        for _ in 0..<3 {
            let (_, inserted, names, first, none, _) = try await connection.pipeline(
                .begin, insert([1, 2], ["a", "b"]), names,
                PostgresQuery<String?>.first("SELECT name FROM t ORDER BY id DESC") { try $0[0] },
                PostgresQuery<String?>.first("SELECT name FROM t WHERE id = $1", [Int64(9)]) { try $0[0] }, .rollback)
            #expect(inserted == 2)
            #expect(names == ["a", "b"])
            #expect(first == "b")
            #expect(none == nil)
        }
        #expect(try await connection.pipeline([PostgresQuery<Int>]()) == [])
        #expect(try await connection.run(names) == [])
    }

    @Test func `the first error is thrown, nothing after it happens, and the connection goes on`() async throws {
        let connection = try await connectWithTable()
        let error = await postgresError {
            _ = try await connection.pipeline(
                .begin, insert([1], ["a"]), insert([1], ["b"]),
                .affected("SELECT * FROM nowhere"), .commit)
        }
        #expect(error?.sqlState == .uniqueViolation)
        #expect(error?.statement == Self.insert)
        #expect(connection.isInTransaction)
        _ = try await connection.run(.rollback)
        #expect(!connection.isInTransaction)
        #expect(try await connection.run(names) == [])
    }

    @Test func `a pipeline without BEGIN is one transaction`() async throws {
        let connection = try await connectWithTable()
        _ = await postgresError {
            _ = try await connection.pipeline([
                insert([1], ["a"]), .affected("SELECT 1 / 0"),
            ])
        }
        #expect(try await connection.run(names) == [])
    }

    @Test func `a statement that could not be prepared is prepared again`() async throws {
        let connection = try await connectWithTable()
        let query = PostgresQuery<Int>.affected("SELECT * FROM t2")
        #expect(await postgresError { _ = try await connection.run(query) }?.sqlState == .undefinedTable)
        try await connection.execute("CREATE TEMP TABLE t2 (id bigint)")
        #expect(try await connection.run(query) == 0)
    }

    @Test func `an error of decoding in the middle is thrown after all has happened`() async throws {
        let connection = try await connectWithTable()
        let error = await postgresError {
            _ = try await connection.pipeline(
                insert([1], ["a"]),
                PostgresQuery<[Int]>("SELECT name FROM t") { try $0[0] },
                insert([2], ["b"]))
        }
        #expect(error?.code == .decoding)
        #expect(error?.column == "name")
        #expect(try await connection.run(names) == ["a", "b"])
    }

    @Test func `the server's error outweighs one of decoding before it`() async throws {
        let connection = try await connectWithTable()
        let error = await postgresError {
            _ = try await connection.pipeline(
                PostgresQuery<[Int]>("SELECT 'x'") { try $0[0] }, .affected("SELECT 1 / 0"))
        }
        #expect(error?.code == .server)
    }

    @Test func `another error of a row is kept`() async throws {
        struct NotACurrency: Error {}
        let connection = try await connect()
        let query = PostgresQuery<[Int]>("SELECT 'XYZ'") { _ in throw NotACurrency() }
        let error = await postgresError { _ = try await connection.run(query) }
        #expect(error?.code == .decoding)
        #expect(error?.underlying is NotACurrency)
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `huge arrays both ways do not block each other`() async throws {
        let connection = try await connect()
        let numbers = (0..<100_000).map { Int64($0) &* 7_919 }
        let texts = numbers.map { "코인-\($0)" }
        let query = PostgresQuery<([Int64], [String])>.one("SELECT $1::int8[], $2::text[]", [numbers, texts]) { row in
            (try row[0], try row[1])
        }
        let outputs = try await connection.pipeline((0..<8).map { _ in query })
        #expect(outputs.count == 8)
        #expect(outputs.allSatisfy { $0.0 == numbers && $0.1 == texts })
    }

    @Test func `more statements than are kept prepared all work`() async throws {
        let connection = try await connect()
        for round in 0..<2 {
            let sum = try await connection.pipeline(
                (0..<300).map { number in
                    PostgresQuery<Int>.one("SELECT $1 + \(number) /* \(number) */", [round]) { try $0[0] }
                }
            ).reduce(0, +)
            #expect(sum == 300 * 299 / 2 + 300 * round)
        }
        let count = PostgresQuery<Int>.one("SELECT count(*) FROM pg_prepared_statements") { try $0[0] }
        #expect(try await connection.run(count) == 256)
    }

    @Test func `the same text with other types is another statement`() async throws {
        let connection = try await connect()
        let number = PostgresQuery<Int>.one("SELECT $1", [1]) { try $0[0] }
        let text = PostgresQuery<String>.one("SELECT $1", ["x"]) { try $0[0] }
        let outputs = try await connection.pipeline(number, text, number)
        #expect(outputs == (1, "x", 1))
    }

    @Test func `a prepared statement survives a change of its table, and DEALLOCATE ALL`() async throws {
        let connection = try await connectWithTable()
        let all = PostgresQuery<Int>.affected("SELECT * FROM t")
        #expect(try await connection.run(all) == 0)
        try await connection.execute("ALTER TABLE t ADD COLUMN more text")
        #expect(await postgresError { _ = try await connection.run(all) }?.sqlState == .featureNotSupported)
        #expect(try await connection.run(all) == 0)
        try await connection.execute("DEALLOCATE ALL")
        #expect(await postgresError { _ = try await connection.run(all) }?.sqlState == .invalidStatementName)
        #expect(try await connection.run(all) == 0)
    }

    @Test func `committing a failed transaction is an error, not a success`() async throws {
        let connection = try await connectWithTable()
        _ = try await connection.run(.begin)
        _ = await postgresError { _ = try await connection.run(.affected("SELECT 1 / 0")) }
        let error = await postgresError { _ = try await connection.run(.commit) }
        #expect(error?.code == .server)
        #expect(error?.sqlState == .inFailedTransaction)
        #expect(!connection.isInTransaction)

        let swallowed = await postgresError {
            try await connection.transaction { connection in
                do { try connection.execute("SELECT 1 / 0") } catch {}
            }
        }
        #expect(swallowed?.sqlState == .inFailedTransaction)
    }

    @Test func `a transaction commits what the closure did, and rolls back when it throws`() async throws {
        struct Changed: Error {}
        let connection = try await connectWithTable()
        let (first, second) = (insert([1], ["a"]), insert([2], ["b"]))
        let affected = try await connection.transaction { connection in
            try connection.run(first)
        }
        #expect(affected == 1)
        await #expect(throws: Changed.self) {
            try await connection.transaction(mode: "ISOLATION LEVEL SERIALIZABLE") { connection in
                _ = try connection.run(second)
                throw Changed()
            }
        }
        #expect(try await connection.run(names) == ["a"])
    }

    @Test func `two pipelines and what is decided between them happen in one visit to the thread`() async throws {
        let connection = try await connectWithTable()
        let names = names
        let (before, after) = try await connection.perform { connection in
            let (_, before) = try connection.pipeline(.begin, names)
            let name = "after \(before.count)"
            let (inserted, _) = try connection.pipeline(
                PostgresQuery.affected(Self.insert, [[1] as [Int64], [name]]), .commit)
            return (before, inserted)
        }
        #expect(before == [])
        #expect(after == 1)
        #expect(try await connection.run(names) == ["after 0"])
    }

    @Test func `nobody's statement slips into another's transaction`() async throws {
        let connection = try await connectWithTable()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await connection.transaction { connection in
                        let query = PostgresQuery<Int>.one("SELECT txid_current()::int8") { try $0[0] }
                        let first = try connection.run(query)
                        _ = try connection.run(.affected("INSERT INTO t VALUES ($1, '')", [number]))
                        #expect(try connection.run(query) == first)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await connection.run(names).count == 50)
    }

    @Test func `statements that want no transaction run alone`() async throws {
        try await TestDatabase.with { database in
            let connection = try await database.connect()
            try await connection.execute("CREATE TABLE v (id bigint)")
            _ = try await connection.run(.affected("VACUUM v"))
            await connection.close()
        }
    }

    @Test func `COPY is no statement to run, and says so instead of hanging`() async throws {
        let first = try await connect()
        #expect(await postgresError { _ = try await first.run(.affected("COPY (SELECT 1) TO STDOUT")) } != nil)
        #expect(!first.isUsable)
        let second = try await connect()
        #expect(await postgresError { try await second.execute("COPY (SELECT 1) TO STDOUT") } != nil)
        #expect(!second.isUsable)
    }
}
