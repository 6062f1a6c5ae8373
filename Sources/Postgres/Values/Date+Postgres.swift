public import Foundation

/// `timestamp with time zone`: microseconds since 2000-01-01 00:00 UTC.
///
/// `Date` counts seconds in a `Double`, which tells microseconds apart until far beyond the year 2200: a time survives
/// the way there and back. `infinity` is not a date and is refused.
extension Date: PostgresScalar {
    /// `timestamp with time zone`.
    public static var postgresType: PostgresType {
        .timestamptz
    }

    /// 8 bytes.
    public static var estimatedSize: Int {
        8
    }

    /// From 2000-01-01, where PostgreSQL counts from, to 2001-01-01, where Foundation does: 366 days.
    private static let epochDistance: Int64 = 366 * 86_400 * 1_000_000

    /// Appends 8 bytes, rounded to the nearest microsecond.
    public func encode(into buffer: inout [UInt8]) {
        let microseconds = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        // What 64 bits can't hold (or is not a number) becomes a value that the server refuses with 22008: neither a
        // trap here nor, as the largest value would, an 'infinity' there.
        let outOfRange = Int64.max - 1
        let value = Int64(exactly: microseconds)?.addingReportingOverflow(Self.epochDistance)
        buffer.append(bigEndian: value.map { $0.overflow ? outOfRange : $0.partialValue } ?? outOfRange)
    }

    /// Reads 8 bytes; `nil` for `infinity` and `-infinity`.
    public init?(postgresBytes bytes: RawSpan) {
        guard let value = bytes.onlyBigEndian(as: Int64.self), value != .max, value != .min else { return nil }
        let microseconds = value.subtractingReportingOverflow(Self.epochDistance)
        guard !microseconds.overflow else { return nil }
        self.init(timeIntervalSinceReferenceDate: Double(microseconds.partialValue) / 1_000_000)
    }
}
