import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A whole month through the engine, out of it as journals, and into the programs that accountants use.
@Suite(.timeLimit(.minutes(20))) struct BusyMonthTests {
    private static let acts = Effort.count(5_000, upTo: 100_000)
    /// Each does 200 things.
    private static let customers = acts / 200

    @Test func `after a month of many acts hledger and Beancount have our balances`() async throws {
        try await TestLedger.with(at: BusyMonth.dawn) { ledger, test, clock in
            var month = BusyMonth(seed: 20_261_101, customers: Self.customers)
            // What reads the whole books must not depend on what the planner knows: here it knows the first hour.
            try await month.pass(acts: Self.acts, in: ledger, clock) { try await test.freezeStatistics() }
            try await test.summariseBlockRanges()
            expectMixture(month.tally)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") >= Self.acts)
            try await Audit.expectSound(test)
            try await expectProportion(ofDoctorOf: test)
            // Of the others other tests tell.
            for report in Report.ofAnyBooks {
                let rows = try await test.rowsRead(bySessions: "export") {
                    _ = try await ledger.export(report, Self.options(of: report))
                }
                #expect(rows < 500 * Self.acts, "\(report) read \(rows) rows")
            }
            try await expectAgreement(ledger, try await BookBalance.all(of: test))
        }
    }

    /// Each check reads whole tables some times, but none for each row of another.
    private func expectProportion(ofDoctorOf test: TestLedger) async throws {
        var configuration = try PostgresConfiguration(url: test.serviceURL).forExamining
        // What other processes read for a session is not in its numbers.
        configuration.settings["max_parallel_workers_per_gather"] = "0"
        let doctor = Doctor(configuration)
        try await PostgresConnection.with(configuration) { connection in
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for check in Doctor.Check.books {
                let before = try await connection.run(Self.rowsRead)
                _ = try await doctor.run([check], naming: 1, on: connection) { _ in }
                let rows = try await connection.run(Self.rowsRead) - before
                #expect(rows < 100 * Self.acts, "\(check.code) read \(rows) rows")
            }
        }
    }

    /// The rows of tables and entries of indexes that the session has read in its transaction.
    private static let rowsRead = PostgresQuery<Int64>.one(
        """
        SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int8
        FROM pg_class WHERE relnamespace = 'public'::regnamespace
        """
    ) { row in try row[0] }

    private static func options(of report: Report) -> [ExportOption: String] {
        guard report.coverage == .period || report.isByDay else { return [:] }
        return [.from: BusyMonth.period.from, .to: BusyMonth.period.to, .timeZone: BusyMonth.period.zone]
    }

    /// Every kind of act is there, and often.
    private func expectMixture(_ tally: MonthTally) {
        #expect(tally.total == Self.acts)
        for act in MonthAct.allCases { #expect(tally[act] > Self.acts / 500, "\(act): \(tally[act])") }
    }

    /// The month's journal is all there is, so its balances are the books'.
    private func expectAgreement(_ ledger: Ledger, _ balances: [BookBalance]) async throws {
        #expect(Set(balances.map(\.currency)) == ["COIN", "KRW"] && balances.count > 3 * Self.customers)
        async let hledger: Void = {
            let file = try AccountingFile(try await journal(of: ledger, for: "hledger"), "journal")
            #expect(try await file.hledgerBalances() == BookBalance.written(balances))
        }()
        async let beancount: Void = {
            let file = try AccountingFile(try await journal(of: ledger, for: "beancount"), "beancount")
            #expect(Set(try file.openedAccounts().keys) == Set(balances.map(\.name)))
            #expect(try await file.beancountComplaints(about: balances, on: BusyMonth.period.to) == "")
        }()
        _ = try await (hledger, beancount)
    }

    private func journal(of ledger: Ledger, for format: String) async throws -> Exported {
        try await ledger.export(.journal, Self.options(of: .journal).merging([.format: format]) { $1 })
    }
}
