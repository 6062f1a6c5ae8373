/// A collector's answer of success: `ExportTraceServiceResponse` or `ExportMetricsServiceResponse` of OTLP 1.
package enum ExportResponse {
    /// How many of the spans or data points the collector rejected; 0 for an answer that can't be read.
    package static func rejected(_ body: [UInt8]) -> Int {
        var response = ProtobufReader(body[...])
        while let field = response.next() {
            guard field.number == 1, case .bytes(let bytes) = field.value else { continue }
            var partialSuccess = ProtobufReader(bytes)
            while let field = partialSuccess.next() {
                if field.number == 1, case .number(let count) = field.value { return Int(clamping: count) }
            }
        }
        return 0
    }
}

/// Reads the fields of a message one after the other, and ends at the first that is malformed.
private struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> (number: UInt64, value: Value)? {
        guard let tag = varint() else { return nil }
        switch tag & 7 {
        case 0: return varint().map { (tag >> 3, .number($0)) }
        case 1: return take(8).map { (tag >> 3, .bytes($0)) }
        case 2: return varint().flatMap { take(Int(clamping: $0)) }.map { (tag >> 3, .bytes($0)) }
        case 5: return take(4).map { (tag >> 3, .bytes($0)) }
        default: return nil
        }
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<10 {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << UInt64(place * 7)
            if byte < 0x80 { return value }
        }
        return nil
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
