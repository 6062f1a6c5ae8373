import Crypto
import Foundation

/// The sheets of a settlement file, read once for its header and for its lines.
package struct SettlementSheets: Sendable {
    /// At least one.
    let all: [SettlementSheet]
    /// Of the file's content.
    let sha256: [UInt8]

    /// Reads a file.
    ///
    /// A workbook has an encoding of its own, whatever is asked for.
    ///
    /// - Throws: ``SettlementFileProblem`` when the file is neither text nor a workbook.
    package init(_ bytes: [UInt8], _ encoding: TextEncoding = .auto) throws(SettlementFileProblem) {
        all = try SettlementSheet.all(of: bytes, encoding)
        sha256 = Array(SHA256.hash(data: Data(bytes)))
    }
}

/// A sheet of a settlement file: its text in CSV, or a sheet of its workbook.
struct SettlementSheet {
    /// The sheet's name; nil: the file is text.
    let name: String?
    /// The records with each character that may separate fields; a workbook has one of them.
    ///
    /// Never empty.
    let readings: [CSVRecords]

    fileprivate static func all(
        of bytes: [UInt8], _ encoding: TextEncoding
    ) throws(SettlementFileProblem) -> [SettlementSheet] {
        let format = FileFormat(of: bytes)
        if format == .xlsx || format == .zip && Spreadsheet.isWorkbook(bytes) {
            do throws(SpreadsheetFault) {
                return try Spreadsheet(bytes).sheets.map { sheet in
                    SettlementSheet(
                        name: sheet.name, readings: [CSVRecords(sheet.text, separator: UInt8(ascii: ","))])
                }
            } catch {
                throw SettlementFileProblem(.spreadsheet(error))
            }
        }
        let text = Array(try encoding.decode(bytes).utf8)
        return [
            SettlementSheet(name: nil, readings: CSVRecords.separators.map { CSVRecords(text, separator: $0) })
        ]
    }
}
