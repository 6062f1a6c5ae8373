/// `bigint`.
extension Int64: PostgresScalar {
    /// `bigint`.
    public static var postgresType: PostgresType {
        .int8
    }

    /// 8 bytes.
    public static var estimatedSize: Int {
        8
    }

    /// Appends 8 bytes.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(bigEndian: self)
    }

    /// Reads 8 bytes.
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = bytes.onlyBigEndian(as: Int64.self) else { return nil }
        self = value
    }
}

/// `bigint`, like `Int64`: `Int` has 64 bits on all supported platforms.
extension Int: PostgresScalar {
    /// `bigint`.
    public static var postgresType: PostgresType {
        .int8
    }

    /// 8 bytes.
    public static var estimatedSize: Int {
        8
    }

    /// Appends 8 bytes.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(bigEndian: Int64(self))
    }

    /// Reads 8 bytes.
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = bytes.onlyBigEndian(as: Int64.self) else { return nil }
        self.init(exactly: value)
    }
}

/// `integer`.
extension Int32: PostgresScalar {
    /// `integer`.
    public static var postgresType: PostgresType {
        .int4
    }

    /// 4 bytes.
    public static var estimatedSize: Int {
        4
    }

    /// Appends 4 bytes.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(bigEndian: self)
    }

    /// Reads 4 bytes.
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = bytes.onlyBigEndian(as: Int32.self) else { return nil }
        self = value
    }
}
