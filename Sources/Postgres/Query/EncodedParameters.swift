/// The parameters of one statement in the binary format, one after another in a reused buffer.
struct EncodedParameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// The capacity kept between statements: usual batches need no allocation, and a huge buffer is released.
    private static let keptCapacity = 4 << 20

    /// Whether the parameters exceed the size of one message.
    var isTooLarge: Bool {
        bytes.count >= 1 << 30
    }

    /// Encodes a statement's parameters, replacing the previous ones.
    mutating func encode(_ parameters: PostgresParameters) {
        if bytes.capacity > Self.keptCapacity { bytes = [] }
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for parameter in parameters {
            let start = bytes.count
            if parameter.isPostgresNull {
                offsets.append(nil)
            } else {
                parameter.encode(into: &bytes)
                offsets.append(start)
            }
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // libpq reads a null pointer as NULL, so even an empty string needs a buffer to point into.
        bytes.append(0)
        while formats.count < lengths.count { formats.append(1) }
    }

    /// Passes the values in libpq's form, for the duration of the call.
    func withPointers<Output>(
        _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Output
    ) -> Output {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            let values = offsets.map { offset in
                offset.flatMap { offset in start.map { $0 + offset } }
            }
            return body(values, lengths, formats)
        }
    }
}
