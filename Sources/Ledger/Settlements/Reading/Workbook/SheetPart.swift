import CivilTime
import Foundation

/// The cells of a sheet, written as CSV: a line for each row, so that a line has the number that the spreadsheet shows.
///
/// Amounts are whole numbers, days `2026-11-20`, times `2026-11-20 09:30:00`. A line break within a cell is a space.
final class SheetPart: XMLHandler {
    private let limits: SpreadsheetLimits
    private let sharedTexts: [String]
    private let isDate: [Bool]
    private let countsFrom1904: Bool
    private(set) var fault: SpreadsheetFault?
    /// The rows so far, in UTF-8.
    private(set) var text: [UInt8] = []

    private var lastRow: Int64 = 0
    private var fields: [String] = []
    /// The most fields of a row so far: one that ends earlier has empty cells there.
    private var width = 0
    private var cell: CellText
    private var type = ""
    private var style = 0
    private var column = 0

    init(
        _ limits: SpreadsheetLimits, sharedTexts: [String], isDate: [Bool], countsFrom1904: Bool
    ) {
        self.limits = limits
        self.sharedTexts = sharedTexts
        self.isDate = isDate
        self.countsFrom1904 = countsFrom1904
        cell = CellText(limits.cell)
    }

    func begin(_ element: String, _ attributes: [String: String]) {
        switch element {
        case "row": beginRow(attributes["r"])
        case "c":
            type = attributes["t"] ?? "n"
            style = attributes["s"].flatMap { Int($0) } ?? 0
            column = attributes["r"].flatMap(Self.column) ?? column + 1
            cell.clear()
        default: cell.begin(element)
        }
    }

    func end(_ element: String) {
        switch element {
        case "row": endRow()
        case "c": endCell()
        default: cell.end(element)
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) { if !cell.append(bytes) { fault = .tooLarge } }

    private func beginRow(_ number: String?) {
        guard let row = number.map({ Int64($0) }) ?? lastRow + 1, row > lastRow, row <= limits.rows else {
            fault = .damaged
            return
        }
        text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: Int(row - lastRow - 1)))
        lastRow = row
        fields.removeAll(keepingCapacity: true)
        column = 0
    }

    private func endCell() {
        guard column >= 1, column <= limits.columns else { return }
        let value = value
        guard !value.isEmpty else { return }
        while fields.count < column { fields.append("") }
        fields[column - 1] = value
    }

    private func endRow() {
        width = max(width, fields.count)
        if !fields.isEmpty {
            for index in 0..<width {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text.append(UInt8(ascii: "\""))
                if index < fields.count { append(fields[index]) }
                text.append(UInt8(ascii: "\""))
            }
        }
        text.append(UInt8(ascii: "\n"))
        if text.count > limits.text { fault = .tooLarge }
    }

    private func append(_ field: String) {
        for byte in field.utf8 {
            switch byte {
            case UInt8(ascii: "\""): text.append(contentsOf: [byte, byte])
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): text.append(UInt8(ascii: " "))
            default: text.append(byte)
            }
        }
    }

    private var value: String {
        let written = cell.string
        switch type {
        case "s": return Int(written).flatMap { sharedTexts.indices.contains($0) ? sharedTexts[$0] : nil } ?? ""
        case "n":
            if isDate.indices.contains(style), isDate[style], let day = Self.day(written, from1904: countsFrom1904) {
                return day
            }
            return Self.number(written)
        case "b": return written == "1" ? "TRUE" : "FALSE"
        // ISO 8601, with parts of a second that nobody needs.
        case "d": return String(written.prefix { $0 != "." })
        default: return written
        }
    }

    /// The number of a column, from 1, of a reference such as `AB12`; nil: none.
    static func column(_ reference: String) -> Int? {
        var number = 0
        for byte in reference.utf8 {
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF), byte >= 0x40 else { break }
            number = number * 26 + Int(byte & 0xDF) - 64
            // Excel's last column is XFD.
            guard number <= 16_384 else { return nil }
        }
        return number > 0 ? number : nil
    }

    /// A number as people write it: spreadsheets keep `1E3`, and 967 as 966.99999999999989 if a formula made it.
    static func number(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
            let value = Double(text), value.isFinite, abs(value) < 9_007_199_254_740_992
        else { return text }
        let whole = value.rounded()
        // A part of a won is not rounded away, however large the amount.
        guard abs(value - whole) > min(1e-3, 1e-9 * max(1, abs(value))) else { return String(Int64(whole)) }
        // Spreadsheets keep 0.94 as 0.93999999999999995 and 0.0504 as 5.04E-2, and show fifteen digits.
        let isShown = text.utf8.count <= 15 && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let shown = isShown ? text : String(format: "%.15g", value)
        return shown.contains(".") && !shown.contains("e") ? shown : text
    }

    /// The day, or the moment, of a number of days; nil: it is none that settlement files have.
    static func day(_ text: String, from1904: Bool) -> String? {
        // 1899-12-30, because 1900 is a leap year there; 1904-01-01.
        let epoch: Double = from1904 ? -24_107 : -25_569
        guard let value = Double(text), value > 0, value < 3_000_000 else { return nil }
        let seconds = Int64(((value + epoch) * 86_400).rounded())
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let date = "\(CivilDate(daysSince1970: day))"
        guard second > 0 else { return date }
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(date) \(parts.joined(separator: ":"))"
    }
}
