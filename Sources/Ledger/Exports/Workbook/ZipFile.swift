import CZlib

/// The members of a zip file, as libxlsxwriter writes it: deflated, without a comment, below 4 GiB (APPNOTE 6.3).
struct ZipFile {
    struct Entry {
        let name: String
        /// The bytes before compression.
        let count: Int
        fileprivate let crc: UInt32
        fileprivate let compressed: Int
        fileprivate let header: Int
    }

    let entries: [Entry]
    private let file: TemporaryFile

    init(_ file: TemporaryFile) throws(WorkbookError) {
        self.file = file
        entries = try Self.directory(of: file)
    }

    private static func directory(of file: TemporaryFile) throws(WorkbookError) -> [Entry] {
        let size = try file.count()
        let end = LittleEndian(try file.read(at: max(0, size - 22), most: 22))
        guard size >= 22, end.integer(at: 0, 4) == 0x0605_4B50, let count = end.integer(at: 10, 2),
            let bytes = end.integer(at: 12, 4), let start = end.integer(at: 16, 4), start + bytes <= size
        else { throw .storage(0) }
        let directory = LittleEndian(try file.read(at: start, most: bytes))
        var entries: [Entry] = []
        var place = 0
        for _ in 0..<count {
            guard let (entry, next) = directory.entry(at: place) else { throw .storage(0) }
            entries.append(entry)
            place = next
        }
        return entries
    }

    /// Inflates a member part by part, and compares its CRC.
    func inflate(_ entry: Entry, _ body: (UnsafeRawBufferPointer) -> Void) throws(WorkbookError) {
        let head = LittleEndian(try file.read(at: entry.header, most: 30))
        guard head.integer(at: 0, 4) == 0x0403_4B50, let name = head.integer(at: 26, 2),
            let extra = head.integer(at: 28, 2)
        else { throw .storage(0) }
        let inflater = Inflater()
        var place = entry.header + 30 + name + extra
        let end = place + entry.compressed
        while place < end {
            let part = try file.read(at: place, most: min(ByteText.partSize, end - place))
            guard !part.isEmpty, inflater.inflate(part, body) else { throw .storage(0) }
            place += part.count
        }
        guard inflater.hasEnded, inflater.crc == entry.crc else { throw .storage(0) }
    }
}

/// Bytes with little-endian numbers in them.
struct LittleEndian {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number of this many bytes, at most four; nil: beyond the end.
    func integer(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// An entry of the central directory, and where the next one is.
    func entry(at place: Int) -> (ZipFile.Entry, next: Int)? {
        guard integer(at: place, 4) == 0x0201_4B50, integer(at: place + 10, 2) == 8,
            let crc = integer(at: place + 16, 4), let compressed = integer(at: place + 20, 4),
            let count = integer(at: place + 24, 4), let name = integer(at: place + 28, 2),
            let extra = integer(at: place + 30, 2), let comment = integer(at: place + 32, 2),
            let header = integer(at: place + 42, 4), place + 46 + name <= bytes.count
        else { return nil }
        let entry = ZipFile.Entry(
            name: String(decoding: bytes[place + 46..<place + 46 + name], as: UTF8.self), count: count,
            crc: UInt32(truncatingIfNeeded: crc), compressed: compressed, header: header)
        return (entry, place + 46 + name + extra + comment)
    }
}

/// Inflates a stream without a header (RFC 1951), part by part.
final class Inflater {
    // zlib's state points back to the stream, which must therefore not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    private var status: Int32
    private(set) var crc: UInt32 = 0

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        status = ledgerd_inflate_raw_init(stream)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    var hasEnded: Bool { status == Z_STREAM_END }

    /// - Returns: false when the bytes are no such stream.
    func inflate(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard status == Z_OK else { return false }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
            defer { stream.pointee.next_in = nil }
            // An output buffer with free space means that there is no more output.
            repeat { inflateOnce(body) } while status == Z_OK && stream.pointee.avail_out == 0
            // Z_BUF_ERROR means that there was nothing to do.
            if status == Z_BUF_ERROR { status = Z_OK }
            return status == Z_OK || status == Z_STREAM_END
        }
    }

    private func inflateOnce(_ body: (UnsafeRawBufferPointer) -> Void) {
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(truncatingIfNeeded: output.count)
        status = CZlib.inflate(stream, Z_NO_FLUSH)
        let made = UnsafeRawBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))])
        crc = UInt32(
            truncatingIfNeeded: crc32(
                UInt(crc), made.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(truncatingIfNeeded: made.count)
            ))
        body(made)
    }
}
