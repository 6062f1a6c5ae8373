/// The members of a zip file in memory, as spreadsheet programs write workbooks: stored or deflated (APPNOTE 6.3).
///
/// Everything that the file says of itself is compared with what is there.
struct ZipArchive {
    /// The most members; a workbook has some dozens.
    private static let mostEntries = 10_000

    private let file: LittleEndian
    private let entries: [String: ZipEntry]

    init(_ content: [UInt8]) throws(SpreadsheetFault) {
        file = LittleEndian(content)
        guard let end = Self.end(of: file), let count = file.integer(at: end + 10, 2), count <= Self.mostEntries,
            var place = file.integer(at: end + 16, 4)
        else { throw .damaged }
        var entries: [String: ZipEntry] = [:]
        for _ in 0..<count {
            guard let (entry, next) = file.entry(at: place),
                entry.method == ZipEntry.stored || entry.method == ZipEntry.deflated
            else { throw .damaged }
            let name = Self.key(entry.name)
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

    /// Programs write names with either slash, and find them in either case.
    private static func key(_ name: String) -> String { name.replacing("\\", with: "/").lowercased() }

    func contains(_ name: String) -> Bool { entries[Self.key(name)] != nil }

    /// Unpacks a member into a reader, part by part.
    ///
    /// - Parameter left: how many bytes may still be unpacked; it becomes fewer.
    func read(_ name: String, within left: inout Int, into reader: XMLReader) throws(SpreadsheetFault) {
        guard let entry = entries[Self.key(name)] else { throw .damaged }
        guard !entry.isEncrypted else { throw .encrypted }
        guard let length = file.lengthOfHeader(at: entry.header) else { throw .damaged }
        let start = entry.header + length
        let end = start + entry.compressed
        guard end <= file.bytes.count else { throw .damaged }
        let inflater = entry.method == ZipEntry.deflated ? Inflater() : nil
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
                    crc = Inflater.checksum(crc, bytes)
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
}
