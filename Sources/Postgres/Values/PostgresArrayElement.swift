/// An element of an array: a ``PostgresScalar`` or an optional one.
///
/// The element type encodes whole arrays, because the compiler specialises the witness of a concrete element type: a
/// batch of 4,096 elements costs one dynamic call.
public protocol PostgresArrayElement: PostgresEncodable, PostgresDecodable {
    /// Appends a one-dimensional array in PostgreSQL's binary format.
    static func encodeArray(_ elements: [Self], into buffer: inout [UInt8])
    /// Reads an array of at most one dimension in PostgreSQL's binary format; `nil` if the bytes are invalid.
    static func decodeArray(_ bytes: RawSpan) -> [Self]?
}

/// A single value that is never NULL.
public protocol PostgresScalar: PostgresArrayElement {
    /// The approximate size of a value in bytes, so that an array's buffer is reserved once.
    static var estimatedSize: Int { get }
    /// Appends a one-dimensional array in which elements may be NULL.
    static func encodeOptionalArray(_ elements: [Self?], into buffer: inout [UInt8])
    /// Reads an array of at most one dimension in which elements may be NULL.
    static func decodeOptionalArray(_ bytes: RawSpan) -> [Self?]?
}

extension PostgresScalar {
    /// 16 bytes.
    public static var estimatedSize: Int {
        16
    }

    /// Appends the array's header and every element with its length.
    public static func encodeArray(_ elements: [Self], into buffer: inout [UInt8]) {
        ArrayFormat.appendHeader(count: elements.count, hasNull: false, element: Self.self, to: &buffer)
        for element in elements {
            ArrayFormat.append(element, to: &buffer)
        }
    }

    /// Appends the array's header and every element with its length; a NULL has the length -1.
    public static func encodeOptionalArray(_ elements: [Self?], into buffer: inout [UInt8]) {
        let hasNull = elements.contains { $0 == nil }
        ArrayFormat.appendHeader(count: elements.count, hasNull: hasNull, element: Self.self, to: &buffer)
        for element in elements {
            if let element {
                ArrayFormat.append(element, to: &buffer)
            } else {
                buffer.append(bigEndian: Int32(-1))
            }
        }
    }

    /// Reads the elements; `nil` if one is NULL.
    public static func decodeArray(_ bytes: RawSpan) -> [Self]? {
        guard let count = ArrayFormat.count(in: bytes, of: Self.self) else { return nil }
        var elements: [Self] = []
        elements.reserveCapacity(count)
        var offset = ArrayFormat.headerSize(count: count)
        for _ in 0..<count {
            guard let size = ArrayFormat.size(in: bytes, at: &offset), size >= 0,
                let element = ArrayFormat.element(in: bytes, at: &offset, size: size, as: Self.self)
            else { return nil }
            elements.append(element)
        }
        return offset == bytes.byteCount ? elements : nil
    }

    /// Reads the elements, with `nil` for NULL.
    public static func decodeOptionalArray(_ bytes: RawSpan) -> [Self?]? {
        guard let count = ArrayFormat.count(in: bytes, of: Self.self) else { return nil }
        var elements: [Self?] = []
        elements.reserveCapacity(count)
        var offset = ArrayFormat.headerSize(count: count)
        for _ in 0..<count {
            guard let size = ArrayFormat.size(in: bytes, at: &offset) else { return nil }
            if size < 0 {
                elements.append(nil)
            } else if let element = ArrayFormat.element(in: bytes, at: &offset, size: size, as: Self.self) {
                elements.append(element)
            } else {
                return nil
            }
        }
        return offset == bytes.byteCount ? elements : nil
    }
}

/// The binary format of PostgreSQL's `array_recv` and `array_send`.
private enum ArrayFormat {
    /// The size of dimensions, flags and element type and, unless the array is empty, of its length and lower bound.
    @inline(__always)
    static func headerSize(count: Int) -> Int {
        count == 0 ? 12 : 20
    }

    @inline(__always)
    static func appendHeader<Element: PostgresScalar>(
        count: Int, hasNull: Bool, element: Element.Type, to buffer: inout [UInt8]
    ) {
        reserve(headerSize(count: count) + count * (4 + Element.estimatedSize), in: &buffer)
        buffer.append(bigEndian: Int32(count == 0 ? 0 : 1))
        buffer.append(bigEndian: Int32(hasNull ? 1 : 0))
        buffer.append(bigEndian: Element.postgresType.oid)
        if count > 0 {
            buffer.append(bigEndian: Int32(count))
            buffer.append(bigEndian: Int32(1))
        }
    }

    /// Doubles the capacity at least: `reserveCapacity` grows to exactly the requested size, which takes quadratic time
    /// for a statement with many arrays.
    @inline(__always)
    private static func reserve(_ size: Int, in buffer: inout [UInt8]) {
        if buffer.capacity - buffer.count < size {
            buffer.reserveCapacity(max(buffer.count + size, buffer.capacity * 2))
        }
    }

    @inline(__always)
    static func append<Element: PostgresScalar>(_ element: Element, to buffer: inout [UInt8]) {
        let start = buffer.count
        buffer.append(bigEndian: Int32(0))
        element.encode(into: &buffer)
        let size = Int32(buffer.count - start - 4).bigEndian
        buffer.withUnsafeMutableBytes { $0.storeBytes(of: size, toByteOffset: start, as: Int32.self) }
    }

    /// The number of elements; `nil` for more than one dimension or elements of another type.
    static func count<Element: PostgresScalar>(in bytes: RawSpan, of element: Element.Type) -> Int? {
        guard let dimensions = bytes.bigEndian(at: 0, as: Int32.self),
            let oid = bytes.bigEndian(at: 8, as: UInt32.self),
            Element.isDecodable(from: oid)
        else { return nil }
        if dimensions == 0 { return 0 }
        guard dimensions == 1, let count = bytes.bigEndian(at: 12, as: Int32.self), count > 0,
            // Every element has at least four bytes. A higher count is invalid and would reserve too much memory.
            Int(count) <= (bytes.byteCount - headerSize(count: 1)) / 4
        else { return nil }
        return Int(count)
    }

    @inline(__always)
    static func size(in bytes: RawSpan, at offset: inout Int) -> Int? {
        guard let size = bytes.bigEndian(at: offset, as: Int32.self), size >= -1 else { return nil }
        offset += 4
        return Int(size)
    }

    @inline(__always)
    static func element<Element: PostgresScalar>(
        in bytes: RawSpan, at offset: inout Int, size: Int, as: Element.Type
    ) -> Element? {
        guard offset + size <= bytes.byteCount else { return nil }
        defer { offset += size }
        return Element(postgresBytes: bytes.extracting(offset..<(offset + size)))
    }
}
