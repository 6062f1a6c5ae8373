/// A format that settlement files come in and that is no text, told by how such files begin.
///
/// Only ``xlsx`` is read: see ``SettlementSheet``.
package enum FileFormat: Sendable, Equatable {
    /// Excel's workbook since 2007.
    case xlsx
    /// An OLE container: Excel's older workbook, or a newer one with a password.
    case xls
    case zip
    case gzip
    case pdf
    /// Also what some gateways name `.xls`.
    case html

    /// The format of a file; nil: none of these, so that it may be text.
    init?(of bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(4096))
        switch true {
        case start.starts(with: Array("PK".utf8) + [3, 4]): self = Self.isWorkbook(start) ? .xlsx : .zip
        case start.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]): self = .xls
        case start.starts(with: [0x1F, 0x8B]): self = .gzip
        case start.starts(with: Array("%PDF-".utf8)): self = .pdf
        case Self.isMarkup(start): self = .html
        default: return nil
        }
    }

    /// Whether the first entries of an archive are those of a workbook.
    private static func isWorkbook(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        return text.contains("[Content_Types].xml") || text.contains("xl/")
    }

    /// A field of a settlement file does not begin with `<`.
    private static func isMarkup(_ start: [UInt8]) -> Bool {
        let content = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return content.first { ![0x20, 0x09, 0x0D, 0x0A].contains($0) } == UInt8(ascii: "<")
    }

    /// For people, with an article.
    var english: String {
        switch self {
        case .xlsx: "an Excel workbook (xlsx)"
        case .xls: "an Excel workbook (xls, or xlsx with a password)"
        case .zip: "a ZIP archive"
        case .gzip: "compressed (gzip)"
        case .pdf: "a PDF"
        case .html: "an HTML or XML table"
        }
    }

    /// The same in Korean.
    var korean: String {
        switch self {
        case .xlsx: "Excel 통합 문서(xlsx)"
        case .xls: "Excel 통합 문서(xls 또는 암호가 있는 xlsx)"
        case .zip: "ZIP 압축 파일"
        case .gzip: "gzip 압축 파일"
        case .pdf: "PDF"
        case .html: "HTML 또는 XML 표"
        }
    }
}
