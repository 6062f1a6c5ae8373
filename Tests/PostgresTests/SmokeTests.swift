import Testing
import Foundation
import Postgres
@Test func smoke() async throws {
    var c = try PostgresConfiguration(url: ProcessInfo.processInfo.environment["LEDGERD_TEST_DATABASE_URL"] ?? "")
    c.settings["enable_seqscan"] = "off"
    let conn = try await PostgresConnection.connect(c)
    let x = try await conn.run(PostgresQuery("SELECT $1, $2, $3, now()", [1, "héé", [1, 2, nil] as [Int64?]]) { row in
        let a: Int = try row[0]
        let b: String = try row[1]
        return (a, b, try row.decode(2, as: [Int64?].self), try row.decode(3, as: Date.self))
    })
    print(x)
    let (n, ids, m) = try await conn.pipeline(.begin, PostgresQuery<[Int]>("SELECT 1::int8") { r in try r[0] }, .commit)
    print(n, ids, m)
    let y = try await conn.transaction { tx in try tx.run(PostgresQuery.one("SELECT 1::int8") { r in try r.decode(0, as: Int.self) }) }
    print(y)
    var bytes = 0
    try await conn.copyOut("COPY (SELECT generate_series(1,100000)) TO STDOUT") { chunk in bytes += chunk.count }
    print(bytes)
    let pool = PostgresPool(c, size: 2)
    print(try await pool.run(PostgresQuery<[Int]>("SELECT 1::int8") { r in try r[0] }))
    await #expect(throws: PostgresError.self) { try await pool.run(PostgresQuery<[Int]>("SELECT 1::int4") { r in try r[0] }) }
    await pool.close()
}
