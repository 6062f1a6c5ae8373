import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A whole month through the engine, out of it as journals, and into the programs that accountants use.
@Suite(.timeLimit(.minutes(20))) struct BusyMonthTests {
    private static let acts = Effort.count(5_000, upTo: 100_000)
    private static let customers = 500

    @Test func `after a month of many acts hledger and Beancount have our balances`() async throws {
        try await TestLedger.withDatabase { test in
            let clock = try await TestClock(in: test, at: BusyMonth.dawn)
            let ledger = try await test.open()
            var month = BusyMonth(seed: 20_261_101, customers: Self.customers)
            // What reads the whole books must not depend on what the planner knows: here it knows the first hour.
            try await month.pass(acts: Self.acts, in: ledger, clock) { try await test.freezeStatistics() }
            expectMixture(month.tally)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") >= Self.acts)
            try await expectSoon("the doctor") { try await Audit.expectSound(test) }
            // Of no run, and of vouchers, which need an ERP's accounts, other tests tell.
            for report in Report.allCases where report.scope != .run && report != .vouchers {
                try await expectSoon(report.rawValue) { _ = try await ledger.export(report, Self.options(of: report)) }
            }
            try await expectAgreement(ledger, try await BookBalance.all(of: test))
            await ledger.close()
        }
    }

    /// Whole tables are read in seconds, also by a busy machine; a table for each row of another takes hours.
    private func expectSoon(_ reading: String, _ read: () async throws -> Void) async throws {
        let time = try await ContinuousClock().measure(read)
        #expect(time < .seconds(180), "\(reading) took \(time)")
    }

    private static func options(of report: Report) -> [ExportOption: String] {
        guard report.scope == .period else { return [:] }
        return [.from: BusyMonth.period.from, .to: BusyMonth.period.to, .timeZone: BusyMonth.period.zone]
    }

    /// Every kind of act is there, and often.
    private func expectMixture(_ tally: MonthTally) {
        #expect(tally.total == Self.acts)
        for act in MonthAct.allCases { #expect(tally[act] > Self.acts / 500, "\(act): \(tally[act])") }
    }

    /// The month's journal is all there is, so its balances are the books'.
    private func expectAgreement(_ ledger: Ledger, _ balances: [BookBalance]) async throws {
        // Each customer has an account; 100,000 acts open more than 1,500.
        let fewest = max(Self.customers, Self.acts * 3 / 200)
        #expect(Set(balances.map(\.currency)) == ["COIN", "KRW"] && balances.count > fewest)
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
