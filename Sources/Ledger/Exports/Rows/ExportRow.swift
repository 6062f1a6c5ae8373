/// A row from the database.
///
/// It is valid only while it is being written.
struct ExportRow: ~Copyable {
    /// The position of a value in the bytes; a count of -1 is NULL.
    struct Field {
        let start: Int
        let count: Int
    }

    /// Bytes, and the positions of values in them.
    struct Values {
        let bytes: UnsafeRawBufferPointer
        let fields: UnsafeBufferPointer<Field>

        @inline(__always)
        subscript(column: Int) -> UnsafeRawBufferPointer? {
            let field = fields[column]
            guard field.count >= 0 else { return nil }
            return UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.start + field.count])
        }
    }

    /// The values of the first columns, shared by several rows.
    private let head: Values
    private let values: Values

    init(head: Values, values: Values) {
        self.head = head
        self.values = values
    }

    /// A value's bytes; nil for NULL.
    @inline(__always)
    func text(_ column: Int) -> UnsafeRawBufferPointer? {
        column < head.fields.count ? head[column] : values[column]
    }

    /// A `bigint`; nil for NULL.
    @inline(__always)
    func integer(_ column: Int) -> Int64? {
        text(column).map { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    /// A `timestamptz`, sent as microseconds since 2000; nil for NULL.
    @inline(__always)
    func time(_ column: Int) -> Moment? {
        integer(column).map { Moment(microseconds: $0 + 946_684_800_000_000) }
    }
}
