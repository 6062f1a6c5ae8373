import Glibc

/// The character encoding of a settlement file.
package enum TextEncoding: String, Sendable, CaseIterable {
    /// UTF-8 if the bytes are valid UTF-8, otherwise CP949.
    case auto
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// Microsoft's code page 949, a superset of EUC-KR, which Korean banks and Excel use.
    case cp949

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Decodes a file.
    ///
    /// - Throws: ``SettlementFileProblem`` when the bytes are not valid in this encoding.
    func decode(_ bytes: [UInt8]) throws(SettlementFileProblem) -> String {
        let content = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw SettlementFileProblem("the file is UTF-16: save it as CSV in UTF-8 or CP949")
        }
        if self != .cp949, let text = String(validating: content, as: UTF8.self) { return text }
        guard self != .utf8 else {
            throw SettlementFileProblem(
                "the file is not UTF-8: save it as UTF-8, or use --encoding cp949")
        }
        guard let text = Self.decodeCP949(Array(content)) else {
            throw SettlementFileProblem("the file is neither UTF-8 nor CP949 (EUC-KR): save it as CSV in UTF-8")
        }
        return text
    }

    /// Uses iconv of the C library.
    private static func decodeCP949(_ bytes: [UInt8]) -> String? {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open("UTF-8", "CP949"), converter != failed else { return nil }
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
