import CXLSXWriter
import CivilTime
import Glibc

/// Writes rows as an Excel file, with libxlsxwriter.
///
/// One row at a time is in memory; the others are in temporary files.
///
/// `@unchecked Sendable`: one task uses it, and the thread on which that lets it end.
final class WorkbookWriter: @unchecked Sendable {
    /// How large a file may be.
    struct Limits {
        /// The most rows of a sheet, with the headings: Excel's limit.
        var rowsOfSheet: UInt32 = 1_048_576
        /// The most sheets of rows.
        var sheets = 10
    }

    private let columns: [Column]
    private let zone: ExportZone
    private let report: Report
    private let language: HeadingLanguage
    private let limits: Limits
    private let folder: TemporaryFolder
    private let file: TemporaryFile
    /// nil: closed.
    private var workbook: UnsafeMutablePointer<lxw_workbook>?
    private let styles: Styles
    private var sheets: [WorkbookSheet] = []
    private var failure: WorkbookError?

    /// The formats of cells.
    private struct Styles {
        let bold: UnsafeMutablePointer<lxw_format>
        let number: UnsafeMutablePointer<lxw_format>
        let time: UnsafeMutablePointer<lxw_format>

        init(_ workbook: UnsafeMutablePointer<lxw_workbook>) throws(WorkbookError) {
            guard let bold = workbook_add_format(workbook), let number = workbook_add_format(workbook),
                let time = workbook_add_format(workbook)
            else { throw .storage(ENOMEM) }
            format_set_bold(bold)
            format_set_num_format(number, "#,##0")
            format_set_num_format(time, "yyyy-mm-dd hh:mm:ss")
            (self.bold, self.number, self.time) = (bold, number, time)
        }
    }

    /// - Parameter parent: the folder for temporary files.
    init(
        _ report: Report, columns: [Column], zone: ExportZone, language: HeadingLanguage = .english,
        in parent: String = TemporaryFolder.parent, limits: Limits = Limits()
    ) throws(WorkbookError) {
        self.columns = columns.filter(\.isShown)
        (self.report, self.zone, self.language, self.limits) = (report, zone, language, limits)
        folder = try TemporaryFolder(in: parent)
        file = try TemporaryFile(in: folder)
        guard let workbook = Self.open(file, folder) else { throw .storage(ENOMEM) }
        do {
            styles = try Styles(workbook)
        } catch {
            ledgerd_xlsx_discard(workbook)
            throw error
        }
        self.workbook = workbook
        try addSheet()
    }

    private static func open(
        _ file: TemporaryFile, _ folder: TemporaryFolder
    ) -> UnsafeMutablePointer<lxw_workbook>? {
        var path = Array(folder.path.utf8CString)
        return ledgerd_xlsx_open(file.path, &path)
    }

    deinit {
        if let workbook { ledgerd_xlsx_discard(workbook) }
    }

    /// Whether no more than one row is in memory.
    var holdsOneRow: Bool { sheets.allSatisfy(\.holdsOneRow) }

    /// Writes a row.
    ///
    /// ``check()`` throws what fails here.
    func write(_ row: borrowing ExportRow) {
        guard failure == nil else { return }
        do throws(WorkbookError) {
            let sheet = try sheetForRow()
            for index in columns.indices { try write(row, index, to: sheet) }
            sheet.endRow()
        } catch {
            failure = error
        }
    }

    private func write(
        _ row: borrowing ExportRow, _ index: Int, to sheet: WorkbookSheet
    ) throws(WorkbookError) {
        switch columns[index].kind {
        case .id:
            if let id = row.integer(index) { try sheet.write(String(id), column: index) }
        case .integer:
            if let number = row.integer(index) { try write(number, index, to: sheet) }
        case .text:
            if let text = row.text(index) { try sheet.write(WorkbookText.escaped(text), column: index) }
        case .time:
            guard let time = row.time(index) else { return }
            if let day = Self.day(of: time, offset: zone.offset(at: time)) {
                try sheet.write(day, column: index, styles.time)
            } else {
                try sheet.write(Self.text(of: time, zone), column: index)
            }
        }
    }

    /// Excel shows 15 digits of a number; a longer one is a text.
    private func write(_ number: Int64, _ column: Int, to sheet: WorkbookSheet) throws(WorkbookError) {
        if number.magnitude < 1_000_000_000_000_000 {
            try sheet.write(Double(number), column: column, styles.number)
        } else {
            try sheet.write(String(number), column: column)
        }
    }

