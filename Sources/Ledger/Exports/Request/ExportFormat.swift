/// The file format of an export.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// RFC 4180, with a header and CRLF; fields are quoted if necessary.
    case csv
    /// JSON Lines: one object per line.
    case jsonl
    /// An Excel file (Office Open XML, ECMA-376).
    case xlsx
    /// A journal that hledger reads.
    case hledger
    /// A ledger that Beancount reads.
    case beancount

    package var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonl: "application/x-ndjson"
        case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        case .hledger, .beancount: "text/plain; charset=utf-8"
        }
    }

    /// The file name extension.
    package var fileExtension: String {
        switch self {
        case .csv, .jsonl, .xlsx, .beancount: rawValue
        case .hledger: "journal"
        }
    }

    /// Whether the trailer is the last line.
    ///
    /// In CSV every line is a row, and an Excel file has no lines.
    package var holdsTrailer: Bool { self != .csv && self != .xlsx }

    /// Whether the whole file is made before anything of it is sent.
    ///
    /// Such a file is compressed as it is.
    package var isMadeFirst: Bool { self == .xlsx }

    /// Whether the format can contain the report: the accounting formats contain entries, which only the journal has.
    func holds(_ report: Report) -> Bool {
        switch self {
        case .csv, .jsonl, .xlsx: true
        case .hledger, .beancount: report == .journal
        }
    }
}
