/// How a CSV file is written for the program that opens it.
package struct CSVStyle: Sendable, Equatable {
    /// Whether the file shows the same in Excel as in the books: `for=excel`.
    let isForExcel: Bool
    /// Whether the file begins with a byte order mark.
    ///
    /// Without it, Excel shows Korean text incorrectly.
    let hasByteOrderMark: Bool

    /// As RFC 4180 has it, without a byte order mark.
    package static let plain = CSVStyle(isForExcel: false, hasByteOrderMark: false)

    private init(isForExcel: Bool, hasByteOrderMark: Bool) {
        self.isForExcel = isForExcel
        self.hasByteOrderMark = hasByteOrderMark
    }

    private enum Program: String, CaseIterable { case any, excel }
    private enum Switch: String, CaseIterable { case no = "false", yes = "true" }

    /// Parses the options `for` and `bom`; others are not looked at.
    ///
    /// - Throws: ``ExportOptionError`` for an invalid one.
    package init(_ options: [ExportOption: String]) throws(ExportOptionError) {
        isForExcel = try ExportRequest.choice(options[.program], of: .program, default: Program.any) == .excel
        hasByteOrderMark =
            try ExportRequest.choice(
                options[.byteOrderMark], of: .byteOrderMark, default: isForExcel ? Switch.yes : .no) == .yes
    }
}
