import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Lines of a gateway's settlement file in the currency of the payment: the file tells at which rate they became won.
@Suite(.timeLimit(.minutes(20))) struct ForeignLineTests {
    private static let names = ["id", "통화", "gross", "fee", "tax", "net", "환율", "원화", "day"]
    private static let mapping =
        "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day,payment_currency=통화,payout_rate=환율,payout_won=원화"

    private static func read(_ rows: String..., mapping: String = mapping) throws -> SettlementFileDraft {
        try read(Array(([names.joined(separator: ",")] + rows).joined(separator: "\n").utf8), mapping)
    }

    private static func read(_ bytes: [UInt8], _ mapping: String = mapping) throws -> SettlementFileDraft {
        let days = try #require(DayText(format: nil, in: seoul))
        return try SettlementFileReader(mapping: SettlementMapping(text: mapping), days: days)
            .read(bytes, named: "정산.csv")
    }

    /// A row of $9.99, or of a part of it.
    private static func row(_ rate: String, _ won: String = "", day: String = "2026-01-20") -> String {
        "imp_1,USD,9.99,0.30,0.03,9.66,\"\(rate)\",\"\(won)\",\(day)"
    }

    private static func line(_ ledger: Ledger, _ report: SettlementReport) async throws -> SettlementLine {
        try #require(try await ledger.settlements.listLines(of: report.file.id, limit: 2).elements.first)
    }

    // MARK: - Reading

    @Test func `rows in several currencies are read with the decimals of each, and those in won as ever`() throws {
        let file = try Self.read(
            "a,USD,\"1,000.50\",0.50,,1000.00,\"1,387.40\",,2026-01-20",
            "b,jpy,(1200),△40,-,-1160,9.5125,\"(11,035)\",2026-01-20", "c,원화,1000,30,3,967,,,2026-01-20",
            "d,,1000,30,3,967,-,-,2026-01-20", "e,KWD,1.5,0,0,1.500,,\"6,768원\",2026-01-20")
        #expect(file.problems.isEmpty, "\(file.problems)")
        #expect(file.lines.map(\.foreign?.amount) == [100_050, -1200, nil, nil, 1500])
        #expect(file.lines.map(\.foreign?.currency.code) == ["USD", "JPY", nil, nil, "KWD"])
        #expect(file.lines.map(\.net) == [1_387_400, -11_035, 967, 967, 6768])
        #expect(file.lines.map(\.fee) == [694, -380, 30, 30, 0])
        #expect(file.lines.map(\.gross) == [1_388_094, -11_415, 1000, 1000, 6768])
    }

    @Test func `what is wrong with a row is told with its number, its column and the remedy`() throws {
        let file = try Self.read(
            Self.row(""), Self.row("-", "-"), Self.row("1.387,40"), Self.row("0"), Self.row("1395.20", "13,480"),
            Self.row("", "-13478"), "imp_1,XYZ,9.99,0,0,9.99,1,,2026-01-20", "imp_1,USD,9.999,0,0,9.99,1,,2026-01-20",
            "imp_1,USD,9.99,0.30,0.03,9.69,1,,2026-01-20", "imp_1,USD,0.01,0,0,0.01,1,,2026-01-20",
            "imp_1,USD,--1,0,0,1,1,,2026-01-20", "imp_1,USD,9.99,0.30,0.03,9.66,0.0007,,2026-01-20",
            "imp_1,USD,0.50,0.50,0,0,,700,2026-01-20", "imp_1,USD,0,0,0,0,1395.20,,2026-01-20")
        #expect(file.lines.isEmpty)
        #expect(file.problems.map(\.line) == Array(2...15))
        #expect(
            file.problems.map(\.column) == [
                "통화", "통화", "환율", "환율", "원화", "원화", "통화", "gross", "net", "gross", "gross", "gross", "net", "gross",
            ])
        #expect(
            file.problems.map(\.fault) == [
                .rateMissing("USD"), .rateMissing("USD"), .rate("1.387,40"), .rate("0"),
                .payoutDiffers(won: 13_480, net: "9.66 USD", worth: 13_478),
                .payoutDiffers(won: -13_478, net: "9.66 USD", worth: nil), .currency("XYZ"),
                .foreignAmount("9.999", "USD"), .sum(net: "9.69", expected: "9.66"), .worthNoWon(rate: "1"),
                .foreignAmount("--1", "USD"), .worthNoWon(rate: "0.0007"), .netIsZero, .nothingPaidOut,
            ])
        #expect(file.problems[0].description.hasPrefix("line 2, column 통화: tells no rate"))
        #expect(file.problems[0].koreanDescription.hasPrefix("2행, 통화 열: 환율을 알 수 없습니다"))
    }

    @Test func `a mapping of a rate or won needs the currency, and a header tells the columns`() throws {
        let base = "payment_id=id,gross=gross,net=net,paid_out_at=day"
        for more in [",payout_rate=환율", ",payout_won=원화"] {
            let problem = #expect(throws: SettlementFileProblem.self) { try SettlementMapping(text: base + more) }
            #expect(problem?.fault == .columnNotMapped(.currency))
        }
        let alone = try Self.read("a,USD,9.99,0,0,9.99,1387.40,,2026-01-20", mapping: base + ",payment_currency=통화")
        #expect(alone.problems.map(\.fault) == [.rateMissing("USD")])
        let header = "주문번호,결제통화,거래금액,수수료,부가세,정산금액,정산환율,원화 정산금액,정산일\n"
        let found = try SettlementHeader.find(in: SettlementSheets(Array(header.utf8))).likely
        #expect(found[.currency] == "결제통화" && found[.payoutRate] == "정산환율" && found[.payoutWon] == "원화 정산금액")
        #expect(found[.net] == "정산금액")
        let inWon = "주문번호,거래금액,정산금액,환율,정산일\n"
        #expect(try SettlementHeader.find(in: SettlementSheets(Array(inWon.utf8))).likely[.payoutRate] == nil)
    }

    /// Else each row of a file in won would be a problem until a person clears the column.
    @Test func `a column of currencies is likely if its cells can be read`() throws {
        for (cell, rate, isLikely) in [
            ("USD", false, true), ("krw", false, true), ("KRW(원)", false, false), ("한국원", false, false),
            ("410", false, false), ("", false, false), ("원", false, false), ("원", true, true), ("", true, true),
            ("-", true, true), ("410", true, false),
        ] as [(String, Bool, Bool)] {
            let text = "주문번호,통화,거래금액,정산금액,\(rate ? "환율" : "비고"),정산일\na,\(cell),1000,1000,,2026-01-20\n"
            let found = try SettlementHeader.find(in: SettlementSheets(Array(text.utf8))).likely
            #expect(found[.currency] == (isLikely ? "통화" : nil), "\(cell)")
            #expect(found[.payoutRate] == (isLikely && rate ? "환율" : nil), "\(cell)")
            #expect(found[.net] == "정산금액")
        }
    }

    /// Excel keeps numbers in binary.
    @Test func `cents of a workbook are those that the spreadsheet shows`() throws {
        let cells = [
            Self.names.map { SampleWorkbook.Cell.shared($0) },
            [
                .shared("imp_1"), .shared("USD"), .number("0.94999999999999996"), .number("0.01"), .empty,
                .number("0.93999999999999995"), .number("1387.4000000000001"), .number("1304"), .day("46346"),
            ],
        ]
        let file = try Self.read(SampleWorkbook([("정산", cells)]).bytes)
        #expect(file.problems.isEmpty, "\(file.problems)")
        #expect(file.lines.map(\.foreign?.amount) == [95] && file.lines.map(\.net) == [1304])
    }

    /// ₩13,478 for $9.66, as a cell has it: `=13478/9.66`.
    @Test func `a rate that a formula made is read`() throws {
        for rate in ["1395.2380952380952", "1395.2380952381", "1395.2380952380000"] {
            let file = try Self.read("imp_1,USD,9.99,0.30,0.03,9.66,\(rate),13478,2026-01-20")
            #expect(file.problems.isEmpty && file.lines.map(\.fee) == [419], "\(file.problems)")
        }
    }

    // MARK: - Booking

    /// Of $9.99, carried at ₩13,860: the rate and the won of the payout, and the balances afterwards.
    private static let payouts: [(rate: String, won: String, expected: [String: Int64])] = [
        ("1395.20", "", ["fx:gain:USD": 79, "bank": 13_478, "gateway:fees": 461]),
        ("", "13478", ["fx:gain:USD": 79, "bank": 13_478, "gateway:fees": 461]),
        ("1395.20", "13477", ["fx:gain:USD": 78, "bank": 13_477, "gateway:fees": 461]),
        ("1387.40", "", ["bank": 13_402, "gateway:fees": 458]),
        ("1370.00", "", ["fx:loss:USD": 174, "bank": 13_234, "gateway:fees": 452]),
    ]

    @Test(arguments: payouts.indices)
    func `a line in dollars clears what is due, and its rate gains or loses the rest`(payout: Int) async throws {
        let (rate, won, expected) = Self.payouts[payout]
        try await TestLedger.with { ledger, test in
            let published = try await ledger.publish("1387.40")
            let sold = try await ledger.buy(.sample(payment: .sample(), paying: 999, at: published))
            #expect(sold.amount == 13_860)
            let file = try Self.read(Self.row(rate, won))
            #expect(try await ledger.settlements.preview(file).lines.map(\.outcome) == [.booked])
            let report = try await ledger.settlements.book(file, by: "finance")
            #expect(report.settledNow == 1)
            #expect(try await ForeignSettlementTests.balances(test) == expected)
            let line = try await Self.line(ledger, report)
            #expect(line.carried == 13_860 && line.foreign?.amount == 999)
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            // Once, whichever file has it.
            #expect(try await ledger.settlements.book(file, by: "finance").settledNow == 0)
            let other = try Self.read(Self.row(rate, won), Self.row(rate, won).replacing("imp_1", with: "imp_9"))
            #expect(try await ledger.settlements.book(other, by: "finance").settledNow == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the tax on the fee is input VAT, in won at the rate of the payout`() async throws {
        try await TestLedger.with(vat: VATSettings(isBooked: true)) { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(payment: .sample(), paying: 999, at: rate))
            _ = try await ledger.settlements.book(try Self.read(Self.row("1395.20")), by: "finance")
            #expect(try await test.total("tax:vat-input") == 42)
            #expect(try await test.total("gateway:fees") == 419)
            try await Audit.expectSound(test)
        }
    }

    @Test func `another currency, won, a rate of a hundred, and more than was paid are refused by their reasons`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(payment: .sample(), paying: 999, at: rate))
            let rows: [(row: String, reason: String)] = [
                ("imp_1,EUR,9.99,0,0,9.99,1500,,2026-01-20", "foreign_currency"),
                ("imp_1,,13860,0,0,13860,,,2026-01-20", "foreign_currency"),
                ("imp_1,USD,9.99,0,0,9.99,13.874,,2026-01-20", "rate_implausible"),
                ("imp_1,USD,10.00,0,0,10.00,1387.40,,2026-01-20", "exceeds_payment"),
                ("imp_1,USD,9.99,11.00,0,-1.01,1387.40,,2026-01-20", "fee_exceeds_gross"),
            ]
            for (row, reason) in rows {
                let report = try await ledger.settlements.book(try Self.read(row), by: "finance")
                let line = try await Self.line(ledger, report)
                #expect(line.status == .refused && line.reason == reason, "\(row)")
            }
            #expect(try await ForeignSettlementTests.balances(test)["bank"] == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a flat fee at a rate of a hundredfold is refused, also when its payment comes after its file`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("951.25", per: 100, of: "JPY")
            let wrong = try Self.read("imp_1,JPY,0,30,3,-33,951.25,,2026-01-21")
            #expect(wrong.lines.map(\.net) == [-31_391])
            let early = try await ledger.settlements.book(wrong, by: "finance")
            _ = try await ledger.buy(.sample(payment: .sample(), paying: 50_000, at: rate))
            #expect(try await ledger.settlements.preview(wrong).lines.map(\.outcome) == [.refused("rate_implausible")])
            // Booked from what is stored.
            let again = try await ledger.settlements.matchAgain()
            #expect(again.booked == 0 && again.of == 1)
            #expect(try await Self.line(ledger, early).reason == "rate_implausible")
            let right = try Self.read(
                "imp_1,JPY,50000,0,0,50000,9.5125,,2026-01-20", "imp_1,JPY,0,30,3,-33,9.5125,,2026-01-21")
            #expect(try await ledger.settlements.book(right, by: "finance").settledNow == 2)
            #expect(try await ForeignSettlementTests.balances(test) == ["bank": 475_311, "gateway:fees": 314])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payout in parts, a refund that is kept back and its flat fee leave no cent and no won`() async throws
    {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let sold = try await ledger.buy(.sample(payment: .sample(), paying: 999, at: rate))
            _ = try await ledger.submit(ClawBack.sample(of: sold, 333))
            // The line after a payout in two parts keeps a third back, and a fee of its own.
            let file = try Self.read(
                "imp_1,USD,5.00,0.15,0.02,4.83,1395.20,,2026-01-20",
                "imp_1,USD,4.99,0.15,0.01,4.83,1380.00,,2026-01-21",
                "imp_1,USD,-3.33,0,0,-3.33,1401.10,,2026-01-22",
                "imp_1,USD,0,0.20,0.02,-0.22,1401.10,,2026-01-23")
            #expect(file.lines.map(\.gross) == [6976, 6886, -4666, 0])
            let report = try await ledger.settlements.book(file, by: "finance")
            #expect(report.settledNow == 4)
            let balances = try await ForeignSettlementTests.balances(test)
            #expect(balances.keys.filter { $0.contains("receivable") || $0.contains("fx:clearing") } == [])
            let gain = (balances["fx:gain:USD"] ?? 0) - (balances["fx:loss:USD"] ?? 0)
            #expect(gain == file.lines.reduce(0) { $0 + $1.gross } - (13_860 - sold.worth(ofCancelled: 333)))
            #expect(balances["bank"] == file.lines.reduce(0) { $0 + $1.net })
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the columns of a gateway are remembered`() async throws {
        try await TestLedger.with { ledger, _ in
            for text in [Self.mapping, "payment_id=id,gross=gross,net=net,paid_out_at=day"] {
                let mapping = try SettlementMapping(text: text)
                try await ledger.settlements.remember(mapping, of: "portone-v2", by: "kim")
                #expect(try await ledger.settlements.columns()["portone-v2"]?.columns == mapping.columns)
            }
        }
    }
}
