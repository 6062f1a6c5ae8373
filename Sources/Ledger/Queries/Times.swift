import Foundation

extension Date {
    /// Earlier than any record: the year 1.
    static let beginningOfHistory = Date(timeIntervalSince1970: -62_135_596_800)

    /// Later than any record: the year 9999.
    static let endOfHistory = Date(timeIntervalSince1970: 253_370_764_800)

    /// PostgreSQL keeps times to the microsecond; so do cursors.
    ///
    /// What 64 bits can't hold becomes their end, far beyond what PostgreSQL keeps.
    var microsecondsSince1970: Int64 {
        let microseconds = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    }

    /// The next time that PostgreSQL can tell from this one.
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
