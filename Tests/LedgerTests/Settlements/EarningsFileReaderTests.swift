import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Google Play's earnings files have several rows for an order, which become one line for each direction and day.
@Suite(.timeLimit(.minutes(20))) struct EarningsFileReaderTests {
    private static func read(_ text: String) throws -> SettlementFileDraft {
        let reader = EarningsFileReader(paidOutOn: "2026-02-15", in: try #require(TimeZone(identifier: "Asia/Seoul")))
        return try #require(reader).read(Array(text.utf8), named: "PlayApps_202601.csv")
    }

    private static func amounts(_ draft: SettlementFileDraft) -> [[Int64]] {
        draft.lines.map { [$0.number, $0.gross, $0.fee, $0.tax, $0.net] }
    }

    @Test func `the rows of an order become a line, effective on the day of the payout`() throws {
        var file = EarningsFile([
            ("GPA.1", "Charge", "1000"), ("GPA.2", "Charge", "\"2,000.00\""), ("GPA.1", "Google fee", "-150"),
            ("GPA.2", "Google fee", "-300.00"),
        ])
        file.add("GPA.1", "Charge refund", "-1000", on: "Jan 20, 2026")
        file.add("GPA.1", "Google fee refund", "150", on: "Jan 20, 2026")
        let draft = try file.draft()
        #expect(draft.problems.isEmpty && draft.leftOut.isEmpty && draft.sha256.count == 32)
        #expect(draft.lines.map(\.payment) == ["GPA.1", "GPA.2", "GPA.1"])
        #expect(Self.amounts(draft) == [[2, 1000, 150, 0, 850], [3, 2000, 300, 0, 1700], [6, -1000, -150, 0, -850]])
        #expect(draft.lines.map(\.paidOutOn) == ["2026-01-03", "2026-01-03", "2026-01-20"])
        let payout = try Date("2026-02-14T15:00:00Z", strategy: .iso8601)
        #expect(draft.lines.allSatisfy { $0.paidOutAt == payout && $0.place == 1 })
    }

    /// What is charged, kept as a fee and taxed in an order of ₩1,000; and gross, fee, tax and net of its line.
    private static let orders: [(kinds: [(String, String)], line: [Int64])] = [
        ([("Charge", "1000")], [1000, 0, 0, 1000]),
        // Two products in an order.
        ([("Charge", "600"), ("Charge", "400"), ("Google fee", "-150")], [1000, 150, 0, 850]),
        // A tax that Google keeps, and one that the buyer paid on top.
        ([("Charge", "1000"), ("Google fee", "-150"), ("Tax", "-91")], [1000, 150, 91, 759]),
        ([("Charge", "909"), ("Tax", "91"), ("Google fee", "-150")], [1000, 150, 0, 850]),
        ([("Charge refund", "-1000"), ("Google fee refund", "150"), ("Tax refund", "91")], [-1000, -150, -91, -759]),
        ([("Charge refund", "-909"), ("Tax refund", "-91"), ("Google fee refund", "150")], [-1000, -150, 0, -850]),
        // A fee alone, of another day than its charge.
        ([("Google fee", "-150")], [0, 150, 0, -150]), ([("Tax", "-91")], [0, 0, 91, -91]),
        ([("CHARGE", "1000"), ("google FEE", "-150")], [1000, 150, 0, 850]),
    ]

    @Test(arguments: orders.indices)
    func `what the kinds of rows mean for a line`(order: Int) throws {
        let (kinds, line) = Self.orders[order]
        let draft = try EarningsFile(kinds.map { ("GPA.1", $0.0, $0.1) }).draft()
        #expect(Self.amounts(draft) == [[2] + line])
    }

    @Test func `a byte order mark, titles, other separators and other writings of days change nothing`() throws {
        let rows = EarningsFile([("GPA.1", "Charge", "1000")])
        let usual = try rows.draft().lines
        for text in [
            "\u{FEFF}" + rows.text, "\u{FEFF}Earnings\r\n\r\n" + rows.text.replacing("\n", with: "\r\n"),
            rows.text.replacing(",", with: ";").replacing("Jan 3; 2026", with: "Jan 3, 2026"),
            rows.text.replacing("Jan 3, 2026", with: "Jan 03, 2026"),
            rows.text.replacing("Jan 3, 2026", with: "2026-01-03"),
            rows.text.lowercased().replacing("gpa.1", with: "GPA.1")
                .replacing("jan", with: "Jan").replacing("krw", with: "KRW"),
        ] {
            let lines = try Self.read(text).lines
            #expect(lines.map(\.payment) == usual.map(\.payment) && lines.map(\.gross) == [1000], "\(text)")
            #expect(lines.map(\.paidOutOn) == ["2026-01-03"], "\(text)")
        }
    }

    @Test func `a row that can't be read takes its whole order with it, and no other`() throws {
        let good = ("GPA.1", "Charge", "1000")
        for (row, fault) in [
            (("GPA.2", "Google fee", "-150.5"), "is \"-150.5\": it must be"), (("GPA.2", "Google fee", ""), "is \"\""),
            (("GPA.2", "Google fee", "x"), "is \"x\": it must be"),
            (("GPA.2", "Charge adjustment", "1"), "is \"Charge adjustment\": it must be Charge"),
        ] {
            let draft = try EarningsFile([good, ("GPA.2", "Charge", "1000"), row]).draft()
            #expect(draft.lines.map(\.payment) == ["GPA.1"], "\(row)")
            #expect(draft.problems.map(\.line) == [4, 3], "\(row)")
            #expect(draft.problems.first?.message.contains(fault) == true, "\(draft.problems)")
            #expect(draft.problems.last?.fault == .orderIncomplete("GPA.2"), "\(row)")
        }
        var file = EarningsFile([good])
        file.add("GPA.2", "Charge", "1000", on: "Feb 30, 2026")
        let draft = try file.draft()
        #expect(draft.lines.map(\.payment) == ["GPA.1"])
        #expect(draft.problems.map(\.column) == ["Transaction Date"])
        #expect(draft.problems.map(\.fault) == [.transactionDate("Feb 30, 2026")])
        // A row that is cut off.
        let cut = try Self.read(EarningsFile([good]).text + "GPA.3,\"Jan 3, 2026\"\n")
        #expect(cut.lines.map(\.payment) == ["GPA.1"] && cut.problems.map(\.fault) == [.fieldMissing(columns: 2)])
    }

    @Test func `a row that may hide rows of other orders refuses the file`() throws {
        let text = EarningsFile([
            ("GPA.1", "Charge", "1000"), ("GPA.1", "Google fee", "-150"), ("GPA.2", "Charge", "1000"),
            ("GPA.2", "Google fee", "-150"), ("GPA.3", "Charge", "1000"),
        ]).text
        #expect(try Self.read(text).lines.map(\.net) == [850, 850, 1000])
        // The quote of the first order's fee takes the charge of the second one into it.
        let hiding = text.replacing(
            "GPA.1,\"Jan 3, 2026\",10:01:02 AM PDT,,Google fee",
            with: "GPA.1,\"Jan 3, 2026,10:01:02 AM PDT,,Google fee")
        for malformed in [
            hiding, text + "\"GPA.4", text.replacing("100 coins", with: "100 \"coins", maxReplacements: 1),
        ] {
            #expect(malformed != text)
            #expect { try Self.read(malformed) } throws: { ($0 as? SettlementFileProblem)?.fault == .quoteOutOfPlace }
        }
        var nameless = EarningsFile([("GPA.1", "Charge", "1000")])
        nameless.add("", "Google fee", "-150")
        #expect { try nameless.draft() } throws: { error in
            let problem = error as? SettlementFileProblem
            return problem?.fault == .noPaymentID && problem?.line == 3 && problem?.column == "Description"
        }
    }

    @Test(arguments: [("USD", "KRW"), ("KRW", "ZZZ"), ("USD", "USD"), ("", "KRW")])
    func `what is not paid out in won, or paid in an unknown currency, is left out and named`(
        merchant: String, buyer: String
    ) throws {
        var file = EarningsFile([("GPA.1", "Charge", "1000")])
        file.add("GPA.2", "Charge", "9.99", currency: merchant, buyer: buyer)
        file.add("GPA.2", "Google fee", "-1.50", currency: merchant, buyer: buyer)
        let draft = try file.draft()
        #expect(draft.lines.map(\.payment) == ["GPA.1"] && draft.problems.isEmpty)
        #expect(draft.leftOut.map(\.kind) == [.otherCurrency, .otherCurrency] && draft.leftOut.map(\.line) == [3, 4])
        #expect(draft.leftOut.first?.description.contains("GPA.2") == true)
    }

    @Test func `what a buyer paid in dollars has both amounts: tax on top of it was paid, too`() throws {
        var file = EarningsFile()
        file.add("GPA.1", "Charge", "1254", buyer: "USD", paid: "0.90")
        file.add("GPA.1", "Tax", "126", buyer: "USD", paid: "0.09")
        file.add("GPA.1", "Google fee", "-207", buyer: "USD", paid: "-0.15")
        file.add("GPA.2", "Charge refund", "-1380", buyer: "USD", paid: "\"-1,000.99\"")
        file.add("GPA.3", "Charge", "1000", buyer: "JPY", paid: "105")
        let draft = try file.draft()
        #expect(Self.amounts(draft) == [[2, 1380, 207, 0, 1173], [5, -1380, 0, 0, -1380], [6, 1000, 0, 0, 1000]])
        #expect(draft.lines.map { $0.foreign?.amount } == [99, -100_099, 105])
        #expect(draft.lines.map { $0.foreign?.currency.code } == ["USD", "USD", "JPY"])
    }

    @Test(arguments: ["0,99", "0.999", "", "$0.99", "1e2", "99999999999999.99", "-92233720368547758.08"])
    func `what is no amount of the buyer's currency is a problem, and takes its order with it`(text: String) throws {
        var file = EarningsFile()
        file.add("GPA.1", "Charge", "1380", buyer: "USD", paid: "\"\(text)\"")
        file.add("GPA.1", "Google fee", "-207", buyer: "USD", paid: "-0.15")
        let draft = try file.draft()
        #expect(draft.lines.isEmpty)
        #expect(draft.problems.map(\.fault) == [.foreignAmount(text, "USD"), .orderIncomplete("GPA.1")])
    }

    @Test func `won and dollars of an order go the same way, and neither comes from nothing`() throws {
        for (won, paid) in [("1380", "-0.99"), ("-1380", "0.99"), ("1380", "0.00")] {
            var file = EarningsFile()
            file.add("GPA.1", "Charge", won, buyer: "USD", paid: paid)
            let draft = try file.draft()
            #expect(draft.lines.isEmpty && draft.problems.map(\.fault) == [.foreignMisfits("GPA.1")], "\(won) \(paid)")
        }
    }

    @Test func `rows that add up to more than any payment are a problem, and stop nobody else`() throws {
        var file = EarningsFile()
        for _ in 1...2 { file.add("GPA.1", "Charge", "1380", buyer: "USD", paid: "9999999999999.99") }
        file.add("GPA.2", "Charge", "1380", buyer: "USD", paid: "0.99")
        let draft = try file.draft()
        #expect(draft.lines.map(\.payment) == ["GPA.2"])
        #expect(draft.problems.map(\.fault) == [.sumTooHigh("GPA.1"), .orderIncomplete("GPA.1")])
    }

    @Test func `an order in two currencies is not booked in part`() throws {
        var file = EarningsFile([("GPA.1", "Google fee", "-150")])
        file.add("GPA.1", "Charge", "1380", buyer: "USD", paid: "0.99")
        let draft = try file.draft()
        #expect(draft.lines.isEmpty)
        #expect(draft.problems.map(\.fault) == [.orderIncomplete("GPA.1"), .orderIncomplete("GPA.1")])
    }

    @Test func `an order of which a part is in another currency is not booked in part`() throws {
        var file = EarningsFile([("GPA.1", "Charge", "1000")])
        file.add("GPA.1", "Google fee", "-1.50", currency: "USD")
        let draft = try file.draft()
        #expect(draft.lines.isEmpty && draft.problems.map(\.fault) == [.orderIncomplete("GPA.1")])
    }

    @Test func `an order without an amount is left out`() throws {
        let draft = try EarningsFile([("GPA.1", "Charge", "0"), ("GPA.2", "Charge", "1000")]).draft()
        #expect(draft.lines.map(\.payment) == ["GPA.2"] && draft.leftOut.map(\.kind) == [.nothing])
    }

    @Test func `several refunds of an order have lines of their days, and places within a day`() throws {
        var file = EarningsFile()
        for day in ["Jan 3, 2026", "Jan 3, 2026", "Jan 5, 2026"] { file.add("GPA.1", "Charge refund", "-100", on: day) }
        file.add("GPA.1", "Charge", "500")
        let draft = try file.draft()
        #expect(draft.lines.map(\.gross) == [-200, -100, 500] && draft.lines.map(\.place) == [1, 1, 1])
    }

    @Test func `a file that is none is named`() throws {
        for (text, fault) in [
            (
                "",
                SettlementFileFault.emptyFile(wanted: [
                    "Description", "Transaction Date", "Transaction Type", "Buyer Currency", "Merchant Currency",
                    "Amount (Merchant Currency)", "Amount (Buyer Currency)",
                ])
            ),
            (EarningsFile.header + "\n", .noRows),
        ] {
            #expect(throws: SettlementFileProblem(fault)) { try Self.read(text) }
        }
        var abroad = EarningsFile()
        abroad.add("GPA.1", "Charge", "9.99", currency: "USD")
        #expect(throws: SettlementFileProblem(.nothingInWon)) { try abroad.draft() }
        let sales = "Order Number,Order Charged Date,Financial Status\nGPA.1,2026-01-03,Charged\n"
        #expect { try Self.read(sales) } throws: { error in
            "\(error)".contains("line 1 has Order Number") && "\(error)".contains("Description")
        }
        #expect(throws: SettlementFileProblem(.otherFormat(.zip))) { try Self.read("PK\u{3}\u{4}earnings_202601.csv") }
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        for day in ["", "soon", "2026-12", "2026-02-30"] {
            #expect(EarningsFileReader(paidOutOn: day, in: zone) == nil)
        }
    }
}
