package import Foundation

/// Times in whole microseconds, the precision of PostgreSQL.
///
/// A `Date` is a `Double` of seconds since 2001. Arithmetic from 1970 rounds once more, and a time that is a whole
/// millisecond in the books could be the end of the millisecond before. So every conversion counts from 2001, as the
/// reading of rows does, and equal microseconds are equal dates.
extension Date {
    /// From 1970 to 2001, in microseconds.
    private static let epochDistance: Int64 = 978_307_200 * 1_000_000

    /// Microseconds since 1970, rounded to the nearest.
    ///
    /// A time outside of 64 bits becomes the lowest or highest value, far beyond PostgreSQL's range.
    package var microsecondsSince1970: Int64 {
        let microseconds = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard let whole = Int64(exactly: microseconds) else { return microseconds < 0 ? .min : .max }
        return Self.clamped(whole.addingReportingOverflow(Self.epochDistance), below: false)
    }

    /// The time, rounded to the nearest microsecond: as it is stored, and read again.
    package var inMicroseconds: Date { Date(microsecondsSince1970: microsecondsSince1970) }

    /// The last moment before it with PostgreSQL's precision.
    package var previousMicrosecond: Date { Date(microsecondsSince1970: microsecondsSince1970 - 1) }

    package init(microsecondsSince1970 microseconds: Int64) {
        let whole = Self.clamped(microseconds.subtractingReportingOverflow(Self.epochDistance), below: true)
        self.init(timeIntervalSinceReferenceDate: Double(whole) / 1_000_000)
    }

    private static func clamped(_ sum: (partialValue: Int64, overflow: Bool), below: Bool) -> Int64 {
        guard sum.overflow else { return sum.partialValue }
        return below ? .min : .max
    }
}
