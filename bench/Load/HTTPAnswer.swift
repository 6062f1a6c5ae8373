/// The parts of an HTTP/1.1 response that the bench needs.
///
/// It supports only responses with a `Content-Length`.
struct HTTPAnswer {
    let status: Int
    let body: ArraySlice<UInt8>

    /// A response that the bench does not support.
    struct Unreadable: Error {}

    /// Parses the response at the start of the bytes; nil: not complete yet.
    init?(_ bytes: ArraySlice<UInt8>) throws {
        guard let body = try Self.body(of: bytes) else { return nil }
        status = bytes.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
        self.body = body
    }

    /// The body of the message at the start of the bytes, a response or a request; nil: not complete yet.
    static func body(of bytes: ArraySlice<UInt8>) throws -> ArraySlice<UInt8>? {
        let body: Range<Int>? = try bytes.withUnsafeBytes { bytes in
            guard let head = endOfHead(bytes) else { return nil }
            let length = try contentLength(bytes, head)
            return bytes.count >= head + length ? head..<(head + length) : nil
        }
        return body.map { bytes[(bytes.startIndex + $0.lowerBound)..<(bytes.startIndex + $0.upperBound)] }
    }

    /// The index where the body begins.
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 16 else { return nil }
        for index in 3..<bytes.count where bytes[index] == 10 && bytes[index - 2] == 10 { return index + 1 }
        return nil
    }

    private static let name = Array("\ncontent-length:".utf8)

    private static func contentLength(_ bytes: UnsafeRawBufferPointer, _ end: Int) throws -> Int {
        for index in 0..<(end - name.count) where bytes[index] == 10 {
            // Upper and lower case of a letter differ in one bit.
            guard name.indices.dropFirst().allSatisfy({ bytes[index + $0] | 0x20 == name[$0] }) else { continue }
            let digits = bytes[(index + name.count)..<end].drop { $0 == 0x20 }.prefix { (48...57).contains($0) }
            return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        throw Unreadable()
    }
}
