import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What stands in an Excel file, read by others' code.
@Suite(.timeLimit(.minutes(20))) struct WorkbookTests {
    private static let columns = [
        Column("id", .id, ""), Column("user", .text, ""), Column("amount", .integer, "", total: .column("currency")),
        Column("currency", .text, ""), Column("paid_at", .time, ""), Column("hidden", .id, "", isShown: false),
    ]
    /// 2026-01-31T14:59:59.999Z, a millisecond before February in Seoul.
    private static let moment: Int64 = 1_769_871_599_999_000

    private static func writer(
        _ zone: String = "Asia/Seoul", limits: WorkbookWriter.Limits = .init(),
        in folder: String = FileManager.default.temporaryDirectory.path
    ) throws -> WorkbookWriter {
        let zone = try #require(ExportZone(name: zone))
        return try WorkbookWriter(.purchases, columns: columns, zone: zone, in: folder, limits: limits)
    }

    private static func row(
        _ id: Int64 = 1, user: WorkbookRows.Value = .text("ann"), amount: WorkbookRows.Value = .integer(1000),
        currency: String = "KRW", at time: WorkbookRows.Value = .time(moment)
    ) -> [WorkbookRows.Value] {
        [.integer(id), user, amount, .text(currency), time, .integer(7)]
    }

    private static func read(_ rows: [[WorkbookRows.Value]]) async throws -> WorkbookReader {
        try await WorkbookReader(try writer().finish(rows, columns).bytes)
    }

    @Test func `ids are texts, amounts numbers, times dates of the zone that the heading names`() async throws {
        let id: Int64 = 9_223_372_036_854_775_807
        let book = try await Self.read([Self.row(id), Self.row(2, amount: .null, at: .null)])
        #expect(book.sheets.map(\.name) == ["purchases", "totals"])
        let rows = book.sheets[0].rows
        #expect(rows[0].map { $0?.value } == ["id", "user", "amount", "currency", "paid_at (Asia/Seoul)"])
        #expect(rows[0].allSatisfy { $0?.kind == "text" && $0?.isBold == true })
        #expect(rows[1].map { $0?.kind } == ["text", "text", "number", "text", "time"])
        // Rounded down: a time of January stays in January.
        #expect(rows[1].map { $0?.value } == ["\(id)", "ann", "1000", "KRW", "2026-01-31 23:59:59"])
        #expect(rows[2].map { $0?.value } == ["2", "ann", nil, "KRW"])
    }

    @Test func `Korean headings are those of the report, also of the totals, and name the zone`() async throws {
        let zone = try #require(ExportZone(name: "Asia/Seoul"))
        let writer = try WorkbookWriter(.purchases, columns: Self.columns, zone: zone, language: .korean)
        let book = try await WorkbookReader(try writer.finish([Self.row()], Self.columns).bytes)
        #expect(book.sheets.map(\.name) == ["purchases", "합계"])
        #expect(
            book.sheets[0].rows[0].map { $0?.value } == ["번호", "고객", "결제 금액", "통화", "결제 시각 (Asia/Seoul)"])
        #expect(book.sheets[1].rows.map { $0[0]?.value } == ["열", "행 수", "결제 금액"])
    }

    @Test func `the headings stay in sight and filter, and columns have widths`() async throws {
        let sheet = try await Self.read([Self.row(), Self.row(2)]).sheets[0]
        #expect(sheet.frozenUntil == "A2" && sheet.filter == "A1:E3")
        #expect(!sheet.widths.isEmpty && sheet.widths.allSatisfy { $0 > 12 })
        let empty = try await Self.read([])
        #expect(empty.sheets[0].rows.count == 1 && empty.sheets[0].filter == "A1:E1")
    }

    @Test func `totals are a sheet of their own, by column and currency`() async throws {
        let most = Int64.max
        let book = try await Self.read([
            Self.row(1), Self.row(2, amount: .integer(-1), currency: "USD"), Self.row(3, amount: .integer(most)),
        ])
        #expect(
            book.values(1) == [
                ["column", "currency", "total"], ["rows", nil, "3"], ["amount", "KRW", "9223372036854776807"],
                ["amount", "USD", "-1"],
            ])
        #expect(book.sheets[1].rows[2][2]?.kind == "text" && book.sheets[1].rows[3][2]?.kind == "number")
    }

    @Test func `a number that Excel would round is a text`() async throws {
        let exact: [Int64] = [0, -1, 999_999_999_999_999, -999_999_999_999_999]
        let others: [Int64] = [1_000_000_000_000_000, -1_000_000_000_000_000, .max, .min]
        let book = try await Self.read((exact + others).map { Self.row(amount: .integer($0)) })
        let cells = book.sheets[0].rows.dropFirst().map { $0[2] }
        #expect(cells.map { $0?.value } == (exact + others).map { "\($0)" })
        #expect(cells.map { $0?.kind } == exact.map { _ in "number" } + others.map { _ in "text" })
    }

    @Test func `whatever a text contains, it is that text and never a formula`() async throws {
        let texts =
            Nasty.users + [
                Nasty.reason, "=HYPERLINK(\"http://x\")", "00123", "1e5", "true", "2026-01-31", "<a>&amp;\"'", "",
                "_x0041_", "_x005F_x0041_", "_x00", "_x0041\u{1}",
                String(String.UnicodeScalarView((1..<0x20).compactMap(UnicodeScalar.init))),
                "\u{7F}\u{85}\u{2028}", "각\u{1112}\u{1161}\u{11AB}👩‍👧",
            ]
        let book = try await Self.read(texts.map { Self.row(user: .text($0)) })
        #expect(book.formulas == 0)
        let cells = book.sheets[0].rows.dropFirst().map { $0[1] }
        for (cell, text) in zip(cells, texts) {
            // Strings are equal in any normal form; the scalars must be the same.
            let value = cell?.value ?? ""
            #expect(Array(value.unicodeScalars) == Array(text.unicodeScalars), "\(text)")
            #expect(cell?.kind ?? "text" == "text", "\(text)")
        }
        #expect(cells.count == texts.count)
    }

    @Test func `bytes that are no UTF-8 and characters that are no XML become U+FFFD`() async throws {
        let book = try await Self.read([
            Self.row(user: .bytes([0x61, 0xFF, 0x62])), Self.row(user: .text("a\u{FFFE}\u{FFFF}b")),
        ])
        #expect(book.sheets[0].rows.dropFirst().map { $0[1]?.value } == ["a\u{FFFD}b", "a\u{FFFD}\u{FFFD}b"])
    }

    @Test func `a text longer than a cell ends with an ellipsis`() async throws {
        let most = WorkbookText.most
        for unit in ["a", "한", "😀"] {
            let full = String(repeating: unit, count: most / unit.utf16.count)
            let book = try await Self.read([Self.row(user: .text(full)), Self.row(user: .text(full + unit + unit))])
            let cells = book.sheets[0].rows.dropFirst().map { $0[1]?.value ?? "" }
            #expect(cells[0] == full, "\(unit)")
            #expect(
                cells[1].hasSuffix("…") && cells[1].utf16.count <= most && cells[1].utf16.count > most - 3, "\(unit)")
        }
    }

    @Test func `rows beyond the end of a sheet go to the next one`() async throws {
        let limits = WorkbookWriter.Limits(rowsOfSheet: 3, sheets: 3)
        for count: Int64 in [2, 3, 5, 6] {
            let writer = try Self.writer(limits: limits)
            let rows = (1...count).map { Self.row($0) }
            let book = try await WorkbookReader(try writer.finish(rows, Self.columns).bytes)
            let names = ["purchases", "purchases 2", "purchases 3"].prefix(Int((count + 1) / 2))
            #expect(book.sheets.map(\.name) == Array(names) + ["totals"], "\(count)")
            let ids = book.sheets.dropLast().flatMap { $0.rows.dropFirst().map { $0[0]?.value } }
            #expect(ids == (1...count).map { "\($0)" }, "\(count)")
            #expect(book.sheets.dropLast().allSatisfy { $0.rows[0][0]?.value == "id" && $0.frozenUntil == "A2" })
        }
        let error = #expect(throws: WorkbookError.self) {
            try Self.writer(limits: limits).finish((1...7).map { Self.row($0) }, Self.columns)
        }
        #expect(error?.description.contains("at most 6 rows") == true)
    }

    @Test func `the same rows give the same bytes, whenever they are written`() async throws {
        let rows = [Self.row(), Self.row(2)]
        let bytes = try Self.writer().finish(rows, Self.columns).bytes
        #expect(try Self.writer().finish(rows, Self.columns).bytes == bytes)
        #expect(try await WorkbookReader(bytes).created == "1980-01-01T00:00:00Z")
    }

    @Test func `one row is in memory, and no name is left in the folder`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-books-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder) }

        var writer: WorkbookWriter? = try Self.writer(in: folder)
        for id in 1...100 as ClosedRange<Int64> { WorkbookRows.with(Self.row(id)) { writer?.write($0) } }
        #expect(writer?.holdsOneRow == true)
        #expect(try files().count == 1, "a folder with nothing in it")
        writer = nil
        #expect(try files() == [], "an export that is cut off leaves nothing")
        let file = try Self.writer(in: folder).finish([Self.row()], Self.columns)
        #expect(try files() == [] && file.count() > 0)
    }

    @Test func `a folder that can't be written to is an error before the first row`() throws {
        let error = #expect(throws: WorkbookError.self) { try Self.writer(in: "/nonexistent/folder") }
        #expect(error?.description.contains("No such file") == true)
    }

    /// As it is on a full disk: libxlsxwriter goes on, and says that all is well.
    @Test func `a file from which anything is missing is not taken for whole`() async throws {
        let rows = [Self.row(), Self.row(2)]
        let file = try Self.writer().finish(rows, Self.columns)
        let right = try await Self.rowBytes(of: try file.bytes)
        #expect(right.count == 2)
        try WorkbookCheck(file).check(rowBytes: right)
        for bytes in [[], [right[0]], [right[0] + 1, right[1]], [right[0], right[1] + 1], right + [1]] {
            #expect(throws: WorkbookError.self, "\(bytes)") { try WorkbookCheck(file).check(rowBytes: bytes) }
        }
        let whole = try file.bytes
        for (place, byte) in [(whole.count / 4, nil), (whole.count - 1, nil), (200, whole[200] ^ 0x55)]
            as [(Int, UInt8?)]
        {
            let damaged = try Self.writer().finish(rows, Self.columns)
            let handle = try FileHandle(forUpdating: URL(filePath: damaged.path))
            if let byte {
                try handle.seek(toOffset: UInt64(place))
                try handle.write(contentsOf: [byte])
            } else {
                try handle.truncate(atOffset: UInt64(place))
            }
            try handle.close()
            #expect(throws: WorkbookError.self, "\(place)") {
                try WorkbookCheck(damaged).check(rowBytes: right)
            }
        }
    }

    /// The bytes of the rows of each sheet.
    private static func rowBytes(of bytes: [UInt8]) async throws -> [Int] {
        let program = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            for number in (1, 2):
                print(len(z.read(f'xl/worksheets/sheet{number}.xml').split(b'sheetData>')[1]) - 2)
            """
        let file = try AccountingFile(bytes, "xlsx")
        return try await file.run("python3", ["-c", program, file.path]).split(separator: "\n").compactMap { Int($0) }
    }

    @Test(.enabled(if: Effort.includesSlow)) func `a million rows and more fill one sheet after the other`()
        async throws
    {
        let writer = try Self.writer()
        let rows = (1...1_048_580 as ClosedRange<Int64>).lazy.map { Self.row($0) }
        let totals = writer.add(rows, Self.columns)
        #expect(writer.holdsOneRow)
        let file = try AccountingFile(try writer.end(totals).bytes, "xlsx")
        let program = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            for number in (1, 2):
                rows, rest = 0, b''
                with z.open(f'xl/worksheets/sheet{number}.xml') as sheet:
                    while part := sheet.read(1 << 20):
                        rows += (rest + part).count(b'<row ')
                        rest = (rest + part)[-4:]
                print(rows)
            """
        #expect(try await file.run("python3", ["-c", program, file.path]) == "1048576\n6\n")
    }
}

