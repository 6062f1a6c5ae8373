import CZlib

/// Compresses a stream as gzip (RFC 1952), part by part.
///
/// `deinit` frees zlib's state.
final class Gzip {
    /// A low level, which takes a third of the default's time; reports repeat many texts, so it compresses well.
    private static let level: Int32 = 3

    // zlib's state points back to the stream, which must therefore not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = ledgerd_gzip_init(stream, Self.level)
        precondition(status == Z_OK, "zlib can't start: \(status)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses bytes.
    ///
    /// The result can be empty, because zlib collects bytes first.
    func compress(_ bytes: [UInt8]) -> [UInt8] {
        deflate(bytes, Z_NO_FLUSH)
    }

    /// The remaining bytes and the end of the stream.
    func finish() -> [UInt8] {
        deflate([], Z_FINISH)
    }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            // An output buffer with free space means that there is no more output.
            repeat { output += deflateOnce(flush) } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
        return output
    }

    private func deflateOnce(_ flush: Int32) -> [UInt8] {
        let size = 64 << 10
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(size)
            let status = CZlib.deflate(stream, flush)
            // Z_BUF_ERROR means that there was nothing to do.
            precondition(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, "zlib failed: \(status)")
            count = size - Int(stream.pointee.avail_out)
        }
    }
}
