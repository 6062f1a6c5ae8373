import Foundation
import Testing

@testable import Ledger

/// Statements of payouts are read as Korean gateways and banks write them, and what can't be read is named.
@Suite(.timeLimit(.minutes(20))) struct SettlementFileReaderTests {
    private static let mapping = "payment_id=주문번호,gross=거래금액,fee=수수료,tax=부가세,net=정산금액,paid_out_at=정산일"
    private static let header = "주문번호,거래금액,수수료,부가세,정산금액,정산일"

    private func read(
        _ text: String, mapping: String = mapping, format: String? = nil, encoding: TextEncoding = .auto
    ) throws -> SettlementFileDraft {
        try read(Array(text.utf8), mapping: mapping, format: format, encoding: encoding)
    }

    private func read(
        _ bytes: [UInt8], mapping: String = mapping, format: String? = nil, encoding: TextEncoding = .auto
    ) throws -> SettlementFileDraft {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        let days = try #require(DayText(format: format, in: zone))
        return try SettlementFileReader(mapping: SettlementMapping(text: mapping), days: days, encoding: encoding)
            .read(bytes, named: "test.csv")
    }

    @Test func `a row is read with its amounts and its day`() throws {
        let statement = try read(
            "\u{FEFF}정산내역서\r\n\r\n\(Self.header)\r\norder-1,\"1,000\",30,3,967,2026-11-20\r\n"
                + "\"order \"\"2\"\"\",(500),0,0,△500,2026.11.21\r\n")
        #expect(statement.problems.isEmpty)
        let first = try #require(statement.lines.first)
        #expect(first.number == 4 && first.payment == "order-1" && first.place == 1)
        #expect([first.gross, first.fee, first.tax, first.net] == [1000, 30, 3, 967])
        #expect(first.paidOutOn == "2026-11-20")
        #expect(first.paidOutAt == (try Date("2026-11-19T15:00:00Z", strategy: .iso8601)))
        let second = try #require(statement.lines.last)
        #expect(second.payment == "order \"2\"" && second.gross == -500 && second.net == -500)
        #expect(second.paidOutOn == "2026-11-21" && statement.sha256.count == 32)
    }

    @Test func `the code page of Korea is read like UTF-8`() throws {
        let text = "\(Self.header)\norder-1,1000원,30,3,967,20261120\n"
        let encoded = try #require(text.data(using: .init(rawValue: 0x8000_0422)) ?? Self.cp949(text))
        #expect(String(validating: encoded, as: UTF8.self) == nil)
        for encoding in [TextEncoding.auto, .cp949] {
            #expect(try read(Array(encoded), encoding: encoding).lines.map(\.gross) == [1000])
        }
        #expect(throws: SettlementFileProblem.self) { try read(Array(encoded), encoding: .utf8) }
        #expect(throws: SettlementFileProblem.self) { try read([0x41, 0xFF, 0xFF, 0x0A]) }
    }

    /// By the other program that is everywhere: what reads it back must not have written it.
    private static func cp949(_ text: String) -> Data? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/iconv")
        process.arguments = ["-f", "UTF-8", "-t", "CP949"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        input.fileHandleForWriting.write(Data(text.utf8))
        try? input.fileHandleForWriting.close()
        return output.fileHandleForReading.readDataToEndOfFile()
    }

    /// A spreadsheet's "Unicode text": UTF-16 with its mark, and tabs.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `UTF-16 is read by its mark, with tabs as the spreadsheet writes it`(encoding: String.Encoding) throws {
        let text =
            "\u{FEFF}정산내역서\r\n" + Self.header.replacing(",", with: "\t")
            + "\r\norder-1\t\"1,000\"\t30\t3\t967\t2026-11-20\r\n"
        let bytes = [UInt8](try #require(text.data(using: encoding)))
        #expect(try read(bytes).lines.map(\.gross) == [1000])
        for other in [TextEncoding.utf8, .cp949] {
            #expect(throws: SettlementFileProblem.self) { try read(bytes, encoding: other) }
        }
        let odd = #expect(throws: SettlementFileProblem.self) { try read(bytes + [0x41]) }
        #expect(odd?.fault == .malformedUTF16)
        // Without its mark nothing tells which it is.
        let unmarked = #expect(throws: SettlementFileProblem.self) { try read(Array(bytes.dropFirst(2))) }
        #expect(unmarked?.fault == .notText)
    }

    @Test(
        arguments: [
            (Array("PK\u{3}\u{4}....a".utf8), FileFormat.zip),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], .xls), ([0x1F, 0x8B, 8], .gzip),
            (Array("%PDF-1.7".utf8), .pdf), (Array("\r\n<html><table>".utf8), .html),
            ([0xEF, 0xBB, 0xBF] + Array("<?xml".utf8), .html),
        ] as [([UInt8], FileFormat)])
    func `a file that is no text is named, with what to do`(bytes: [UInt8], format: FileFormat) throws {
        let problem = #expect(throws: SettlementFileProblem.self) { try read(bytes) }
        #expect(problem?.fault == .otherFormat(format))
        #expect(problem?.message.contains("CSV UTF-8") ?? false)
        #expect(problem?.koreanDescription.contains("CSV UTF-8") ?? false)
    }

    @Test func `a workbook that is cut off is named, with what to do`() throws {
        let problem = #expect(throws: SettlementFileProblem.self) {
            try read(Array("PK\u{3}\u{4}....[Content_Types].xml".utf8))
        }
        #expect(problem?.fault == .spreadsheet(.damaged))
        #expect(problem?.message.contains("CSV UTF-8") ?? false)
    }

    @Test func `tabs and semicolons separate fields, also without a header`() throws {
        for separator in ["\t", ";"] {
            let row = ["order-1", "1,000", "30", "3", "967", "2026-11-20"].joined(separator: separator)
            let header = Self.header.replacing(",", with: separator)
            #expect(try read("제목, 11월\n\(header)\n\(row)\n").lines.map(\.net) == [967])
            let counted = "payment_id=#1,gross=#2,fee=#3,tax=#4,net=#5,paid_out_at=#6"
            #expect(try read(row + "\n", mapping: counted).lines.map(\.net) == [967])
        }
    }

    @Test func `what a spreadsheet shows for zero is zero`() throws {
        let statement = try read(
            """
            \(Self.header)
            order-1,1000,-,,1000,2026-11-20
            order-2,1000,₩ -, - ,1000,2026-11-20
            order-3,-,30,,-30,2026-11-20
            ,,,,,
            """)
        #expect(statement.problems.isEmpty && statement.leftOut.isEmpty)
        #expect(statement.lines.map(\.fee) == [0, 0, 30] && statement.lines.map(\.gross) == [1000, 1000, 0])
        // A cell that was forgotten is found by the sum.
        #expect(try read("\(Self.header)\norder-1,1000,30,3,,2026-11-20\n").problems.map(\.column) == ["정산금액"])
    }

    @Test(arguments: [
        "합계,3000,90,9,2901,", "합계,3000,90,9,2901,2026-11-20", "합 계,,,,,", "[소계],3000,90,9,2901,2026-11-20",
        "총계(3건),3000,90,9,2901,", ",3000,90,9,2901,합계", "2026-11-20 소계,3000,90,9,2901,2026-11-20", "계,3000,90,9,2901,",
        "Total,3000,90,9,2901,2026-11-20", "Grand total:,3000,90,9,2901,", "총합계", "합계 3건,3000,0,0,1,x",
        "-,3000,90,9,2901,합계", "3건,3000,90,9,2901,합계", "\"1,204 건\",3000,90,9,2901,소계",
    ])
    func `a row of totals is left out, with or without a date, and reported`(row: String) throws {
        let statement = try read("\(Self.header)\norder-1,1000,30,3,967,2026-11-20\n\(row)\n")
        #expect(statement.problems.isEmpty && statement.lines.map(\.payment) == ["order-1"])
        let left = try #require(statement.leftOut.first)
        #expect(left.line == 3 && left.kind == .total && statement.leftOut.count == 1)
        #expect(left.description.hasPrefix("line 3: \"") && left.koreanDescription.hasPrefix("3행: \""))
    }

    @Test func `a payout is no row of totals, whatever else its row says`() throws {
        let header = "주문번호,상품,거래금액,정산금액,정산일"
        let mapping = "payment_id=주문번호,gross=거래금액,net=정산금액,paid_out_at=정산일"
        let rows = ["order-1,합계", "total-7,코인", "order_total,소계", "sum1,합계"].map { $0 + ",1000,1000,2026-11-20" }
        let statement = try read(([header] + rows).joined(separator: "\n"), mapping: mapping)
        #expect(statement.lines.count == 4 && statement.leftOut.isEmpty && statement.problems.isEmpty)
        // Without a payment id, nothing else makes a row one of totals.
        #expect(try read("\(header)\n,코인,1000,1000,2026-11-20\n", mapping: mapping).problems.count == 1)
        // A payment without an id is none, also where the spreadsheet shows a dash for nothing.
        let dash = try read("\(header)\n-,코인,1000,1000,2026-11-20\n", mapping: mapping)
        #expect(dash.problems.map(\.column) == ["주문번호"] && dash.lines.isEmpty)
    }

    @Test func `titles are found above rows without a header, and a header that is repeated is no row`() throws {
        let counted = "payment_id=#1,gross=#2,fee=#3,tax=#4,net=#5,paid_out_at=#6"
        let statement = try read(
            """
            2026년 11월 정산내역서
            기간,2026-11-01~2026-11-30,,,,
            \(Self.header)
            order-1,1000,30,3,967,2026-11-20
            """, mapping: counted)
        #expect(statement.lines.map(\.number) == [4] && statement.problems.isEmpty)
        #expect(statement.leftOut.map(\.line) == [1, 2, 3] && statement.leftOut.allSatisfy { $0.kind == .title })
        #expect(statement.leftOut.first?.text == "2026년 11월 정산내역서")
        // A row that is cut off is no title.
        #expect(
            try read("order-1,1000\norder-2,1000,0,0,1000,2026-11-20\n", mapping: counted).problems.map(\.line) == [1])

        let twice = try read("\(Self.header)\na,1000,30,3,967,2026-11-20\n\(Self.header)\nb,1000,30,3,967,2026-11-20\n")
        #expect(twice.lines.map(\.payment) == ["a", "b"] && twice.leftOut.map(\.line) == [3])
    }

    @Test func `a name in two lines of a cell is one name, and two columns of one name are refused`() throws {
        let wrapped = Self.header.replacing("거래금액", with: "\"거래\n금액\"")
        let mapping = Self.mapping.replacing("거래금액", with: "거래 금액")
        #expect(try read("\(wrapped)\na,1000,30,3,967,2026-11-20\n", mapping: mapping).lines.count == 1)

        let problem = #expect(throws: SettlementFileProblem.self) {
            try read("제목\n\(Self.header),수수료\na,1000,30,3,967,2026-11-20,35\n")
        }
        #expect(problem?.line == 2 && problem?.fault == .repeatedColumn("수수료"))
        // A column that is not mapped may be there twice.
        #expect(try read("\(Self.header),비고,비고\na,1000,30,3,967,2026-11-20,,\n").lines.count == 1)
    }

    @Test func `a file without the header names the line that comes nearest`() throws {
        let problem = #expect(throws: SettlementFileProblem.self) {
            try read("정산내역서\n\(Self.header.replacing("부가세", with: "VAT"))\na,1000,30,3,967,2026-11-20\n")
        }
        let message = try #require(problem?.message)
        #expect(message.contains("line 2 has 주문번호") && message.contains("lacks 부가세:"), "\(message)")
        #expect(problem?.koreanDescription.contains("2행") ?? false)
        #expect(throws: SettlementFileProblem.self) { try read("") }
    }

    @Test func `columns may be counted, and fee and tax left out`() throws {
        let counted = "payment_id=#2,gross=#1,net=#1,paid_out_at=#3"
        let statement = try read("1000,order-1,2026-11-20 13:45\n", mapping: counted)
        #expect(statement.lines.map(\.number) == [1] && statement.lines.map(\.fee) == [0])
        #expect(statement.lines[0].paidOutAt == (try Date("2026-11-20T04:45:00Z", strategy: .iso8601)))
    }

    @Test func `a format of days is kept to`() throws {
        let row = "\(Self.header)\norder-1,1000,30,3,967,20/11/2026 13:45:10\n"
        #expect(try read(row, format: "dd/MM/yyyy HH:mm:ss").lines.map(\.paidOutOn) == ["2026-11-20"])
        #expect(try read(row).problems.count == 1)
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        // A number of many digits fits no integer.
        let endless = "yyyy-MM-dd " + String(repeating: "H", count: 24)
        for format in ["", "yyyy-MM", "yy-MM-dd", "yyyy-MM-dd yyyy", endless] {
            #expect(DayText(format: format, in: zone) == nil)
        }
    }

    @Test func `what is wrong with a row is reported with line, column and remedy`() throws {
        let rows = [
            ("order-1,1x,30,3,967,2026-11-20", "거래금액", "1,000"),
            ("order-1,1000,30,3,968,2026-11-20", "정산금액", "967"),
            ("order-1,1000,30,3,967,2026-02-30", "정산일", "--date-format"),
            ("order-1,1000,30,3,967", "정산일", "is missing"),
            (",1000,30,3,967,2026-11-20", "주문번호", "not a payment id"),
            ("order-1,0,0,0,0,2026-11-20", "거래금액", "nothing was paid out"),
            ("order-1,,30,3,967,2026-11-20", "정산금액", "-33"), ("order-1,,,,,2026-11-20", "거래금액", "nothing"),
            ("order-1,\"1000,30,3,967,2026-11-20", nil, "quote"),
        ]
        for (row, column, says) in rows {
            let statement = try read("\(Self.header)\ngood,1000,30,3,967,2026-11-20\n\(row)\n")
            let problem = try #require(statement.problems.first, "\(row)")
            #expect(problem.line == 3 && problem.column == column, "\(problem)")
            #expect(problem.description.contains(says), "\(problem)")
            #expect(problem.koreanDescription.hasPrefix("3행") && problem.koreanDescription != problem.description)
            #expect(statement.lines.count == 1)
        }
        let missing = #expect(throws: SettlementFileProblem.self) { try read("a,b,c\n1,2,3\n") }
        #expect(missing?.message.contains("a, b, c") ?? false)
        #expect(throws: SettlementFileProblem.self) { try read(Self.header + "\n") }
    }

    @Test(
        arguments: [
            ("1000", 1000), ("1,000", 1000), ("-1,000", -1000), ("(1,000)", -1000), ("△1,000", -1000), ("▲5", -5),
            ("+7", 7), ("₩1,234,567", 1_234_567), ("-₩5", -5), ("1000원", 1000), ("1,000.00", 1000), (" 12 ", 12),
            ("−3", -3), ("0", 0), ("", 0), ("-", 0), (" – ", 0), ("₩ -", 0), ("-원", 0),
            ("- 1,000", -1000), ("₩ 1,000", 1000), ("( 1,000 )", -1000), ("₩", nil), ("원", nil), ("()", nil),
            ("1,00", nil), ("1,0000", nil), (",100", nil), ("1.5", nil),
            ("1.", nil), ("1e3", nil), ("0x1", nil), ("１０００", nil), ("--1", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func `an amount is read in one way or not at all`(text: String, won: Int64?) {
        #expect(WonText.parse(text) == won, "\(text)")
    }

    @Test func `records are cut as RFC 4180 says`() {
        func fields(_ text: String) -> [[String]] { CSVRecords(text).map(\.fields) }
        #expect(fields("a,b\r\nc,d") == [["a", "b"], ["c", "d"]])
        #expect(fields("a,b\n\n\nc,\n") == [["a", "b"], ["c", ""]])
        #expect(fields("a\rb\r") == [["a"], ["b"]])
        #expect(fields("\"a,\"\"b\"\"\r\nc\",d") == [["a,\"b\"\r\nc", "d"]])
        #expect(fields("\"\",x") == [["", "x"]])
        #expect(fields("") == [])
        let multiline = Array(CSVRecords("\"a\nb\"\nc\n"))
        #expect(multiline.map(\.line) == [1, 3])
        #expect(Array(CSVRecords("a\"b,c\n\"d\"e,f\n\"g")).map(\.isMalformed) == [true, true, true])
    }

    @Test func `a mapping names every field it needs, once`() throws {
        for text in [
            "", "payment_id=a", "payment_id=a,gross=b,net=c", "payment_id=a,gross=b,net=c,paid_out_at=d,gross=e",
            "payment_id=a,gross=b,net=c,paid_out_at=d,color=e", "payment_id=#1,gross=b,net=c,paid_out_at=d", "nonsense",
        ] { #expect(throws: SettlementFileProblem.self, "\(text)") { try SettlementMapping(text: text) } }
        let json = #"{"payment_id": "주문, 번호", "gross": "b", "net": "c", "paid_out_at": "d"}"#
        #expect(try SettlementMapping(json: Array(json.utf8)).columns[.payment] == "주문, 번호")
        #expect(throws: SettlementFileProblem.self) { try SettlementMapping(json: Array("[]".utf8)) }
    }

    @Test func `several rows of a payment on one day have places of their own`() throws {
        let statement = try read(
            """
            \(Self.header)
            a,1000,0,0,1000,2026-11-20
            a,-100,0,0,-100,2026-11-20
            a,-100,0,0,-100,2026-11-20
            a,-100,0,0,-100,2026-11-21
            b,-100,0,0,-100,2026-11-20
            """)
        #expect(statement.lines.map(\.place) == [1, 1, 2, 1, 1])
    }
}
