import CivilTime
import Foundation

/// The moments that the first page's figures are about.
struct HomeMoments: Sendable, Equatable {
    let now: Date
    /// The first moment of each day of the month up to today, and the end of today.
    let days: [Date]
    let startOfQuarter: Date

    /// The beginning of the month, which is the end of the last one to close.
    var startOfMonth: Date { days.first ?? now }
}

extension HomeMoments {
    init(now: Date, in zone: TimeZone) {
        let today = CivilDate(of: now, in: zone)
        let number = today.daysSince1970
        let month = CivilMonth(of: now, in: zone).firstDay.daysSince1970
        let firstMonth = (today.month - 1) / 3 * 3 + 1
        let quarter = CivilDate(year: today.year, month: firstMonth, day: 1)?.daysSince1970 ?? month
        func start(of day: Int64) -> Date { Date(timeIntervalSince1970: Double(zone.startOfDay(day))) }
        self.init(
            now: now, days: (month...(number + 1)).map(start), startOfQuarter: start(of: quarter))
    }
}
