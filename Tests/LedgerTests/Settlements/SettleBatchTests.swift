import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A finance report of the App Store has sums and no transactions: it settles as many pieces as it has, the oldest first.
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

    @Test(
        arguments: [
            ("12/26/2025", -1), ("12/27/2025", 0), ("12/28/2025", nil), ("02/05/2026", nil), ("02/06/2026", 41),
            ("12/31/2999", 355_750),
        ] as [(String, Int64?)])
    func `a period is of 1 to 40 days`(last: String, refused: Int64?) throws {
        var file = FinanceReportFile()
        file.add("c100", "S", "1", "840", to: last)
        guard let refused else {
            #expect(try file.report().sold["c100"]?.pieces == 1)
            return
        }
        #expect { try file.report() } throws: { error in
            let problem = error as? SettlementFileProblem
            return problem?.fault == .periodOfDays(refused) && problem?.column == "End Date"
        }
    }

    @Test func `a row that was free is left out, and its pieces do not count`() throws {
        let report = try FinanceReportFile([("c100", "S", "1", "840"), ("c100", "S", "2", "0.00")]).report()
        #expect(report.sold["c100"]?.pieces == 1)
        #expect(report.leftOut.map(\.kind) == [.nothing, .total, .total] && report.leftOut.first?.line == 3)
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

    // MARK: - Pieces

    @Test(
        arguments: [
            (1200, 1200, 100, 100, 1), (3600, 3600, 300, 100, 3), (1200, 3600, 300, 100, 1),
            (2400, 1200, 100, 100, 2), (1000, 3600, 300, 100, nil),
            (1200, 1200, 150, 100, nil), (1200, 1200, 100, nil, nil), (-1200, 1200, 100, 100, nil),
        ] as [(Int64, Int64, Int64, Int64?, Int64?)])
    func `pieces are told by coins and amounts, or not at all`(
        part: Int64, amount: Int64, coins: Int64, each: Int64?, pieces: Int64?
    ) {
        let none = ReportableSale.Side(open: 0)
        let sale = ReportableSale(
            purchaseID: 1, payment: "1", product: "coins_100", amount: amount, coins: coins, coinsEach: each,
            settled: 0, paidOut: 0, sold: none, returned: none)
        #expect(sale.pieces(of: part) == pieces)
    }

    // MARK: - Booking

    /// A ledger with the product of 100 coins, sold in the store as `c100` and `c100.trial`, and that of 500 coins as `c500`.
    private static func with(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
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
    private static func buy(
        _ ledger: Ledger, _ number: Int, pieces: Int64 = 1, of product: String = "coins_100",
        paidAt: String = "2026-01-10T03:00:00Z"
    ) async throws -> Purchase {
        try await ledger.buy(
            .sample(
                number, by: "user-\(number)", payment: .sampleInStore(number), product: product,
                coins: (product == "coins_100" ? 100 : 500) * pieces, bonus: 0, won: 1200 * pieces,
                paidAt: try Date(paidAt, strategy: .iso8601)))
    }

    private static func clawBack(
        _ ledger: Ledger, _ sold: Purchase, to amount: Int64, at moment: String
    ) async throws {
        _ = try await ledger.submit(
            ClawBack.sample(of: sold, amount, cancelledAt: try Date(moment, strategy: .iso8601)))
    }

    /// A report of February.
    private static func february(
        _ rows: [(product: String, kind: String, pieces: String, share: String)]
    ) -> FinanceReportFile {
        var file = FinanceReportFile()
        for row in rows {
            file.add(row.product, row.kind, row.pieces, row.share, from: "02/01/2026", to: "02/28/2026")
        }
        return file
    }

    private static func lines(
        _ ledger: Ledger, _ file: FinanceReportFile
    ) async throws -> SettlementFileDraft { try await ledger.settlements.lines(of: try file.report()) }

    @discardableResult
    private static func book(_ ledger: Ledger, _ file: FinanceReportFile) async throws -> SettlementReport {
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

    @Test func `pieces that were given back are kept back, and a part of a piece is for a person`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let part = try await Self.buy(ledger, 2)
            try await Self.clawBack(ledger, part, to: 300, at: "2026-01-21T03:00:00Z")
            // After the period.
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-31T15:00:00Z")
            let file = FinanceReportFile([("c100", "S", "4", "3360"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty)
            #expect(draft.leftOut.last?.description.contains("\"coins_100 \(part.payment.paymentID)\"") == true)
            #expect(draft.leftOut.map(\.kind) == [.total, .total, .piecesUnknown])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 3 && report.file.settled.net == 2520)
            #expect(try await Self.book(ledger, Self.february([("c100", "R", "-1", "-840")])).settledNow == 1)
            // What is left is owed to Apple: the part.
            #expect(try await test.total("app-store:receivable") == -300)
            #expect(try await ledger.settlements.listOutstanding(limit: 9).payments.map(\.outstanding) == [-300])
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was given back in a closed month is of the month in which it happened`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            let closing = try await ledger.periods.close(
                until: try Date("2026-02-28T15:00:00Z", strategy: .iso8601), by: "finance")
            guard case .closed = closing else {
                Issue.record("\(closing)")
                return
            }
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE late_for IS NOT NULL") == 1)
            let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == [-1200, 1200])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 2)
        }
    }

    @Test func `a refund by bank transfer is none of the store's, and what the store gives back after it is told`()
        async throws
    {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            let begun = try await ledger.submit(
                BeginRefund.sample(of: sold.id, by: sold.user, method: .bankTransfer))
            #expect(begun.refusal == nil)
            let file = FinanceReportFile([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: true, report: 1, books: 0)])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 1)
            #expect(try await test.total("app-store:receivable") == 0)
            try await Audit.expectSound(test)
        }
    }

    /// A report of these days before and after today, which are days of disputes' decisions.
    private static func today(
        _ until: Int64, _ rows: [(product: String, kind: String, pieces: String, share: String)]
    ) throws -> FinanceReport {
        let today = Int64(Date().timeIntervalSince1970) / 86_400
        func written(_ day: Int64) -> String {
            let date = CivilDate(daysSince1970: day).description.split(separator: "-")
            return "\(date[1])/\(date[2])/\(date[0])"
        }
        var file = FinanceReportFile()
        for row in rows {
            file.add(
                row.product, row.kind, row.pieces, row.share, from: written(today - 10), to: written(today + until))
        }
        return try file.report(paidOutOn: CivilDate(daysSince1970: today).description)
    }

    @Test func `what a dispute took and gave back is sold once more, in the report that keeps it back`() async throws {
        try await Self.with { ledger, test in
            let yesterday = Date().addingTimeInterval(-86_400 * 2).formatted(.iso8601)
            let sold = try await Self.buy(ledger, 1, paidAt: yesterday)
            let settlements = ledger.settlements
            let first = try await settlements.lines(of: try Self.today(10, [("c100", "S", "1", "840")]))
            #expect(try await settlements.book(first, by: "finance").settledNow == 1)
            let lost = try await ledger.lose(sold)
            _ = try await ledger.submit(try await ledger.win("won", lost.dispute))
            let later = try Self.today(11, [("c100", "R", "-1", "-840"), ("c100", "S", "1", "840")])
            let draft = try await settlements.lines(of: later)
            #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == [-1200, 1200])
            #expect(try await settlements.book(draft, by: "finance").settledNow == 2)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    // MARK: - What comes after an import

    /// What a draft is, and that another file of the period books none of it twice.
    private static func bookOnce(
        _ ledger: Ledger, _ file: FinanceReportFile, inFebruary: Bool = false, gross: [Int64], new: Int
    ) async throws {
        let draft = try await lines(ledger, file)
        #expect(draft.problems.isEmpty && draft.lines.map(\.gross) == gross)
        let outcomes = try await ledger.settlements.preview(draft).lines.map(\.outcome)
        #expect(outcomes.count { $0 == .booked } == new)
        #expect(outcomes.allSatisfy { [.booked, .refused("already_settled")].contains($0) })
        #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == Int64(new))
        #expect(try await book(ledger, file).settledNow == 0)
        let (first, last) = inFebruary ? ("02/01/2026", "02/28/2026") : ("12/28/2025", "01/31/2026")
        var other = file
        other.add("books", "S", "1", "5000", from: first, to: last)
        let twice = try await book(ledger, other)
        #expect(twice.settledNow == 0 && twice.file.lines[.refused] == Int64(gross.count))
    }

    @Test func `what is told after an import is a further line of its purchase`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-2", "-1680")])
            let draft = try await Self.lines(ledger, file)
            #expect(draft.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: true, report: 2, books: 1)])
            #expect(try await ledger.settlements.book(draft, by: "finance").settledNow == 2)
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-21T03:00:00Z")
            try await Self.bookOnce(ledger, file, gross: [-1200, -1200, 3600], new: 1)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `an interrupted import has what came meanwhile beside the lines that it stored`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "3", "2520"), ("c100", "R", "-2", "-1680")])
            _ = try await ledger.settlements.store(try await Self.lines(ledger, file), by: "finance") { _ in }
            try await Self.clawBack(ledger, sold, to: 2400, at: "2026-01-21T03:00:00Z")
            try await Self.bookOnce(ledger, file, gross: [-1200, -1200, 3600], new: 3)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [false, true])
    func `what was given back and taken back in a period is sold twice in its report`(isToldLate: Bool) async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-01-20T03:00:00Z")
            let file = FinanceReportFile([("c100", "S", "2", "1680"), ("c100", "R", "-1", "-840")])
            if isToldLate { #expect(try await Self.book(ledger, file).settledNow == 2) }
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            try await Self.bookOnce(ledger, file, gross: [-1200, 1200, 1200], new: isToldLate ? 1 : 3)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what a report keeps back makes room for what it has sold once more`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1)
            #expect(try await Self.book(ledger, FinanceReportFile([("c100", "S", "1", "840")])).settledNow == 1)
            try await Self.clawBack(ledger, sold, to: 1200, at: "2026-02-10T03:00:00Z")
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            let file = Self.february([("c100", "S", "1", "840"), ("c100", "R", "-1", "-840")])
            // Without it there is none: of a payment never more is paid out than was paid.
            let none = try await Self.lines(ledger, Self.february([("c100", "S", "1", "840")]))
            #expect(none.problems.map(\.fault) == [.piecesDiffer("coins_100", isReturn: false, report: 1, books: 0)])
            try await Self.bookOnce(ledger, file, inFebruary: true, gross: [-1200, 1200], new: 2)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 840)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of a refund that the store took back in part, the part is sold once more`() async throws {
        try await Self.with { ledger, test in
            let sold = try await Self.buy(ledger, 1, pieces: 3)
            let cancelledAt = try Date("2026-01-20T03:00:00Z", strategy: .iso8601)
            _ = try await ledger.submit(ClawBack.sample(of: sold, 2400, cancelledAt: cancelledAt))
            _ = try await ledger.submit(
                try await ledger.reversal(of: sold, total: 1200, cancelledAt: cancelledAt))
            let file = FinanceReportFile([("c100", "S", "4", "3360"), ("c100", "R", "-2", "-1680")])
            try await Self.bookOnce(ledger, file, gross: [-2400, 3600, 1200], new: 3)
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("bank") == 1680)
            // The rest, too.
            _ = try await ledger.submit(try await ledger.reversal(of: sold))
            let february = Self.february([("c100", "S", "1", "840")])
            try await Self.bookOnce(ledger, february, inFebruary: true, gross: [1200], new: 1)
            #expect(try await test.total("app-store:receivable") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `more than was paid is kept back by one import after the other`() {
        func parts(_ settled: Int64, _ paidOut: Int64, isReturn: Bool, open: Int64, keptBack: Int64 = 0) -> [Int64] {
            let sale = ReportableSale(
                purchaseID: 1, payment: "1", product: "coins_100", amount: 1200, coins: 100, coinsEach: 100,
                settled: settled, paidOut: paidOut, sold: ReportableSale.Side(open: isReturn ? 0 : open),
                returned: ReportableSale.Side(open: isReturn ? open : 0))
            return sale.parts(isReturn: isReturn, besides: 0, keptBack: keptBack)
        }
        // Sold, and twice given back and taken back.
        #expect(parts(0, 0, isReturn: true, open: 2400) == [1200])
        #expect(parts(0, 0, isReturn: false, open: 3600, keptBack: 1200) == [1200, 1200])
        #expect(parts(1200, 2400, isReturn: true, open: 1200) == [1200])
        #expect(parts(1200, 2400, isReturn: false, open: 1200, keptBack: 1200) == [1200])
        #expect(parts(1200, 3600, isReturn: false, open: 0).isEmpty)
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

    // MARK: - An import that was interrupted

    @Test func `an interrupted import goes on with the lines that it stored, whatever came meanwhile`() async throws {
        try await Self.with { ledger, test in
            try await Self.buy(ledger, 1)
            try await Self.buy(ledger, 2)
            let file = FinanceReportFile([("c100", "S", "2", "1681")])
            let first = try await Self.lines(ledger, file)
            _ = try await ledger.settlements.store(first, by: "finance") { _ in }
            // An older one, which would be the first.
            try await Self.buy(ledger, 3, paidAt: "2026-01-02T03:00:00Z")
            let draft = try await Self.lines(ledger, file)
            #expect(draft.lines == first.lines && draft.leftOut.map(\.kind) == [.total, .total, .notInReport])
            let report = try await ledger.settlements.book(draft, by: "finance")
            #expect(report.settledNow == 2 && report.file.settled.net == 1681)
            #expect(report.file.lines[.waiting] == 0)
            #expect(try await ledger.settlements.listOutstanding(limit: 9).payments.count == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `only lines of the file as it is read now are booked, and not what an interrupted import stored`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            for number in 1...2 { _ = try await ledger.buy(.sample(number, by: "user-\(number)")) }
            let rows =
                [("imp_1", 1000, 30, 0, "2026-11-20"), ("imp_2", 1000, 30, 0, "2026-11-20")]
                as [(String, Int64, Int64, Int64, String)]
            let whole = try SettlementFileDraft.sample(rows)
            _ = try await ledger.settlements.store(whole, by: "finance") { _ in }
            let part = SettlementFileDraft(
                name: whole.name, sha256: whole.sha256, lines: Array(whole.lines.suffix(1)), problems: [], leftOut: [])
            let report = try await ledger.settlements.book(part, by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.waiting] == 1)
            let open = try await ledger.settlements.listOutstanding(limit: 9).payments
            #expect(open.map(\.payment.paymentID) == ["imp_1"])
            #expect(try await ledger.settlements.book(whole, by: "finance").settledNow == 1)
            try await Audit.expectSound(test)
        }
    }
}
