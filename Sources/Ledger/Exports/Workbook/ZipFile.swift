import CZlib

/// The members of a zip file, as libxlsxwriter writes it: deflated, without a comment, below 4 GiB (APPNOTE 6.3).
struct ZipFile {
    let entries: [ZipEntry]
    private let file: TemporaryFile

    init(_ file: TemporaryFile) throws(WorkbookError) {
        self.file = file
        entries = try Self.directory(of: file)
    }

    private static func directory(of file: TemporaryFile) throws(WorkbookError) -> [ZipEntry] {
        let size = try file.count()
        let end = LittleEndian(try file.read(at: max(0, size - 22), most: 22))
        guard size >= 22, end.integer(at: 0, 4) == 0x0605_4B50, let count = end.integer(at: 10, 2),
            let bytes = end.integer(at: 12, 4), let start = end.integer(at: 16, 4), start + bytes <= size
        else { throw .storage(0) }
        let directory = LittleEndian(try file.read(at: start, most: bytes))
        var entries: [ZipEntry] = []
        var place = 0
        for _ in 0..<count {
            guard let (entry, next) = directory.entry(at: place), entry.method == ZipEntry.deflated else {
                throw .storage(0)
            }
            entries.append(entry)
            place = next
        }
        return entries
    }

    /// Inflates a member part by part, and compares its CRC.
    func inflate(_ entry: ZipEntry, _ body: (UnsafeRawBufferPointer) -> Void) throws(WorkbookError) {
        let head = LittleEndian(try file.read(at: entry.header, most: 30))
        guard let length = head.lengthOfHeader(at: 0) else { throw .storage(0) }
        let inflater = Inflater()
        var place = entry.header + length
        let end = place + entry.compressed
        while place < end {
            let part = try file.read(at: place, most: min(ByteText.partSize, end - place))
            guard !part.isEmpty, inflater.inflate(part, body) else { throw .storage(0) }
            place += part.count
        }
        guard inflater.hasEnded, inflater.crc == entry.crc else { throw .storage(0) }
    }
}

/// A member of a zip file, as its central directory has it (APPNOTE 6.3).
struct ZipEntry {
    static let stored = 0
    static let deflated = 8

    let name: String
    let method: Int
    let isEncrypted: Bool
    let crc: UInt32
    let compressed: Int
    /// The bytes before compression.
    let count: Int
    /// Where the member's own header begins.
    let header: Int
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
    func entry(at place: Int) -> (ZipEntry, next: Int)? {
        guard integer(at: place, 4) == 0x0201_4B50, let flags = integer(at: place + 8, 2),
            let method = integer(at: place + 10, 2), let crc = integer(at: place + 16, 4),
            let compressed = integer(at: place + 20, 4),
            let count = integer(at: place + 24, 4), let name = integer(at: place + 28, 2),
            let extra = integer(at: place + 30, 2), let comment = integer(at: place + 32, 2),
            let header = integer(at: place + 42, 4), place + 46 + name <= bytes.count
        else { return nil }
        let entry = ZipEntry(
            name: String(decoding: bytes[place + 46..<place + 46 + name], as: UTF8.self), method: method,
            isEncrypted: flags & 1 == 1, crc: UInt32(truncatingIfNeeded: crc), compressed: compressed, count: count,
            header: header)
        return (entry, place + 46 + name + extra + comment)
    }

    /// The bytes of a member's own header, after which its content begins; nil: there is none.
    func lengthOfHeader(at place: Int) -> Int? {
        guard integer(at: place, 4) == 0x0403_4B50, let name = integer(at: place + 26, 2),
            let extra = integer(at: place + 28, 2)
        else { return nil }
        return 30 + name + extra
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
        crc = Self.checksum(crc, made)
        body(made)
    }

    /// The CRC of earlier bytes and these.
    static func checksum(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(
            truncatingIfNeeded: crc32(
                UInt(crc), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt32(truncatingIfNeeded: bytes.count)))
    }
}
