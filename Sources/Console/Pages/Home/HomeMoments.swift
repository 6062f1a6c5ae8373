import CivilTime
import Foundation

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
