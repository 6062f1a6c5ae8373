import CZlib

/// The members of a zip file in memory, as spreadsheet programs write workbooks: stored or deflated (APPNOTE 6.3).
///
/// Everything that the file says of itself is compared with what is there.
struct ZipArchive {
    private struct Entry {
        let isDeflated: Bool
        let isEncrypted: Bool
        let crc: UInt32
        let compressed: Int
        let header: Int
    }

    /// The most members; a workbook has some dozens.
    private static let mostEntries = 10_000

    private let file: LittleEndian
    private let entries: [String: Entry]

    init(_ content: [UInt8]) throws(SpreadsheetFault) {
        file = LittleEndian(content)
        guard let end = Self.end(of: file), let count = file.integer(at: end + 10, 2), count <= Self.mostEntries,
            var place = file.integer(at: end + 16, 4)
        else { throw .damaged }
        var entries: [String: Entry] = [:]
        for _ in 0..<count {
            guard let (name, entry, next) = Self.entry(of: file, at: place) else { throw .damaged }
            // The first of two members of a name is the one that is read.
            if entries[name] == nil { entries[name] = entry }
            place = next
        }
        self.entries = entries
    }

    /// Where the record at the end begins: before a comment of at most 65,535 bytes.
    private static func end(of file: LittleEndian) -> Int? {
        let last = file.bytes.count - 22
        guard last >= 0 else { return nil }
        return stride(from: last, through: max(0, last - 0xFFFF), by: -1).first {
            file.integer(at: $0, 4) == 0x0605_4B50
        }
    }

    private static func entry(of file: LittleEndian, at place: Int) -> (name: String, Entry, next: Int)? {
        guard file.integer(at: place, 4) == 0x0201_4B50, let flags = file.integer(at: place + 8, 2),
            let method = file.integer(at: place + 10, 2), let crc = file.integer(at: place + 16, 4),
            let compressed = file.integer(at: place + 20, 4), let name = file.integer(at: place + 28, 2),
            let extra = file.integer(at: place + 30, 2), let comment = file.integer(at: place + 32, 2),
            let header = file.integer(at: place + 42, 4), place + 46 + name <= file.bytes.count,
            method == 0 || method == 8
        else { return nil }
        let entry = Entry(
            isDeflated: method == 8, isEncrypted: flags & 1 == 1, crc: UInt32(truncatingIfNeeded: crc),
            compressed: compressed, header: header)
        let text = String(decoding: file.bytes[place + 46..<place + 46 + name], as: UTF8.self)
        return (key(text), entry, place + 46 + name + extra + comment)
    }

    /// Programs write names with either slash, and find them in either case.
    private static func key(_ name: String) -> String { name.replacing("\\", with: "/").lowercased() }

    func contains(_ name: String) -> Bool { entries[Self.key(name)] != nil }

    /// Unpacks a member into a reader, part by part.
    ///
    /// - Parameter left: how many bytes may still be unpacked; it becomes fewer.
    func read(_ name: String, within left: inout Int, into reader: XMLReader) throws(SpreadsheetFault) {
        guard let entry = entries[Self.key(name)] else { throw .damaged }
        guard !entry.isEncrypted else { throw .encrypted }
        guard file.integer(at: entry.header, 4) == 0x0403_4B50,
            let nameLength = file.integer(at: entry.header + 26, 2),
            let extra = file.integer(at: entry.header + 28, 2)
        else { throw .damaged }
        let start = entry.header + 30 + nameLength + extra
        let end = start + entry.compressed
        guard end <= file.bytes.count else { throw .damaged }
        let inflater = entry.isDeflated ? Inflater() : nil
        var crc: UInt32 = 0
        // A part of 4 KiB unpacks to 4 MiB at most, so the limit is passed by no more than that.
        for place in stride(from: start, to: end, by: 4096) {
            let part = Array(file.bytes[place..<min(place + 4096, end)])
            if let inflater {
                let isWhole = inflater.inflate(part) { made in
                    left -= made.count
                    reader.read(made)
                }
                guard isWhole else { throw .damaged }
            } else {
                left -= part.count
                part.withUnsafeBytes { bytes in
                    crc = Self.checksum(crc, bytes)
                    reader.read(bytes)
                }
            }
            guard left >= 0 else { throw .tooLarge }
            if let fault = reader.fault { throw fault }
        }
        guard inflater?.hasEnded ?? true, (inflater?.crc ?? crc) == entry.crc else { throw .damaged }
        reader.end()
        if let fault = reader.fault { throw fault }
    }

    private static func checksum(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(
            truncatingIfNeeded: crc32(
                UInt(crc), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt32(truncatingIfNeeded: bytes.count)))
    }
}
