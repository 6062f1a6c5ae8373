import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct CopyOutTests {
    private static func million(_ width: Int = 1) -> String {
        "COPY (SELECT n, repeat('x', \(width)) FROM generate_series(1, 1000000) n) TO STDOUT"
    }

    @Test func `a million rows arrive whole and in order`() async throws {
        let connection = try await connect()
        var rows = 0
        var sizes: Set<Bool> = []
        try await connection.copyOut(Self.million()) { chunk in
            rows += chunk.count { $0 == UInt8(ascii: "\n") }
            sizes.insert(chunk.last == UInt8(ascii: "\n") && chunk.count < 80 << 10)
        }
        #expect(rows == 1_000_000)
        #expect(sizes == [true])
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `a slow consumer slows the server down, and memory stays`() async throws {
        // In a process of its own, whose memory is this copy's.
        await #expect(processExitsWith: .success) {
            func residentMegabytes() throws -> Int {
                let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
                return (Int(pages) ?? 0) * Int(getpagesize()) >> 20
            }
            let connection = try await connect()
            let process = try await connection.run(.one("SELECT pg_backend_pid()::int8") { try $0[0] as Int })
            let onlooker = try await connect()
            let stuck = PostgresQuery.affected(
                "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'ClientWrite'", [process])
            var bytes = 0
            let before = try residentMegabytes()
            // 200 MB, of which the first are not read on.
            try await connection.copyOut(CopyOutTests.million(200)) { chunk in
                if bytes == 0 {
                    try await eventually("the server waits for the consumer") { try await onlooker.run(stuck) == 1 }
                }
                bytes += chunk.count
            }
            #expect(bytes > 200_000_000)
            #expect(try residentMegabytes() - before < 50)
        }
    }

    /// The consumer sets the pace.
    @Test func `the statement timeout does not apply to a copy, and applies again afterwards`() async throws {
        let connection = try await connect { $0.statementTimeout = .seconds(3600) }
        var timeout: [UInt8] = []
        try await connection.copyOut("COPY (SELECT current_setting('statement_timeout')) TO STDOUT") { timeout += $0 }
        #expect(String(decoding: timeout, as: UTF8.self) == "0\n")
        #expect(try await connection.run(.setting("statement_timeout")) == "1h")
    }

    @Test func `a consumer that throws ends the copy at once`() async throws {
        struct Enough: Error {}
        let connection = try await connect()
        var chunks = 0
        await #expect(throws: Enough.self) {
            try await connection.copyOut(Self.million(1_000)) { _ in
                chunks += 1
                throw Enough()
            }
        }
        #expect(chunks == 1)
        #expect(!connection.isUsable)
    }

    @Test func `a cancelled task ends the copy`() async throws {
        let connection = try await connect()
        let chunks = Mutex(0)
        let task = Task {
            try await connection.copyOut(Self.million(1_000)) { _ in
                let number = chunks.withLock { chunks in
                    chunks += 1
                    return chunks
                }
                if number == 3 { await untilCancelled() }
            }
        }
        try await eventually("the copy is under way") { chunks.withLock(\.self) == 3 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(chunks.withLock(\.self) == 3)
        #expect(!connection.isUsable)
    }

    @Test func `an error before or in the middle of the copy is thrown, and the connection goes on`() async throws {
        let connection = try await connect()
        let missing = await postgresError { try await connection.copyOut("COPY nowhere TO STDOUT") { _ in } }
        #expect(missing?.sqlState == .undefinedTable)
        var bytes = 0
        let broken = await postgresError {
            try await connection.copyOut("COPY (SELECT 1 / (50000 - n) FROM generate_series(1, 100000) n) TO STDOUT") {
                bytes += $0.count
            }
        }
        #expect(broken?.code == .server)
        #expect(broken?.sqlState?.rawValue == "22012")
        #expect(bytes > 0)
        #expect(try await connection.run(.fortyTwo) == 42)
        #expect(try await connection.run(.setting("statement_timeout")) == "10s")
    }

    @Test(arguments: ["SELECT 1", "SET work_mem = '1MB'", "COPY pg_class FROM STDIN", ""])
    func `another statement is refused`(sql: String) async throws {
        let connection = try await connect()
        let error = await postgresError { try await connection.copyOut(sql) { _ in } }
        #expect(error?.code == .configuration || error?.code == .server || error?.code == .connectionLost)
        if connection.isUsable { #expect(try await connection.run(.fortyTwo) == 42) }
    }

    @Test func `several copies in one transaction see one snapshot`() async throws {
        let connection = try await connect()
        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var snapshots: [[UInt8]] = []
        for _ in 0..<2 {
            try await connection.copyOut("COPY (SELECT pg_current_snapshot()) TO STDOUT") { snapshots.append($0) }
        }
        try await connection.execute("COMMIT")
        #expect(snapshots.count == 2 && snapshots[0] == snapshots[1])
    }

    @Test func `nobody's statement slips into a copy`() async throws {
        let connection = try await connect()
        var error: PostgresError?
        try await connection.copyOut("COPY (SELECT 1) TO STDOUT") { _ in
            error = await postgresError { _ = try await connection.run(.fortyTwo) }
        }
        #expect(error?.code == .busy)
        #expect(try await connection.run(.fortyTwo) == 42)
    }

    @Test func `a connection closed or lost in the middle of a copy is an error`() async throws {
        let connection = try await connect()
        let error = await postgresError {
            try await connection.copyOut(Self.million()) { _ in await connection.close() }
        }
        #expect(error?.code == .closed)

        try await FaultProxy.with(TestServer()) { proxy in
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(url: TestServer().url(through: proxy)))
            let error = await postgresError {
                try await connection.copyOut(Self.million(100)) { _ in proxy.cutAll() }
            }
            #expect(error?.code == .connectionLost)
            #expect(!connection.isUsable)
        }
    }
}
