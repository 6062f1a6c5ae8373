import CivilTime
import Foundation

extension Date {
    /// The year 1, earlier than any record.
    static let beginningOfHistory = Date(timeIntervalSince1970: -62_135_596_800)

    /// The year 9999, later than any record.
    static let endOfHistory = Date(timeIntervalSince1970: 253_370_764_800)

    /// The next time with PostgreSQL's precision.
    var nextMicrosecond: Date {
        let next = microsecondsSince1970.addingReportingOverflow(1)
        return Date(microsecondsSince1970: next.overflow ? .max : next.partialValue)
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
