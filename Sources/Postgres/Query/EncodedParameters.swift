/// The parameters of one statement in the binary format, one behind the other in a buffer that is used again and again.
struct EncodedParameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// What is kept between statements: batches of usual size need no allocation, and a huge one is not held for ever.
    private static let keptCapacity = 4 << 20

    /// Whether the parameters exceed what one message can carry.
    var isTooLarge: Bool {
        bytes.count >= 1 << 30
    }

    /// Encodes a statement's parameters in the place of those before.
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
        // libpq takes a null pointer for NULL, so that even a lone empty string needs a buffer to point into.
        bytes.append(0)
        while formats.count < lengths.count { formats.append(1) }
    }

    /// Lends the values as libpq wants them, for the time of the call.
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