    /// Throws what failed since the last time.
    func check() throws(WorkbookError) {
        if let failure { throw failure }
        try sheets.last?.check()
    }

    /// Writes the totals and the end.
    ///
    /// It takes seconds for a million rows, and blocks its thread.
    func end(_ totals: ExportTotals) throws(WorkbookError) -> TemporaryFile {
        try check()
        var bytes: [Int] = []
        for sheet in sheets { bytes.append(try sheet.end(isFiltered: true)) }
        bytes.append(try writeTotals(totals).end(isFiltered: false))
        guard let workbook else { throw .storage(0) }
        self.workbook = nil
        errno = 0
        let code = workbook_close(workbook)
        let number = errno
        guard code.rawValue == 0 else {
            folder.emptyLeftFiles()
            throw .storage(number)
        }
        folder.remove()
        try WorkbookCheck(file).check(rowBytes: bytes)
        return file
    }
}

// MARK: Sheets

extension WorkbookWriter {
    /// The sheet for the next row: a new one, if the last one is full.
    private func sheetForRow() throws(WorkbookError) -> WorkbookSheet {
        if let last = sheets.last, last.rows < limits.rowsOfSheet { return last }
        guard sheets.count < limits.sheets else {
            throw .tooManyRows(limits.sheets * Int(limits.rowsOfSheet - 1))
        }
        // A full sheet is not looked at again until the end.
        try sheets.last?.check()
        return try addSheet()
    }

    @discardableResult private func addSheet() throws(WorkbookError) -> WorkbookSheet {
        guard let workbook else { throw .storage(0) }
        let headings = columns.map { column in
            let heading = report.heading(of: column.name, in: language)
            return column.kind == .time
                ? (text: "\(heading) (\(zone.zone.identifier))", width: 30.0)
                : (text: heading, width: column.kind.width)
        }
        let name = sheets.isEmpty ? report.rawValue : "\(report.rawValue) \(sheets.count + 1)"
        let sheet = try WorkbookSheet(named: name, headings: headings, in: workbook, bold: styles.bold)
        sheets.append(sheet)
        return sheet
    }

    /// A sheet of its own: a row of totals among the rows would be filtered, sorted and added up with them.
    private func writeTotals(_ totals: ExportTotals) throws(WorkbookError) -> WorkbookSheet {
        guard let workbook else { throw .storage(0) }
        let words = Report.totalsHeadings(in: language)
        let sheet = try WorkbookSheet(
            named: words.sheet, headings: [(words.column, 24), (words.currency, 12), (words.total, 24)],
            in: workbook, bold: styles.bold)
        try sheet.write(words.rows, column: 0)
        try write(totals.rows, 2, to: sheet)
        sheet.endRow()
        for column in totals.named {
            for total in column.totals {
                try sheet.write(report.heading(of: column.column, in: language), column: 0)
                try sheet.write(total.currency, column: 1)
                // A sum may have more digits than any amount.
                if let number = Int64(total.total) {
                    try write(number, 2, to: sheet)
                } else {
                    try sheet.write(total.total, column: 2)
                }
                sheet.endRow()
            }
        }
        return sheet
    }
}

// MARK: Times

extension WorkbookWriter {
    /// The days of 1970-01-01 and of 9999-12-31, counted from 1899-12-30 as Excel does.
    private static let epoch: Int64 = 25_569
    private static let lastDay: Int64 = 2_958_465

    /// A time as Excel's count of days, rounded down to seconds, because Excel shows seconds and would round up.
    ///
    /// - Returns: nil when Excel knows no such day.
    static func day(of time: Moment, offset: Int64) -> Double? {
        let (local, hasOverflowed) = time.microseconds.addingReportingOverflow(offset * 1_000_000)
        guard !hasOverflowed else { return nil }
        let (days, ofDay) = local.flooredDivision(by: 86_400_000_000)
        // Excel takes 1900 for a leap year, so its days are right from March 1900 on.
        guard (61...lastDay).contains(days + epoch) else { return nil }
        return Double(days + epoch) + Double(ofDay / 1_000_000) / 86_400
    }

    private static func text(of time: Moment, _ zone: ExportZone) -> String {
        var text = ByteText()
        text.append(time: time, offset: zone.offset(at: time))
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension Column.Kind {
    /// The width of a column in characters.
    fileprivate var width: Double {
        switch self {
        case .id, .integer: 16
        case .text: 24
        case .time: 30
        }
    }
}
