/// How an export is written.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// RFC 4180: a header, CRLF, fields quoted where they need it.
    case csv
    /// JSON Lines: one object a line.
    case jsonl
    /// A journal that hledger reads.
    case hledger
    /// A ledger that Beancount reads.
    case beancount

    /// The media type that it is served as.
    package var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonl: "application/x-ndjson"
        case .hledger, .beancount: "text/plain; charset=utf-8"
        }
    }

    /// The ending of its files.
    package var fileExtension: String {
        switch self {
        case .csv, .jsonl, .beancount: rawValue
        case .hledger: "journal"
        }
    }

    /// Whether its last line can be the trailer: in a CSV every line is a row.
    package var holdsTrailer: Bool { self != .csv }

    /// Whether it can hold the report: the accounting formats hold entries, and only the journal has them.
    func holds(_ report: Report) -> Bool {
        switch self {
        case .csv, .jsonl: true
        case .hledger, .beancount: report == .journal
        }
    }
}
