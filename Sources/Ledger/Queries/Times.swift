import Foundation

extension Date {
    /// The year 1, earlier than any record.
    static let beginningOfHistory = Date(timeIntervalSince1970: -62_135_596_800)

    /// The year 9999, later than any record.
    static let endOfHistory = Date(timeIntervalSince1970: 253_370_764_800)

    /// Microseconds since 1970, the precision of PostgreSQL and of cursors.
    ///
    /// A time outside of 64 bits becomes the lowest or highest value, far beyond PostgreSQL's range.
    var microsecondsSince1970: Int64 {
        let microseconds = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    }

    /// The next time with PostgreSQL's precision.
    var nextMicrosecond: Date {
        let next = microsecondsSince1970.addingReportingOverflow(1)
        return Date(microsecondsSince1970: next.overflow ? .max : next.partialValue)
    }

    init(microsecondsSince1970 microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
