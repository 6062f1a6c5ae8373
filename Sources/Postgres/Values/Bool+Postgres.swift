/// `boolean`.
extension Bool: PostgresScalar {
    /// `boolean`.
    public static var postgresType: PostgresType {
        .bool
    }

    /// 1 byte.
    public static var estimatedSize: Int {
        1
    }

    /// Appends 1 byte.
    public func encode(into buffer: inout [UInt8]) {
        buffer.append(self ? 1 : 0)
    }

    /// Reads 1 byte.
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = bytes.onlyBigEndian(as: UInt8.self) else { return nil }
        self = value != 0
    }
}
