import CXLSXWriter
import Glibc

/// A sheet that is written row by row, under a row of headings.
final class WorkbookSheet {
    private let sheet: UnsafeMutablePointer<lxw_worksheet>
    private let columns: Int
    /// The rows so far, with the headings.
    private(set) var rows: UInt32 = 0

    /// - Parameters:
    ///   - headings: each with the width of its column in characters.
    init(
        named name: String, headings: [(text: String, width: Double)], in workbook: UnsafeMutablePointer<lxw_workbook>,
        bold: UnsafeMutablePointer<lxw_format>
    ) throws(WorkbookError) {
        guard let sheet = workbook_add_worksheet(workbook, name), ledgerd_xlsx_holds_one_row(sheet) != 0 else {
            throw .storage(errno)
        }
        self.sheet = sheet
        columns = headings.count
        for (index, heading) in headings.enumerated() {
            let column = UInt16(truncatingIfNeeded: index)
            worksheet_set_column(sheet, column, column, heading.width, nil)
            try write(heading.text, column: index, bold)
        }
        worksheet_freeze_panes(sheet, 1, 0)
        rows = 1
    }

    /// Writes a text into the present row, never as a formula.
    func write(
        _ text: String, column: Int, _ format: UnsafeMutablePointer<lxw_format>? = nil
    ) throws(WorkbookError) {
        try Self.check(worksheet_write_string(sheet, rows, UInt16(truncatingIfNeeded: column), text, format))
    }

    func write(
        _ number: Double, column: Int, _ format: UnsafeMutablePointer<lxw_format>?
    ) throws(WorkbookError) {
        try Self.check(worksheet_write_number(sheet, rows, UInt16(truncatingIfNeeded: column), number, format))
    }

    func endRow() { rows += 1 }

    /// Whether no more than one row is in memory.
    var holdsOneRow: Bool { ledgerd_xlsx_holds_one_row(sheet) != 0 }

    /// Throws when rows could not be written.
    func check() throws(WorkbookError) {
        guard ledgerd_xlsx_has_failed(sheet) == 0 else { throw .storage(ENOSPC) }
    }

    /// Writes the last row.
    ///
    /// - Returns: the bytes of all rows.
    func end(isFiltered: Bool) throws(WorkbookError) -> Int {
        if isFiltered, columns > 0 {
            try Self.check(worksheet_autofilter(sheet, 0, 0, rows - 1, UInt16(truncatingIfNeeded: columns - 1)))
        }
        errno = 0
        let bytes = ledgerd_xlsx_end_rows(sheet)
        guard bytes >= 0 else { throw .storage(errno) }
        return Int(bytes)
    }

    private static func check(_ code: lxw_error) throws(WorkbookError) {
        guard code.rawValue == 0 else { throw .refused(code.rawValue) }
    }
}
