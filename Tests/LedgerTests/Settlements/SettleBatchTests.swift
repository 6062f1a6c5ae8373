import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A finance report of the App Store has sums and no transactions: purchases are settled by it if it has as many pieces.
@Suite(.timeLimit(.minutes(20))) struct SettleBatchTests {
    // MARK: - Reading

    @Test func `rows of a product are added up, and what is below them is left out`() throws {
        var file = FinanceReportFile([
            ("c100", "S", "2", "1527.272728"), ("c100", "S", "1", "763.5"), ("c100", "R", "-1", "-763.64"),
        ])
        file.add("c100", "S", "1", "0.70", currency: "USD", customers: "USD")
        let report = try file.report()
        #expect(report.sold["c100"]?.pieces == 3 && report.sold["c100"]?.millionths == 2_290_772_728)
        #expect(report.returned["c100"]?.pieces == 1 && report.returned["c100"]?.millionths == 763_640_000)
        #expect(report.leftOut.map(\.kind) == [.otherCurrency, .total, .total])
        let first = try Date("2025-12-27T15:00:00Z", strategy: .iso8601)
        #expect(report.period == first..<(try Date("2026-01-31T15:00:00Z", strategy: .iso8601)))
        #expect(report.lastDay == "2026-01-31")
        #expect(report.paidOutAt == (try Date("2026-03-04T15:00:00Z", strategy: .iso8601)))
    }

    private static let unreadable: [(kind: String, pieces: String, share: String)] = [
        ("X", "1", "840"), ("S", "0", "840"), ("S", "-1", "840"), ("R", "1", "-840"), ("S", "1", "-840"),
        ("S", "", "840"), ("S", "1", ""), ("S", "1", "8,40"), ("S", "1", "840.0000001"), ("S", "x", "840"),
    ]

    @Test(arguments: unreadable)
    func `a row that can't be read refuses the report`(row: (kind: String, pieces: String, share: String)) {
        let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", row.kind, row.pieces, row.share)])
        #expect { try file.report() } throws: { ($0 as? SettlementFileProblem)?.line == 3 }
    }

    @Test func `a report of two periods, of none, or without won is refused`() throws {
        var file = FinanceReportFile([("c100", "S", "1", "840")])
        file.add("c100", "S", "1", "840", to: "02/28/2026")
        #expect { try file.report() } throws: { ($0 as? SettlementFileProblem)?.fault == .otherPeriod }
        var abroad = FinanceReportFile()
        abroad.add("c100", "S", "1", "0.70", currency: "USD")
        #expect(throws: SettlementFileProblem(.nothingInWon)) { try abroad.report() }
        abroad = FinanceReportFile()
        abroad.add("c100", "S", "1", "840", from: "13/01/2026")
        #expect { try abroad.report() } throws: { ($0 as? SettlementFileProblem)?.column == "Start Date" }
    }

    // MARK: - Sharing

    @Test(
        arguments: [
            (100, [1, 1, 1], [34, 33, 33]), (101, [1, 1, 1], [34, 34, 33]),
            (2290, [1200, 1200, 1200], [764, 763, 763]),
            (10, [1, 2, 7], [1, 2, 7]), (10, [3, 3], [5, 5]), (1, [1, 9], [0, 1]), (0, [5, 5], [0, 0]), (5, [], []),
            (1_000_000_000_000, [1_000_000_000_000, 2], [999_999_999_998, 2]),
        ] as [(Int64, [Int64], [Int64])])
    func `a total is shared by weights, to the won`(total: Int64, weights: [Int64], shares: [Int64]) {
        #expect(SettleBatch.shares(of: total, among: weights) == shares)
    }

    @Test func `any shares add up, and none is off by a won`() {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(500, upTo: 20_000) {
            let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Int64.random(in: 1...1_000_000, using: &random)
            }
            let sum = weights.reduce(0, +)
            let total = Int64.random(in: 0...sum, using: &random)
            let shares = SettleBatch.shares(of: total, among: weights)
            #expect(shares.reduce(0, +) == total)
            for (share, weight) in zip(shares, weights) { #expect(abs(share * sum - weight * total) < sum) }
        }
    }

    @Test(
        arguments: [
            (0, 0), (499_999, 0), (500_000, 0), (500_001, 1), (1_500_000, 2), (2_500_000, 2), (763_636_364, 764),
        ] as [(Int64, Int64)])
    func `a share is the nearest whole won, of two the even one`(millionths: Int64, won: Int64) {
        #expect(SettleBatch.won(Int128(millionths)) == won)
    }

    @Test(
        arguments: [
            (1200, 1200, 100, 100, 1), (3600, 3600, 300, 100, 3), (1200, 3600, 300, 100, 1),
            (1000, 3600, 300, 100, nil),
            (1200, 1200, 150, 100, nil), (1200, 1200, 100, nil, nil), (-1200, 1200, 100, 100, nil),
        ] as [(Int64, Int64, Int64, Int64?, Int64?)])
    func `pieces are told by coins and amounts, or not at all`(
        part: Int64, amount: Int64, coins: Int64, each: Int64?, pieces: Int64?
    ) {
        #expect(PiecesSold.pieces(of: part, among: amount, coins: coins, each: each) == pieces)
    }

    // MARK: - Booking

    /// A ledger with the product of 100 coins, sold in the store as `c100` and `c100.trial`.
    private static func with(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from)
                VALUES ('coins_100', '100 coins', 1000, 'KRW', 100, 0, '2025-01-01')
                """)
            for name in ["c100", "c100.trial"] {
                let product = StoreProductName(store: "app-store", app: "com.example", productID: name)
                _ = try await ledger.stores.set(product, to: "coins_100", by: "finance")
            }
            try await body(ledger, test)
        }
    }

    private static func buy(
        _ ledger: Ledger, _ number: Int, pieces: Int64 = 1, paidAt: String = "2026-01-10T03:00:00Z"
    ) async throws -> Purchase {
        try await ledger.buy(
            .sample(
                number, by: "user-\(number)", payment: .sampleInStore(number), coins: 100 * pieces, bonus: 0,
                won: 1200 * pieces, paidAt: try Date(paidAt, strategy: .iso8601)))
    }

    private static func lines(
        _ ledger: Ledger, _ file: FinanceReportFile
    ) async throws -> SettlementFileDraft { try await ledger.settlements.lines(of: try file.report()) }

    @Test func `each purchase gets its share, and the rest of its price is the store's commission`() async throws {
        try await Self.with { ledger, test in
            for (number, pieces) in [(1, 1), (2, 2)] as [(Int, Int64)] {
                _ = try await Self.buy(ledger, number, pieces: pieces)
            }
            // Outside of the period, and at another gateway.
            _ = try await Self.buy(ledger, 3, paidAt: "2025-12-27T14:59:59Z")
            _ = try await Self.buy(ledger, 4, paidAt: "2026-01-31T15:00:00Z")
            _ = try await ledger.buy(.sample(5, payment: .sampleAtPlay(5)))
            let file = FinanceReportFile([("c100", "S", "2", "1527.27"), ("c100.trial", "S", "1", "763.64")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty)
            #expect(draft.lines.map(\.gross) == [1200, 2400] && draft.lines.map(\.net) == [764, 1527])
            #expect(try await ledger.settlements.preview(draft).lines.map(\.outcome) == [.booked, .booked])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 2 && report.file.settled.net == 2291)
            #expect(try await test.total("app-store:receivable") == 2400)
            #expect(try await test.total("bank") == 2291)
            #expect(try await test.total("gateway:fees") == 1309)
            // Once more, and as another file of the same period.
            #expect(
                try await ledger.settlements.book(try await Self.lines(ledger, file), by: "finance").settledNow == 0)
            var other = file
            other.add("books", "S", "1", "5000")
            let again = try await Self.lines(ledger, other)
            #expect(again.leftOut.map(\.kind) == [.total, .total, .otherProduct])
            let twice = try await ledger.settlements.book(again, by: "finance")
            #expect(twice.settledNow == 0 && twice.file.lines[.refused] == 2)
            try await Audit.expectSound(test)
        }
    }

    @Test func `another number of pieces books nothing of the product, and both numbers are told`() async throws {
        try await Self.with { ledger, test in
            _ = try await Self.buy(ledger, 1)
            for (pieces, told) in [("2", 2), ("1", nil)] as [(String, Int64?)] {
                let draft = try await Self.lines(ledger, FinanceReportFile([("c100", "S", pieces, "840")]))
                let fault = told.map {
                    SettlementFileFault.piecesDiffer("coins_100", isReturn: false, report: $0, books: 1)
                }
                #expect(draft.problems.map(\.fault) == [fault].compactMap(\.self))
                #expect(draft.lines.count == (told == nil ? 1 : 0))
            }
            // What the books have and the report does not.
            let none = try await Self.lines(ledger, FinanceReportFile([("books", "S", "1", "840")]))
            #expect(none.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: false, report: 0, books: 1)])
            // A return that the books do not know takes the sales of the product with it.
            let returned = FinanceReportFile([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, returned)
            #expect(draft.lines.isEmpty)
            #expect(draft.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: true, report: 1, books: 0)])
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'settlement'") == 0)
        }
    }

    @Test func `pieces that were given back are kept back, and a part of a piece is for a person`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            func clawBack(to amount: Int64, at moment: String) async throws {
                _ = try await ledger.submit(
                    ClawBack(
                        user: sold.user, payment: sold.payment, cancelledAmount: amount,
                        cancelledAt: try Date(moment, strategy: .iso8601)))
            }
            try await clawBack(to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-1", "-840")])
            let report = try await ledger.settlements.book(try await Self.lines(ledger, file), by: "finance")
            #expect(report.settledNow == 2 && report.file.settled.net == 1680)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("gateway:fees") == 720)
            try await clawBack(to: 1500, at: "2026-01-21T03:00:00Z")
            let draft = try await Self.lines(ledger, file)
            #expect(draft.lines.isEmpty)
            #expect(draft.problems.map(\.fault) == [.piecesUnknown("coins_100", payment: sold.payment.paymentID)])
            try await Audit.expectSound(test)
        }
    }
}
