import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A finance report of the App Store has sums and no transactions: it settles as many pieces as it has, the oldest first.
@Suite(.timeLimit(.minutes(20))) struct SettleBatchTests {
    /// A ledger with the product of 100 coins, sold in the store as `c100` and `c100.trial`, and that of 500 coins as `c500`.
    static func with(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            try await addProducts(ledger, test)
            try await body(ledger, test)
        }
    }

    private static func addProducts(_ ledger: Ledger, _ test: TestLedger) async throws {
        try await test.execute(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from)
            VALUES ('coins_100', '100 coins', 1000, 'KRW', 100, 0, '2025-01-01'),
                ('coins_500', '500 coins', 5000, 'KRW', 500, 0, '2025-01-01')
            """)
        for (name, code) in [("c100", "coins_100"), ("c100.trial", "coins_100"), ("c500", "coins_500")] {
            let product = StoreProductName(store: "app-store", app: "com.example", productID: name)
            _ = try await ledger.stores.set(product, to: code, by: "finance")
        }
    }

    @discardableResult
    static func buy(
        _ ledger: Ledger, _ number: Int, pieces: Int64 = 1, of product: String = "coins_100",
        paidAt: String = "2026-01-10T03:00:00Z"
    ) async throws -> Purchase {
        try await ledger.buy(
            .sample(
                number, by: "user-\(number)", payment: .sampleInStore(number), product: product,
                coins: (product == "coins_100" ? 100 : 500) * pieces, bonus: 0, won: 1200 * pieces,
                paidAt: try Date(paidAt, strategy: .iso8601)))
    }

    static func clawBack(
        _ ledger: Ledger, _ sold: Purchase, to amount: Int64, at moment: String
    ) async throws {
        _ = try await ledger.submit(
            ClawBack.sample(of: sold, amount, cancelledAt: try Date(moment, strategy: .iso8601)))
    }

    /// A report of February.
    static func february(
        _ rows: [(product: String, kind: String, pieces: String, share: String)]
    ) -> FinanceReportFile {
        var file = FinanceReportFile()
        for row in rows {
            file.add(row.product, row.kind, row.pieces, row.share, from: "02/01/2026", to: "02/28/2026")
        }
        return file
    }

    static func lines(
        _ ledger: Ledger, _ file: FinanceReportFile
    ) async throws -> SettlementFileDraft { try await ledger.settlements.lines(of: try file.report()) }

    @discardableResult
    static func book(_ ledger: Ledger, _ file: FinanceReportFile) async throws -> SettlementReport {
        try await ledger.settlements.book(try await lines(ledger, file), by: "finance")
    }

    @Test func `each purchase gets its share, and the rest of its price is the store's commission`() async throws {
        try await Self.with { ledger, test in
            for (number, pieces) in [(1, 1), (2, 2)] as [(Int, Int64)] {
                try await Self.buy(ledger, number, pieces: pieces)
            }
            // After the period, and at another gateway.
            try await Self.buy(ledger, 4, paidAt: "2026-01-31T15:00:00Z")
            _ = try await ledger.buy(.sample(5, payment: .sampleAtPlay(5)))
            let file = FinanceReportFile([("c100", "S", "2", "1527.27"), ("c100.trial", "S", "1", "763.64")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty && draft.leftOut.map(\.kind) == [.total, .total])
            #expect(draft.lines.map(\.gross) == [1200, 2400] && draft.lines.map(\.net) == [764, 1527])
            #expect(try await ledger.settlements.preview(draft).lines.map(\.outcome) == [.booked, .booked])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 2 && report.file.settled.net == 2291)
            #expect(try await test.total("app-store:receivable") == 1200)
            #expect(try await test.total("bank") == 2291)
            #expect(try await test.total("gateway:fees") == 1309)
            // Once more, and as another file of the same period: what its lines settled is what the report has.
            #expect(try await Self.book(ledger, file).settledNow == 0)
            var other = file
            other.add("books", "S", "1", "5000")
            let again = try await Self.lines(ledger, other)
            #expect(again.leftOut.map(\.kind) == [.total, .total, .otherProduct] && again.problems.isEmpty)
            let twice = try await ledger.settlements.book(again, by: "finance")
            #expect(twice.settledNow == 0 && twice.file.lines[.refused] == 2)
            let reasons = try await ledger.settlements.listLines(of: twice.file.id, limit: 9).elements.map(\.reason)
            #expect(reasons == ["already_settled", "already_settled"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `what a report does not have stays open, and is the first that the next one has`() async throws {
        try await Self.with { ledger, test in
            try await Self.buy(ledger, 1, paidAt: "2025-12-20T03:00:00Z")
            try await Self.buy(ledger, 2, pieces: 2, paidAt: "2026-01-10T03:00:00Z")
            try await Self.buy(ledger, 3, paidAt: "2026-01-31T14:59:59Z")
            let january = FinanceReportFile([("c100", "S", "2", "1680")])
            let draft = try await Self.lines(ledger, january)
            // Two pieces would be too many after the first one, so the next single one is taken.
            #expect(draft.problems.isEmpty && draft.lines.map(\.payment) == ["2000000000000001", "2000000000000003"])
            #expect(
                draft.leftOut.last?.description
                    == "line 2: \"2 × coins_100\" are in the books and not in this report: they stay outstanding")
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 2)
            try await Self.buy(ledger, 4, paidAt: "2026-02-10T03:00:00Z")
            #expect(try await Self.book(ledger, Self.february([("c100", "S", "2", "1680")])).settledNow == 1)
            let open = try await ledger.settlements.listOutstanding(limit: 9).payments.map(\.payment.paymentID)
            #expect(open == ["2000000000000004"])
            // Another report of the month, which lacks what is settled by it.
            let none = try await Self.lines(ledger, Self.february([("c500", "S", "1", "840")]))
            #expect(
                none.problems.map(\.fault) == [
                    .piecesDiffer("coins_100", isReturn: false, report: 0, books: 2),
                    .piecesDiffer("coins_500", isReturn: false, report: 1, books: 0),
                ])
            #expect(try await test.total("bank") == 3360)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a report that is imported again settles nothing else, of old purchases either`() async throws {
        try await Self.with { ledger, test in
            let old = try await Self.buy(ledger, 1, paidAt: "2025-09-10T03:00:00Z")
            var september = FinanceReportFile()
            september.add("c100", "S", "1", "840", from: "08/31/2025", to: "09/27/2025")
            try await Self.book(ledger, september)
            let new = try await Self.buy(ledger, 2)
            for sold in [old, new] { try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z") }
            let january = FinanceReportFile([("c100", "R", "-1", "-840")])
            for settled in [1, 0] {
                let draft = try await Self.lines(ledger, january)
                #expect(draft.problems.isEmpty && draft.lines.map(\.payment) == [old.payment.paymentID])
                #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == settled)
            }
            #expect(try await test.total("bank") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `pieces that the books lack are a problem with both numbers, and the others can be booked`()
        async throws
    {
        try await Self.with { ledger, test in
            try await Self.buy(ledger, 1)
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(
                draft.problems.map(\.fault) == [
                    .piecesDiffer("coins_100", isReturn: false, report: 3, books: 1),
                    .piecesDiffer("coins_100", isReturn: true, report: 1, books: 0),
                ])
            #expect(draft.lines.map(\.net) == [840])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            // Its purchase is credited later: the same file books it, with what is left of the share.
            try await Self.buy(ledger, 2, paidAt: "2026-01-05T03:00:00Z")
            let more = try await Self.lines(ledger, file)
            let stillLacking = SettlementFileFault.piecesDiffer("coins_100", isReturn: false, report: 3, books: 2)
            #expect(more.problems.first?.fault == stillLacking)
            let report = try await ledger.settlements.book(more, by: "finance")
            #expect(report.settledNow == 1 && report.file.settled.net == 1680)
            // A report of the period that has fewer pieces than its lines settled.
            let fewer = try await Self.lines(ledger, FinanceReportFile([("c100", "S", "1", "840")]))
            #expect(
                fewer.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: false, report: 1, books: 2)])
            try await Audit.expectSound(test)
        }
    }

    @Test func `all products together pay out the nearest whole won`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            try await Self.buy(ledger, 2, of: "coins_500")
            // Each alone would be 840, 840 and -840 won.
            let file = FinanceReportFile([
                ("c100", "S", "1", "840.4"), ("c500", "S", "1", "840.4"), ("c100", "R", "-1", "-839.8"),
            ])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.lines.map(\.net) == [-840, 841, 840])
            #expect(draft.lines.reduce(0) { $0 + $1.net } == 841)
            #expect(try await Self.book(ledger, file).file.settled.net == 841)
            #expect(try await test.total("bank") == 841)
        }
    }

    @Test func `a share above the price is a problem with both numbers, and nothing of the product is booked`()
        async throws
    {
        try await Self.with { ledger, _ in
            try await Self.buy(ledger, 1)
            try await Self.buy(ledger, 2, of: "coins_500")
            let file = FinanceReportFile([("c100", "S", "1", "1200.01"), ("c500", "S", "1", "1200")])
            let draft = try await Self.lines(ledger, file)
            #expect(
                draft.problems.map(\.fault)
                    == [.shareAbovePrice("coins_100", isReturn: false, share: 1201, price: 1200)])
            #expect(draft.lines.map(\.payment) == ["2000000000000002"] && draft.lines.map(\.fee) == [0])
        }
    }

    @Test func `a ledger that books VAT tells that it may be in what the store keeps`() async throws {
        try await TestLedger.with(vat: VATSettings(isBooked: true)) { ledger, test in
            try await Self.addProducts(ledger, test)
            try await Self.buy(ledger, 1)
            let draft = try await Self.lines(ledger, FinanceReportFile([("c100", "S", "1", "764")]))
            #expect(draft.leftOut.map(\.kind) == [.total, .total, .taxInFee])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            #expect(try await test.total("tax:vat-input") == 0)
            #expect(try await test.total("gateway:fees") == 436)
        }
    }
}
