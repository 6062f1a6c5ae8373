/// Writes Protocol Buffers' wire format: the few types that traces and metrics need.
///
/// Fields with the default value are written too, which readers accept.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func field(_ number: UInt64, varint value: UInt64) {
        varint(number << 3)
        varint(value)
    }

    mutating func field(_ number: UInt64, fixed64 value: UInt64) {
        varint(number << 3 | 1)
        fixed(value, bytes: 8)
    }

    mutating func field(_ number: UInt64, fixed32 value: UInt32) {
        varint(number << 3 | 5)
        fixed(UInt64(value), bytes: 4)
    }

    mutating func field(_ number: UInt64, packed values: [UInt64]) {
        var inner = ProtobufWriter()
        for value in values { inner.fixed(value, bytes: 8) }
        field(number, inner.bytes)
    }

    mutating func field(_ number: UInt64, _ value: some Collection<UInt8>) {
        varint(number << 3 | 2)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func field(_ number: UInt64, _ text: String) { field(number, text.utf8) }

    /// A message within the message.
    mutating func field(_ number: UInt64, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        field(number, inner.bytes)
    }

    /// A number with its highest byte first, as ids are written.
    static func bigEndian(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func fixed(_ value: UInt64, bytes count: Int) {
        for place in 0..<count { bytes.append(UInt8(value >> UInt64(place * 8) & 0xff)) }
    }
}
