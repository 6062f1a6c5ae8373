import Foundation
import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct PlanInDatabaseTests {
    private static let commands = Effort.count(1_000, upTo: 8_000)
    private static let settings = [
        VATSettings(isBooked: true, taxesBreakage: true, taxesRefundFees: true), VATSettings(isBooked: true), .off,
    ].prefix(Effort.count(1, upTo: 3))

    /// `PlanPropertyTests` proves what the plan says of a history; here PostgreSQL must end in the same balances.
    @Test(arguments: settings)
    func `random commands end in the database as they end in the plan`(vat: VATSettings) async throws {
        try await TestLedger.withDatabase { test in
            let start = Date(timeIntervalSince1970: 1_767_225_600)
            let clock = try await TestClock(in: test, at: start)
            let connection = try await test.connectAsOwner()
            let chart = try await SystemChart.load(from: connection)
            let writer = LedgerWriter(
                configuration: try .unhurried(test.serviceURL), chart: chart, vatSettings: vat,
                creditsInDatabase: false, logger: Logger(label: "test"))
            let ledger = try await test.open()
            for terms in PlannedBooks.terms {
                _ = try await ledger.providers.setTerms(terms, standardWithholding: .none, by: "kim")
            }
            await ledger.close()
            var history = RandomHistory(seed: Effort.seed, users: Self.commands * 300 / 8_000, gives: true)
            var books = PlannedBooks(vat: vat)
            var (count, now) = (0, start)
            while count < Self.commands {
                let commands = history.batch()
                // Lots expire between their uses, and holds run out: of however many commands in the same time.
                now += Double(400_000 / Self.commands)
                try await clock.set(to: now)
                books.takeBlocks(after: try await lastBlock(connection))
                let plan = books.plan(commands, now: now)
                try books.apply(plan)
                history.learn(from: plan)
                let written = try await writer.post(commands).map { try $0.get().name }
                let planned = try plan.answers.map { try $0.get().name }
                try #require(written == planned)
                // A batch that the database refuses as a whole is written act by act, with other ids.
                try #require(try await entries(plan, connection) == plan.journal.entries.map(\.id), "\(commands)")
                count += commands.count
            }
            await writer.close()
            try await compare(books, with: connection)
            await connection.close()
            try await Audit.expectSound(test)
        }
    }

    /// The last block of ids that was taken; events of one act take a whole one.
    private func lastBlock(_ connection: PostgresConnection) async throws -> Int64 {
        try await connection.run(PostgresQuery.one("SELECT last_value FROM record_id") { row in try row[0] })
    }

    /// The plan's entries that are in the database.
    private func entries(_ plan: Plan, _ connection: PostgresConnection) async throws -> [Int64] {
        let entries = plan.journal.entries
        return try await connection.run(
            PostgresQuery<[Int64]>(
                """
                SELECT asked.id FROM unnest($1::int8[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (id, kind, reference)
                JOIN journal_entry AS entry USING (id, kind, reference)
                ORDER BY ordinality
                """,
                [entries.map(\.id), entries.map(\.kind.rawValue), entries.map(\.reference)]
            ) { row in try row[0] })
    }

    private func compare(_ books: PlannedBooks, with connection: PostgresConnection) async throws {
        let rows = try await connection.run(
            PostgresQuery("SELECT code, debits, credits, seq, balance FROM account") { row in
                (
                    code: try row.decode(0, as: String.self),
                    totals: [try row[1], try row[2], try row[3], try row[4]] as [Int64]
                )
            })
        let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0.totals) })
        let planned = Dictionary(
            uniqueKeysWithValues: books.accounts.values.map {
                ($0.code.rawValue, [$0.debits, $0.credits, $0.seq, $0.balance])
            })
        #expect(stored == planned)
        #expect(try await count("purchase", connection) == Int64(books.purchases.count))
        #expect(try await count("lot", connection) == Int64(books.lots.count))
        #expect(try await count("idempotency", connection) == Int64(books.recorded.count))
        #expect(
            try await connection.run(
                PostgresQuery.one(
                    """
                    SELECT count(*) FROM (
                        SELECT FROM posting GROUP BY journal_entry_id, currency
                        HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0) AS unbalanced
                    """
                ) { row in try row.decode(0, as: Int64.self) }) == 0)
    }

    private func count(_ table: String, _ connection: PostgresConnection) async throws -> Int64 {
        try await connection.run(PostgresQuery.one("SELECT count(*) FROM \(table)") { row in try row[0] })
    }
}
