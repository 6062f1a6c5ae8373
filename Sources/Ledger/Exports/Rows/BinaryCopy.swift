/// Reads the data of `COPY … TO STDOUT (FORMAT binary)`: a header, rows of length-prefixed values, an end marker.
///
/// In the binary format, the server neither formats numbers and times nor escapes text, so each value is formatted only
/// once, here.
struct BinaryCopy {
    private let columns: [Column]
    private var fields: [ExportRow.Field]
    private var head: Head
    private var isAtHeader = true

    /// A copy of the last head, which outlives its chunk.
    private struct Head {
        var bytes: [UInt8] = []
        var fields: [ExportRow.Field]
    }

    init(_ rows: any ExportRows) {
        columns = rows.columns
        let null = ExportRow.Field(start: 0, count: -1)
        fields = Array(repeating: null, count: columns.count)
        head = Head(fields: Array(repeating: null, count: rows.headColumns))
    }

    /// Reads the rows of a chunk of whole messages.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when the bytes do not fit the columns.
    mutating func read(_ chunk: [UInt8], _ row: (borrowing ExportRow) -> Void) throws(LedgerError) {
        let result = chunk.withUnsafeBytes { bytes in
            Result<Void, LedgerError> { () throws(LedgerError) in try read(bytes, row) }
        }
        try result.get()
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ row: (borrowing ExportRow) -> Void
    ) throws(LedgerError) {
        var place = 0
        if isAtHeader {
            place = try Self.endOfHeader(bytes)
            isAtHeader = false
        }
        while place < bytes.count {
            let count = Int(try Self.load(Int16.self, bytes, at: &place))
            if count == -1 { break }
            guard count == columns.count else { throw Self.malformed }
            try readFields(bytes, from: &place)
            hand(bytes, to: row)
        }
    }

    private mutating func readFields(_ bytes: UnsafeRawBufferPointer, from place: inout Int) throws(LedgerError) {
        for index in columns.indices {
            let count = Int(try Self.load(Int32.self, bytes, at: &place))
            fields[index] = ExportRow.Field(start: place, count: count)
            if count < 0 { continue }
            guard columns[index].kind == .text || count == 8, place + count <= bytes.count else { throw Self.malformed }
            place += count
        }
    }

    /// Passes a row to the closure, or keeps it if it is a head.
    private mutating func hand(_ bytes: UnsafeRawBufferPointer, to row: (borrowing ExportRow) -> Void) {
        if !head.fields.isEmpty, fields[head.fields.count].count < 0 { return keepHead(bytes) }
        head.bytes.withUnsafeBytes { headBytes in
            head.fields.withUnsafeBufferPointer { headFields in
                fields.withUnsafeBufferPointer { fields in
                    let head = ExportRow.Values(bytes: headBytes, fields: headFields)
                    let values = ExportRow.Values(bytes: bytes, fields: fields)
                    if headFields.isEmpty || Self.agree(head[0], values[0]) {
                        row(ExportRow(head: head, values: values))
                    }
                }
            }
        }
    }

    private mutating func keepHead(_ bytes: UnsafeRawBufferPointer) {
        head.bytes.removeAll(keepingCapacity: true)
        for index in head.fields.indices {
            let field = fields[index]
            head.fields[index] = ExportRow.Field(start: head.bytes.count, count: field.count)
            if field.count > 0 { head.bytes.append(contentsOf: bytes[field.start..<field.start + field.count]) }
        }
    }

    private static func agree(_ one: UnsafeRawBufferPointer?, _ other: UnsafeRawBufferPointer?) -> Bool {
        guard let one, let other else { return false }
        return one.elementsEqual(other)
    }

    private static func load<Integer: FixedWidthInteger>(
        _ type: Integer.Type, _ bytes: UnsafeRawBufferPointer, at place: inout Int
    ) throws(LedgerError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard place + size <= bytes.count else { throw malformed }
        defer { place += size }
        return Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Integer.self))
    }

    /// The header has 11 bytes of signature, 4 bytes of flags, and 4 bytes for the length of an extension, which is
    /// empty.
    private static func endOfHeader(_ bytes: UnsafeRawBufferPointer) throws(LedgerError) -> Int {
        guard bytes.count >= 19, bytes.starts(with: signature) else { throw malformed }
        return 19
    }

    private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    private static let malformed = LedgerError(.fault, "the database sent a COPY that can't be read")
}