/// The rows of the books, in an Excel file.
@Suite(.timeLimit(.minutes(20))) struct WorkbookExportTests {
    @Test func `a workbook has what the CSV has, and proves it with the same totals`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.postNasty()
            for report in Report.ofAnyBooks {
                var options: [ExportOption: String] = [:]
                if report.isByDay { options = [.from: "2026-01-01", .to: "2026-01-03"] }
                let csv = try await ledger.export(report, options)
                let export = try await ledger.export(report, options.merging([.format: "xlsx"]) { $1 })
                #expect(export.trailer.sha256 == export.sha256OfBody, "\(report)")
                #expect(export.trailer.rows == csv.trailer.rows, "\(report)")
                let book = try await WorkbookReader(export.bytes)
                #expect(book.sheets[0].rows.count - 1 == csv.records.count, "\(report)")
                #expect(book.formulas == 0, "\(report)")
                let names = CSVReader.records(of: csv.bytes).first ?? []
                let headings = book.values(0)[0].compactMap { $0?.replacing(" (GMT)", with: "") }
                #expect(headings == names, "\(report)")
                Self.expectSame(book, csv, names)
                let totals = csv.trailer.totals.named.flatMap { column in
                    column.totals.map { [column.column, $0.currency, $0.total] }
                }
                #expect(book.values(1).dropFirst(2).map { $0.map { $0 ?? "" } } == totals, "\(report)")
            }
        }
    }

    /// Every number of the CSV is that number, whether an amount or an id.
    private static func expectSame(_ book: WorkbookReader, _ csv: Exported, _ names: [String]) {
        for (row, record) in zip(book.values(0).dropFirst(), csv.records) {
            for (index, name) in names.enumerated() {
                guard let field = record[name], Int64(field) != nil else { continue }
                #expect(index < row.count && row[index] == field, "\(name)")
            }
        }
    }
}
