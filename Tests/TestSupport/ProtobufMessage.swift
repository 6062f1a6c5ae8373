/// A message of Protocol Buffers, as its fields with their numbers.
struct ProtobufMessage {
    private enum Value {
        case number(UInt64)
        case bytes([UInt8])
    }

    private var fields: [(number: UInt64, value: Value)] = []

    init(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let tag = try Self.varint(&rest)
            switch tag & 7 {
            case 0: fields.append((tag >> 3, .number(try Self.varint(&rest))))
            case 1: fields.append((tag >> 3, .number(Self.fixed(try Self.take(8, &rest)))))
            case 2:
                let length = Int(clamping: try Self.varint(&rest))
                fields.append((tag >> 3, .bytes(Array(try Self.take(length, &rest)))))
            case 5: fields.append((tag >> 3, .number(Self.fixed(try Self.take(4, &rest)))))
            default: throw ExportedMetrics.Malformed()
            }
        }
    }

    func number(_ number: UInt64) -> UInt64? {
        fields.compactMap { field -> UInt64? in
            if field.number == number, case .number(let value) = field.value { value } else { nil }
        }.first
    }

    func text(_ number: UInt64) -> String { bytes(number).first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    func messages(_ number: UInt64) throws -> [ProtobufMessage] { try bytes(number).map { try ProtobufMessage($0) } }

    /// The only message of this number.
    func one(_ number: UInt64) throws -> ProtobufMessage {
        let all = try messages(number)
        guard all.count == 1 else { throw ExportedMetrics.Malformed() }
        return all[0]
    }

    /// A packed field of 8 bytes each.
    func packed(_ number: UInt64) throws -> [UInt64] {
        let all = bytes(number).flatMap(\.self)
        guard all.count.isMultiple(of: 8) else { throw ExportedMetrics.Malformed() }
        return stride(from: 0, to: all.count, by: 8).map { Self.fixed(all[$0..<($0 + 8)]) }
    }

    /// `KeyValue`s of OpenTelemetry with texts and whole numbers; no name stands there twice.
    func pairs(_ number: UInt64) throws -> [String: String] {
        let pairs = try messages(number).map { pair in
            let value = try pair.one(2)
            return (pair.text(1), value.number(3).map { String($0) } ?? value.text(1))
        }
        return try Dictionary(pairs) { _, _ in throw ExportedMetrics.Malformed() }
    }

    private func bytes(_ number: UInt64) -> [[UInt8]] {
        fields.compactMap { field -> [UInt8]? in
            if field.number == number, case .bytes(let bytes) = field.value { bytes } else { nil }
        }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<10 {
            guard let byte = rest.popFirst() else { throw ExportedMetrics.Malformed() }
            value |= UInt64(byte & 0x7f) << UInt64(place * 7)
            if byte < 0x80 { return value }
        }
        throw ExportedMetrics.Malformed()
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw ExportedMetrics.Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number with its lowest byte first.
    private static func fixed(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
