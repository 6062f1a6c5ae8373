public import Foundation

/// `timestamp with time zone`: microseconds since 2000-01-01 00:00 UTC.
///
/// `Date` is a `Double` of seconds, which represents microseconds until far beyond the year 2200, so a time is the same
/// after a round trip. `infinity` is not a date and is refused.
extension Date: PostgresScalar {
    /// `timestamp with time zone`.
    public static var postgresType: PostgresType {
        .timestamptz
    }

    /// 8 bytes.
    public static var estimatedSize: Int {
        8
    }

    /// From PostgreSQL's epoch, 2000-01-01, to Foundation's, 2001-01-01: 366 days.
    private static let epochDistance: Int64 = 366 * 86_400 * 1_000_000

    /// Appends 8 bytes, rounded to the nearest microsecond.
    public func encode(into buffer: inout [UInt8]) {
        let microseconds = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        // A value outside 64 bits, or not a number, becomes a value that the server refuses with 22008. So it neither
        // traps here nor becomes 'infinity' there, as the largest value would.
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
