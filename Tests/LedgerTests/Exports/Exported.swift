import Crypto
import Foundation
import Testing

@testable import Ledger

/// An export as a test reads it.
struct Exported {
    let bytes: [UInt8]
    let format: ExportFormat
    let trailer: ExportTrailer

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Everything but the trailer's line.
    var body: ArraySlice<UInt8> {
        guard format.holdsTrailer else { return bytes[...] }
        let beforeEnd = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return bytes[..<beforeEnd]
    }

    /// The trailer's line; nothing of a CSV.
    var lastLine: String { String(decoding: bytes[body.endIndex...], as: UTF8.self) }

    /// A CSV's records without the header, by column.
    var records: [[String: String]] {
        let records = CSVReader.records(of: Array(body))
        guard let names = records.first else { return [] }
        return records.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    }

    /// JSON Lines without the trailer.
    var objects: [[String: Any]] {
        body.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        }
    }

    var sha256OfBody: String { SHA256.hash(data: Data(body)).hex }
}

extension Report {
    /// Those of the whole books that need no accounts of an ERP, no VAT and no policy.
    static let ofAnyBooks = allCases.filter { $0.coverage != .run && ![.vouchers, .vat, .adjustments].contains($0) }
}

extension Ledger {
    func export(_ report: Report, _ options: [ExportOption: String] = [:]) async throws -> Exported {
        try await exports.begin(try ExportRequest(report, options, in: .gmt)).get().read()
    }
}

extension Export {
    func read() async throws -> Exported {
        var bytes: [UInt8] = []
        let trailer = try await run { bytes += $0.bytes }
        return Exported(bytes: bytes, format: request.format, trailer: trailer)
    }
}

extension [[String: String]] {
    /// The records with a value in a column, which they must have: of a column that is not there, nil is no empty text.
    func with(_ column: String) -> [[String: String]] {
        let areComplete = allSatisfy { $0[column] != nil }
        #expect(areComplete, "no column is called \(column)")
        return filter { $0[column]?.isEmpty == false }
    }
}

/// Reads CSV as RFC 4180 says, by nobody's code but its own.
enum CSVReader {
    static func records(of bytes: [UInt8]) -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            switch (byte, isQuoted) {
            case (UInt8(ascii: "\""), true) where next == byte:
                field.append(byte)
                index += 1
            case (UInt8(ascii: "\""), _): isQuoted.toggle()
            case (UInt8(ascii: ","), false):
                record.append(String(decoding: field, as: UTF8.self))
                field = []
            case (0x0D, false) where next == 0x0A:
                records.append(record + [String(decoding: field, as: UTF8.self)])
                (record, field) = ([], [])
                index += 1
            default: field.append(byte)
            }
            index += 1
        }
        return records
    }
}

/// Texts that formats trip over.
enum Nasty {
    /// Users' ids: whatever is no control character.
    static let users =
        [
            "유저-1", "a b", "a  b", "a;b", "(x)", "[x]", "\"q\"", "a,b", "x:paid", "wallet:x:bonus", "a/3", "%41",
            "U-41",
            "😀", "'quoted'", "=1+1", "+1", "-1", "@x", "＝1", "\\n", "{}", "\u{A0}\u{3000}x", "#trailer", " lead",
            "tail ",
        ] + [String(String.UnicodeScalarView((0x20..<0x7F).compactMap(UnicodeScalar.init)))]

    static let reason = "=HYPERLINK(\"http://x\")\r\n\"q\", ; a  b\t한글 \\ %41 | {x}"
}
