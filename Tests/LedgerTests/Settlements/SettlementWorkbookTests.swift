import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Settlement files that are Excel workbooks, and what else a file may be.
@Suite(.timeLimit(.minutes(20))) struct SettlementWorkbookTests {
    private static let names = ["주문번호", "거래금액", "수수료", "부가세", "정산금액", "정산일"]
    private static let header = names.map { SampleWorkbook.Cell.shared($0) }
    /// 2026-11-20 is day 46,346 since 1899-12-30.
    private static let sheet: [[SampleWorkbook.Cell]] = [
        [.text("정산내역서")], [], header,
        [
            .shared("order-1"), .number("1000"), .number("30"), .number("3"), .number("966.99999999999989"),
            .day("46346"),
        ],
        [.text("order\n<2>"), .number("5E2"), .empty, .text("-"), .number("500"), .day("46346.5")],
        [.shared("합계"), .number("1500"), .number("30"), .number("3"), .number("1467")],
    ]

    private static func read(
        _ bytes: [UInt8], format: String? = nil, encoding: TextEncoding = .auto
    ) throws -> SettlementFileDraft {
        let mapping = "payment_id=주문번호,gross=거래금액,fee=수수료,tax=부가세,net=정산금액,paid_out_at=정산일"
        let days = try #require(DayText(format: format, in: seoul))
        return try SettlementFileReader(mapping: SettlementMapping(text: mapping), days: days, encoding: encoding)
            .read(bytes, named: "정산.xlsx")
    }

    @Test func `a workbook is read with its days, its numbers and its rows of totals`() throws {
        let file = SampleWorkbook([("요약", [[.text("11월")]]), ("상세", Self.sheet)]).bytes
        for format in [nil, "dd.MM.yyyy"] {
            let draft = try Self.read(file, format: format, encoding: format == nil ? .auto : .cp949)
            #expect(draft.problems.isEmpty, "\(draft.problems)")
            #expect(draft.lines.map(\.number) == [4, 5] && draft.lines.map(\.payment) == ["order-1", "order <2>"])
            #expect(draft.lines.map(\.gross) == [1000, 500] && draft.lines.map(\.fee) == [30, 0])
            #expect(draft.lines.map(\.net) == [967, 500])
            #expect(draft.lines.map(\.paidOutOn) == ["2026-11-20", "2026-11-20"])
            #expect(draft.leftOut.map(\.line) == [6] && draft.leftOut.map(\.text) == ["합계"])
        }
    }

    @Test func `what is wrong with a cell is named with the row and column that the spreadsheet shows`() throws {
        var rows = Self.sheet
        rows[3][1] = .text("천원")
        rows[4][5] = .number("46346")
        let draft = try Self.read(SampleWorkbook([("상세", rows)]).bytes)
        #expect(draft.problems.map(\.line) == [4, 5] && draft.problems.map(\.column) == ["거래금액", "정산일"])
    }

    @Test func `of two sheets with the columns none is chosen, and a hidden one is not read`() throws {
        let book: [(name: String, rows: [[SampleWorkbook.Cell]])] = [("10월", Self.sheet), ("11월", Self.sheet)]
        let problem = #expect(throws: SettlementFileProblem.self) { try Self.read(SampleWorkbook(book).bytes) }
        #expect(problem?.fault == .spreadsheet(.severalSheets(["10월", "11월"])))
        #expect(problem?.koreanDescription.contains("10월, 11월") ?? false)
        #expect(try Self.read(SampleWorkbook(book, hidden: ["10월"]).bytes).lines.count == 2)
        let hidden = #expect(throws: SettlementFileProblem.self) {
            try Self.read(SampleWorkbook([("10월", Self.sheet)], hidden: ["10월"]).bytes)
        }
        #expect(hidden?.fault == .spreadsheet(.empty))
    }

    @Test func `a document type is refused, and no entity is expanded`() throws {
        var book = SampleWorkbook([("상세", Self.sheet)])
        let place = try #require(book.parts.firstIndex { $0.name == "xl/sharedStrings.xml" })
        book.parts[place].content = "<!DOCTYPE sst [<!ENTITY a \"b\">]><sst><si><t>&a;</t></si></sst>"
        #expect(throws: SpreadsheetFault.damaged) { try Spreadsheet(book.bytes) }
    }

    /// Each element that has not ended costs memory, and a small file can have millions.
    @Test func `elements that are nested deeper than in any workbook are refused`() throws {
        var book = SampleWorkbook([("상세", Self.sheet)])
        let place = try #require(book.parts.firstIndex { $0.name == "xl/sharedStrings.xml" })
        let (opened, ended) = (String(repeating: "<a>", count: 300), String(repeating: "</a>", count: 300))
        book.parts[place].content = "<sst>\(opened)\(ended)</sst>"
        #expect(throws: SpreadsheetFault.tooLarge) { try Spreadsheet(book.bytes) }
        book.parts[place].content = "<sst>" + String(repeating: "<a></a>", count: 300) + "</sst>"
        #expect(try Spreadsheet(book.bytes).sheets.count == 1)
    }

    /// Each different name costs memory until the workbook is read.
    @Test func `more names than any workbook has are refused, of elements and of attributes`() throws {
        var book = SampleWorkbook([("상세", Self.sheet)])
        let place = try #require(book.parts.firstIndex { $0.name == "xl/sharedStrings.xml" })
        let long = String(repeating: "n", count: 1_000)
        for (count, isRefused) in [(1_000, false), (3_000, true)] {
            let contents = [
                (0..<count).map { "<a\($0)/>" }.joined(), "<a " + (0..<count).map { "a\($0)=\"\" " }.joined() + "/>",
                String(repeating: "<a b=\"\"/>", count: count),
            ]
            for (index, content) in contents.enumerated() {
                book.parts[place].content = "<sst>\(content)</sst>"
                let bytes = book.bytes
                if isRefused, index < 2 {
                    #expect(throws: SpreadsheetFault.tooLarge) { try Spreadsheet(bytes) }
                } else {
                    #expect(try Spreadsheet(bytes).sheets.count == 1)
                }
            }
        }
        book.parts[place].content = "<sst>" + (0..<300).map { "<a\(long)\($0)/>" }.joined() + "</sst>"
        #expect(throws: SpreadsheetFault.tooLarge) { try Spreadsheet(book.bytes) }
    }

    /// With each part, a tag that has not ended is looked at again from its beginning.
    @Test func `a long tag is looked at a few times, however short the parts are in which it comes`() throws {
        func document(_ length: Int) -> [UInt8] {
            Array("<sst><si a=\"\(String(repeating: "x", count: length))\"><t>text</t></si></sst>".utf8)
        }
        for (length, fault) in [(200_000, SpreadsheetFault?.none), (600_000, .tooLarge)] {
            let texts = SharedTextsPart(SpreadsheetLimits())
            let reader = XMLReader(texts)
            let bytes = document(length)
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                Array(bytes[start..<min(start + 1000, bytes.count)]).withUnsafeBytes { reader.read($0) }
            }
            reader.end()
            #expect(reader.fault == fault && reader.partCount <= bytes.count / 65_536 + 1, "\(reader.partCount)")
            #expect(texts.texts == (fault == nil ? ["text"] : []))
        }
        // A part that is longer than those for expat.
        let texts = SharedTextsPart(SpreadsheetLimits())
        let reader = XMLReader(texts)
        document(200_000).withUnsafeBytes { reader.read($0) }
        reader.end()
        #expect(reader.fault == nil && texts.texts == ["text"] && reader.partCount == 4)
    }

    @Test func `a workbook that unpacks to more than is read is refused`() throws {
        let book = SampleWorkbook([("상세", Self.sheet)]).bytes
        for limits in [
            SpreadsheetLimits(unpacked: 1000), SpreadsheetLimits(text: 60), SpreadsheetLimits(sharedTexts: 3),
            SpreadsheetLimits(cell: 4), SpreadsheetLimits(sheets: 0),
        ] { #expect(throws: SpreadsheetFault.tooLarge, "\(limits)") { try Spreadsheet(book, limits: limits) } }
        // Columns to the right of those that are read are left out, and a row too far down is none of a spreadsheet.
        #expect(try Spreadsheet(book, limits: SpreadsheetLimits(columns: 1)).sheets.count == 1)
        #expect(throws: SpreadsheetFault.damaged) { try Spreadsheet(book, limits: SpreadsheetLimits(rows: 5)) }
    }

    /// libxlsxwriter deflates.
    @Test func `a workbook of another program is read too`() throws {
        let columns = Self.names.map { Column($0, .text, "") }
        let zone = try #require(ExportZone(name: "Asia/Seoul"))
        let writer = try WorkbookWriter(
            .purchases, columns: columns, zone: zone, in: FileManager.default.temporaryDirectory.path)
        let row = ["order-1", "1,000", "30", "3", "967", "2026-11-20"].map { WorkbookRows.Value.text($0) }
        let bytes = Array(try writer.finish([row], columns).bytes)
        #expect(try Self.read(bytes).lines.map(\.net) == [967])
    }

    @Test(arguments: Effort.seeds(upTo: 20))
    func `no damage of a workbook or a text traps, and each fault is named`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Array("정산내역\n\(Self.names.joined(separator: ","))\na,\"1,000\",30,3,967,2026-11-20\n".utf8)
        for whole in [SampleWorkbook([("상세", Self.sheet)]).bytes, text] {
            for _ in 0..<400 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.removeSubrange(place...)
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    }
                }
                do {
                    let draft = try Self.read(bytes)
                    #expect(draft.problems.allSatisfy { $0.line != nil })
                } catch let problem as SettlementFileProblem {
                    #expect(!problem.description.isEmpty && !problem.koreanDescription.isEmpty)
                }
                _ = try? SettlementHeader.find(in: SettlementSheets(bytes))
            }
        }
    }

    @Test func `numbers and days of cells are written as people write them`() {
        for (number, text) in [
            ("1000", "1000"), ("1E3", "1000"), ("966.99999999999989", "967"), ("1.5", "1.5"),
            ("600000000.5", "600000000.5"), ("1234567890.0000002", "1234567890"), ("-3.0", "-3"),
            ("x.y", "x.y"),
            ("1e400", "1e400"),
        ] { #expect(SheetPart.number(number) == text) }
        #expect(SheetPart.day("46346", from1904: false) == "2026-11-20")
        #expect(SheetPart.day("44884.25", from1904: true) == "2026-11-20 06:00:00")
        #expect(SheetPart.day("1e300", from1904: false) == nil && SheetPart.day("-1", from1904: false) == nil)
        #expect(SheetPart.column("A1") == 1 && SheetPart.column("AB12") == 28 && SheetPart.column("XFD1") == 16_384)
        #expect(SheetPart.column("ZZZZZZ1") == nil && SheetPart.column("1") == nil)
        for (code, isDate) in [
            ("yyyy-mm-dd", true), ("m/d/yy", true), ("#,##0\"일 day\"", false), ("[Red]0", false), ("General", false),
            ("\\d0", false), ("yyyy\"년\"", true),
        ] { #expect(StylesPart.isDate(code) == isDate, "\(code)") }
    }
}

/// Which columns a file has, and which of them is likely which.
@Suite(.timeLimit(.minutes(20))) struct SettlementHeaderTests {
    @Test func `the header is found below titles, and its columns are guessed by their names`() throws {
        let text = """
            포트원 정산내역,,,,,
            조회기간,2026-11-01 ~ 2026-11-30,,,,
            거래번호,주문 번호,거래금액(원),수수료,부가세,정산 금액,정산일자
            1,order-1,"1,000",30,3,967,2026-11-20
            """
        let header = try SettlementHeader.find(in: SettlementSheets(Array(text.utf8)))
        #expect(header.line == 3)
        #expect(header.columns.map(\.value) == ["거래번호", "주문 번호", "거래금액(원)", "수수료", "부가세", "정산 금액", "정산일자"])
        #expect(header.columns.map(\.sample) == ["1", "order-1", "1,000", "30", "3", "967", "2026-11-20"])
        #expect(
            header.likely == [
                .payment: "주문 번호", .gross: "거래금액(원)", .fee: "수수료", .tax: "부가세", .net: "정산 금액",
                .paidOutAt: "정산일자",
            ])
        #expect(header.has(header.likely) && !header.has([.payment: "상점번호"]) && !header.has([:]))
    }

    @Test func `a name that is there twice has columns called by number, as has a file without a header`() throws {
        let twice = try SettlementHeader.find(in: SettlementSheets(Array("주문번호,금액,금액\na,1,2\n".utf8)))
        #expect(twice.columns.map(\.value) == ["#1", "#2", "#3"] && twice.columns.map(\.name) == ["주문번호", "금액", "금액"])
        let none = try SettlementHeader.find(in: SettlementSheets(Array("order-1,1000,30,3,967,2026-11-20\n".utf8)))
        #expect(none.line == nil && none.columns.map(\.value) == (1...6).map { "#\($0)" } && none.likely.isEmpty)
        let empty = try SettlementSheets(Array("\n\n".utf8))
        #expect(throws: SettlementFileProblem.self) { try SettlementHeader.find(in: empty) }
    }
}
