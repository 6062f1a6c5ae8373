import ArgumentParser
import Foundation
import Ledger
import LedgerTestSupport

/// What PostgreSQL itself can do on this machine: the rows of the same purchases by binary COPY, without planning,
/// judging or answering anybody.
///
/// The limit that the engine is measured against.
struct CopyBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Purchases per second of a binary COPY of the same rows: the limit.")

    @Option(help: "Purchases to copy.")
    var purchases = 50_000

    @Option(help: "Rows of one transaction belong to that many purchases.")
    var batch = 1024

    func run() async throws {
        let rate = try await TestLedger.with { ledger, test in
            try await fill(ledger)
            return try await copy(test)
        }
        print("copy: \(Int(rate)) purchases/s by binary COPY of the same rows, \(batch) purchases a transaction")
    }

    private func fill(_ ledger: Ledger) async throws {
        let source = PurchaseSource(users: 10_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<100 {
                group.addTask { [purchases] in
                    for serial in 0..<(purchases / 100) {
                        _ = try await ledger.submit(source.purchase(lane: lane, serial: serial))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Writes each batch's rows to files, then times one psql that copies them, batch by batch, into tables of the same
    /// columns and indexes.
    private func copy(_ test: TestLedger) async throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-copy-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let batches = (purchases + batch - 1) / batch
        try Psql(url: test.database.url).run(unload(into: folder, batches: batches))
        let start = ContinuousClock.now
        try Psql(url: test.database.url).run(load(from: folder, batches: batches))
        return Double(purchases) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static let tables = ["journal_entry", "posting", "purchase", "lot"]

    private func unload(into folder: URL, batches: Int) -> String {
        var script =
            "CREATE TEMP TABLE place AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM journal_entry;\n"
        script += "CREATE INDEX ON place (place); CREATE INDEX ON posting (journal_entry_id);\n"
        script += "CREATE INDEX ON purchase (journal_entry_id); CREATE INDEX ON lot (journal_entry_id); ANALYZE;\n"
        for number in 0..<batches {
            for table in Self.tables {
                let key = table == "journal_entry" ? "id" : "journal_entry_id"
                script += """
                    \\copy (SELECT t.* FROM place JOIN \(table) t ON t.\(key) = place.id \
                    WHERE place >= \(number * batch) AND place < \((number + 1) * batch)) \
                    TO '\(folder.path)/\(table)-\(number)' BINARY

                    """
            }
        }
        for table in Self.tables {
            // The indexes of the real table, without those that only served to unload.
            script += "CREATE TABLE copied_\(table) (LIKE \(table));\n"
        }
        script += """
            CREATE UNIQUE INDEX ON copied_journal_entry (id);
            CREATE UNIQUE INDEX ON copied_posting (account_id, seq);
            CREATE UNIQUE INDEX ON copied_purchase (id);
            CREATE UNIQUE INDEX ON copied_purchase (imp_uid, gateway);
            CREATE UNIQUE INDEX ON copied_purchase (merchant_uid, gateway);
            CREATE INDEX ON copied_purchase (user_id, credited_at DESC, id DESC);
            CREATE UNIQUE INDEX ON copied_lot (id);
            CREATE INDEX ON copied_lot (user_id) WHERE remaining > 0;
            CHECKPOINT;

            """
        return script
    }

    private func load(from folder: URL, batches: Int) -> String {
        (0..<batches).map { number in
            let copies = Self.tables.map { "\\copy copied_\($0) FROM '\(folder.path)/\($0)-\(number)' BINARY\n" }
            return "BEGIN;\n" + copies.joined() + "COMMIT;\n"
        }.joined()
    }
}
