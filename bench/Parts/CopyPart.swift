import Foundation
import LedgerTestSupport

/// The speed of PostgreSQL itself on this machine: the rows of the same purchases with binary COPY, without planning,
/// checks or answers.
///
/// The engine is compared with this limit.
struct CopyPart: ComparedPart {
    static let name = "copy"

    /// The most purchases in one transaction.
    private static let batch = 1024

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { books in
            _ = try await Engine.purchase(scale.copied, in: books, users: scale.users, tag: "copy")
            try await Program.inDirectory { directory in
                let batches = (scale.copied + Self.batch - 1) / Self.batch
                try await Program.psql(Self.unload(directory, batches), at: books.database.url, in: directory)
                try await body(
                    [1, 2].map { connections in
                        let figure = Figures.copy(connections: connections)
                        return Contender(part: Self.name, figures: [figure]) { _ in
                            let rate = try await copy(scale, books, directory, batches, connections)
                            let rows = try await books.number("SELECT count(*) FROM copied_purchase")
                            return [
                                Sample(
                                    figure: figure, value: rate, unit: .perSecond,
                                    problems: rows == scale.copied ? [] : ["\(rows) purchases were copied"])
                            ]
                        }
                    })
            }
        }
    }

    /// Measures several psql processes that together copy the batches into empty tables with the same columns.
    private func copy(
        _ scale: Scale, _ books: TestLedger, _ directory: URL, _ batches: Int, _ connections: Int
    ) async throws -> Double {
        try await Program.psql(Self.tablesToCopyInto, at: books.database.url, in: directory)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for connection in 0..<connections {
                let script = Self.load(directory, stride(from: connection, to: batches, by: connections))
                group.addTask { try await Program.psql(script, at: books.database.url, in: directory) }
            }
            try await group.waitForAll()
        }
        return Double(scale.copied) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static let tables = ["journal_entry", "posting", "purchase", "lot"]

    private static func unload(_ folder: URL, _ batches: Int) -> String {
        var script =
            "CREATE TEMP TABLE place AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM journal_entry;\n"
        script += "CREATE INDEX ON place (place); CREATE INDEX ON posting (journal_entry_id);\n"
        script += "CREATE INDEX ON purchase (journal_entry_id); CREATE INDEX ON lot (journal_entry_id); ANALYZE;\n"
        for number in 0..<batches {
            for table in tables {
                let key = table == "journal_entry" ? "id" : "journal_entry_id"
                script += """
                    \\copy (SELECT t.* FROM place JOIN \(table) t ON t.\(key) = place.id \
                    WHERE place >= \(number * batch) AND place < \((number + 1) * batch)) \
                    TO '\(folder.path)/\(table)-\(number)' BINARY

                    """
            }
        }
        return script
    }

    /// The tables have only the keys and indexes that every ledger needs, so the reference stays the same when the
    /// engine's tables change.
    private static let tablesToCopyInto =
        tables.map { "DROP TABLE IF EXISTS copied_\($0); CREATE TABLE copied_\($0) (LIKE \($0));\n" }.joined() + """
            CREATE UNIQUE INDEX ON copied_journal_entry (id);
            CREATE UNIQUE INDEX ON copied_posting (account_id, seq);
            CREATE UNIQUE INDEX ON copied_purchase (id);
            CREATE UNIQUE INDEX ON copied_purchase (imp_uid, gateway);
            CREATE UNIQUE INDEX ON copied_purchase (merchant_uid, gateway);
            CREATE INDEX ON copied_purchase (user_id, credited_at DESC, id DESC);
            CREATE UNIQUE INDEX ON copied_lot (id);
            CREATE INDEX ON copied_lot (user_id) WHERE remaining > 0;
            GRANT SELECT ON copied_purchase TO PUBLIC;
            CHECKPOINT;

            """

    private static func load(_ folder: URL, _ batches: some Sequence<Int>) -> String {
        batches.map { number in
            let copies = tables.map { "\\copy copied_\($0) FROM '\(folder.path)/\($0)-\(number)' BINARY\n" }
            return "BEGIN;\n" + copies.joined() + "COMMIT;\n"
        }.joined()
    }
}
