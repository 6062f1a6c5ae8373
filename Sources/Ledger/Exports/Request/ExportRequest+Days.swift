import CivilTime
import Foundation

extension ExportRequest {
    /// The most days of a report that has rows for each day: ten years.
    static let mostDays: Int64 = 3660

    /// A day of the period, in the time zone of the request.
    struct Day {
        let date: CivilDate
        /// Its first moment in the period.
        let start: Moment
    }

    /// The days of the period, of which the first may begin late, and the last may end early.
    ///
    /// There are none if an end of the period is missing.
    var days: [Day] {
        guard let from = period.from, let to = period.to else { return [] }
        let first = CivilDate(of: from.date, in: zone.zone).daysSince1970
        let last = CivilDate(of: Moment(microseconds: to.microseconds - 1).date, in: zone.zone).daysSince1970
        return (first...max(first, last)).map { day in
            let start = Moment(microseconds: zone.zone.startOfDay(day) * 1_000_000)
            return Day(date: CivilDate(daysSince1970: day), start: max(start, from))
        }
    }

    /// An SQL array with the starts of the days.
    var startsOfDays: String { "ARRAY[\(days.map(\.start.sqlLiteral).joined(separator: ", "))]" }
}

extension Moment {
    fileprivate var date: Date { Date(microsecondsSince1970: microseconds) }
}
