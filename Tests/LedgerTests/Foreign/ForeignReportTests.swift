import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Apple's report in a foreign currency settles what was paid in it, at the rate of Apple's payout.
@Suite(.timeLimit(.minutes(20))) struct ForeignReportTests {
    static func payout(_ rate: String, _ proceeds: String, of currency: String = "USD") throws -> ForeignPayout {
        try #require(try ForeignPayout([.currency: currency, .rate: rate, .proceeds: proceeds]))
    }

    /// The report with these rows in dollars: kind, pieces, share.
    private static func file(
        _ rows: [(kind: String, pieces: String, share: String)], isOfFebruary: Bool = false
    ) -> FinanceReportFile {
        var file = FinanceReportFile()
        for row in rows {
            file.add(
                "c100", row.kind, row.pieces, row.share, currency: "USD", customers: "USD",
                from: isOfFebruary ? "02/01/2026" : "12/28/2025", to: isOfFebruary ? "02/28/2026" : "01/31/2026")
        }
        return file
    }

    private static func lines(
        _ ledger: Ledger, _ file: FinanceReportFile, _ payout: ForeignPayout
    ) async throws -> SettlementFileDraft {
        try await ledger.settlements.lines(of: try file.report(payout: payout))
    }

    private static func book(
        _ ledger: Ledger, _ file: FinanceReportFile, _ payout: ForeignPayout
    ) async throws -> SettlementReport {
        try await ledger.settlements.book(try await lines(ledger, file, payout), by: "finance")
    }

    private static func buy(_ ledger: Ledger, _ number: Int, pieces: Int64 = 1, at rate: Rate) async throws -> Purchase
    {
        try await ledger.buy(
            .sample(number, by: "user-\(number)", paying: 99 * pieces, at: rate, coins: 100 * pieces))
    }

    @Test func `each purchase gets its share in won, and the rate of the payout gains the rest`() async throws {
        try await SettleBatchTests.with { ledger, test in
            let dollars = try await ledger.publish("1387.40")
            let euros = try await ledger.publish("1600", of: "EUR")
            let first = try await Self.buy(ledger, 1, at: dollars)
            _ = try await Self.buy(ledger, 2, pieces: 2, at: dollars)
            let others = [try await Self.buy(ledger, 3, at: euros), try await SettleBatchTests.buy(ledger, 4)]
            var file = Self.file([("S", "3", "2.08")])
            // Apple pays it out in dollars, too, but the buyer paid in soles.
            file.add("c100", "S", "1", "0.50", currency: "USD", customers: "PEN")
            file.add("c100", "S", "1", "840")
            let payout = try Self.payout("1400", "3612")
            let draft = try await Self.lines(ledger, file, payout)
            #expect(
                draft.problems.isEmpty
                    && draft.leftOut.map(\.kind) == [
                        .notInCurrency("USD"), .notInCurrency("USD"), .total, .total,
                    ])
            #expect(draft.lines.map(\.foreign?.amount) == [99, 198] && draft.lines.map(\.gross) == [1386, 2772])
            #expect(draft.lines.map(\.net) == [971, 1941] && draft.lines.map(\.fee) == [415, 831])
            #expect(try await ledger.settlements.preview(draft).lines.map(\.outcome) == [.booked, .booked])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 2)
            let balances = try await ForeignSettlementTests.balances(test)
            #expect(balances["bank"] == 2912 && balances["gateway:fees"] == 1246 && balances["fx:gain:USD"] == 37)
            #expect(balances["app-store:receivable:USD"] == nil && balances["fx:clearing:USD:KRW"] == nil)
            #expect(balances["app-store:receivable:EUR"] == 99)
            let line = try #require(try await ledger.settlements.listLines(of: report.file.id, limit: 3).elements.first)
            #expect(line.carried == first.amount && line.foreign?.currency == dollars.currency)
            let open = try await ledger.settlements.listOutstanding(limit: 9).payments.map(\.purchaseID)
            #expect(Set(open) == Set(others.map(\.id)))
            #expect(try await ledger.export(.foreignSettlements).records.map { $0["gain"] } == ["12", "25"])
            // What its lines settled is what the report has; the same file settles the won, too.
            #expect(try await Self.book(ledger, file, payout).settledNow == 0)
            let won = try await ledger.settlements.lines(of: try file.report())
            #expect(try await ledger.settlements.book(won, by: "finance").settledNow == 1)
            #expect(try await ForeignSettlementTests.balances(test)["bank"] == 2912 + 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what went back after its payout is kept back at the rate of its own report`() async throws {
        try await SettleBatchTests.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let sold = try await Self.buy(ledger, 1, at: rate)
            let paidOut = try await Self.book(ledger, Self.file([("S", "1", "0.69")]), try Self.payout("1400", "966"))
            #expect(paidOut.settledNow == 1)
            try await SettleBatchTests.clawBack(ledger, sold, to: 99, at: "2026-02-10T03:00:00Z")
            let february = Self.file([("R", "-1", "-0.69")], isOfFebruary: true)
            let draft = try await Self.lines(ledger, february, try Self.payout("1300", "-897"))
            #expect(draft.lines.map(\.foreign?.amount) == [-99])
            #expect(draft.lines.map { [$0.gross, $0.fee, $0.net] } == [[-1287, -390, -897]])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            // 1386 less 1374, and 1374 less 1287.
            let expected: [String: Int64] = ["bank": 69, "gateway:fees": 30, "fx:gain:USD": 99]
            #expect(try await ForeignSettlementTests.balances(test) == expected)
            #expect(try await ledger.settlements.listOutstanding(limit: 9).payments.isEmpty)
            #expect(try await Self.book(ledger, february, try Self.payout("1300", "-897")).settledNow == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `pieces that the books got later take what is left of the payout, at a loss`() async throws {
        try await SettleBatchTests.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await Self.buy(ledger, 1, at: rate)
            let file = Self.file([("S", "3", "2.07")])
            let payout = try Self.payout("1300", "2691")
            let draft = try await Self.lines(ledger, file, payout)
            let lacking = SettlementFileFault.piecesDiffer("coins_100", isReturn: false, report: 3, books: 1)
            #expect(draft.problems.map(\.fault) == [lacking] && draft.lines.map(\.net) == [897])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            _ = try await Self.buy(ledger, 2, pieces: 2, at: rate)
            let more = try await Self.lines(ledger, file, payout)
            #expect(more.problems.isEmpty && more.lines.map(\.net) == [897, 1794])
            #expect(try await ledger.settlements.book(more, by: "finance").settledNow == 1)
            let balances = try await ForeignSettlementTests.balances(test)
            // 1374 and 2747 were carried, and 1287 and 2574 are what they are worth at 1300.
            #expect(balances == ["bank": 2691, "gateway:fees": 1170, "fx:loss:USD": 260])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a share above the price at the rate is a problem in won, and nothing of the product is booked`()
        async throws
    {
        try await SettleBatchTests.with { ledger, _ in
            _ = try await Self.buy(ledger, 1, at: try await ledger.publish("1387.40"))
            let draft = try await Self.lines(ledger, Self.file([("S", "1", "1.00")]), try Self.payout("1400", "1400"))
            let above = SettlementFileFault.shareAbovePrice("coins_100", isReturn: false, share: 1400, price: 1386)
            #expect(draft.problems.map(\.fault) == [above] && draft.lines.isEmpty)
        }
    }
}
