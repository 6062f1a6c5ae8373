import Glibc

/// The character encoding of a settlement file.
package enum TextEncoding: String, Sendable, CaseIterable {
    /// UTF-16 with a byte order mark; UTF-8 if the bytes are valid UTF-8, otherwise CP949.
    case auto
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// Microsoft's code page 949, a superset of EUC-KR, which Korean banks and Excel use.
    case cp949

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The name, for messages.
    var name: String {
        switch self {
        case .auto: "text"
        case .utf8: "UTF-8"
        case .cp949: "CP949"
        }
    }

    /// Decodes a file.
    ///
    /// - Throws: ``SettlementFileProblem`` when the file is no text, or not valid in this encoding.
    func decode(_ bytes: [UInt8]) throws(SettlementFileProblem) -> String {
        if let format = FileFormat(of: bytes) { throw SettlementFileProblem(.otherFormat(format)) }
        if let order = UTF16Order(of: bytes) {
            guard self == .auto else { throw SettlementFileProblem(.notInEncoding(self)) }
            guard let text = Self.decode(Array(bytes.dropFirst(2)), from: order.rawValue) else {
                throw SettlementFileProblem(.malformedUTF16)
            }
            return text
        }
        guard !bytes.contains(0) else { throw SettlementFileProblem(.notText) }
        let content = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        if self != .cp949, let text = String(validating: content, as: UTF8.self) { return text }
        guard self != .utf8 else { throw SettlementFileProblem(.notInEncoding(.utf8)) }
        guard let text = Self.decode(Array(content), from: "CP949") else {
            throw SettlementFileProblem(.unknownEncoding)
        }
        return text
    }

    /// The byte order of UTF-16, which spreadsheets call "Unicode text", by its mark; the name is iconv's.
    private enum UTF16Order: String {
        case little = "UTF-16LE"
        case big = "UTF-16BE"

        init?(of bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xFE]) {
                self = .little
            } else if bytes.starts(with: [0xFE, 0xFF]) {
                self = .big
            } else {
                return nil
            }
        }
    }

    /// Uses iconv of the C library.
    private static func decode(_ bytes: [UInt8], from encoding: String) -> String? {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open("UTF-8", encoding), converter != failed else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // Two bytes become at most three.
        var output = [UInt8](repeating: 0, count: bytes.count * 3 + 16)
        let written = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBytes { output in
                convert(converter, input, output.assumingMemoryBound(to: CChar.self))
            }
        }
        return written.flatMap { String(validating: output.prefix($0), as: UTF8.self) }
    }

    /// - Returns: how many bytes were written; nil for invalid bytes.
    private static func convert(
        _ converter: iconv_t, _ input: UnsafeMutableBufferPointer<CChar>, _ output: UnsafeMutableBufferPointer<CChar>
    ) -> Int? {
        var source = input.baseAddress
        var sourceLeft = input.count
        var target = output.baseAddress
        var targetLeft = output.count
        let result = iconv(converter, &source, &sourceLeft, &target, &targetLeft)
        return result == -1 ? nil : output.count - targetLeft
    }
}
