import CivilTime
import Foundation

/// Which days are to be reconciled by now: each when the next one has come to a time of day.
struct DailySchedule: Sendable {
    /// The most days that are caught up with after a pause.
    static let mostDays = 7

    private let at: TimeOfDay
    private let calendar: Calendar

    init(at: TimeOfDay, in timeZone: TimeZone) {
        self.at = at
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// A day of the calendar, and the moments that belong to it.
    struct Day: Sendable, Equatable {
        /// `2026-11-20`; sorts as days do.
        let name: String
        let period: Range<Date>
    }

    /// The latest day whose time has come; nil when days are not reconciled by themselves.
    func latest(at now: Date) -> Day? {
        guard let time = at.time else { return nil }
        let today = calendar.startOfDay(for: now)
        let isTime = calendar.date(bySettingHour: time.hour, minute: time.minute, second: 0, of: now).map { $0 <= now }
        return day(before: today, by: isTime ?? true ? 1 : 2)
    }

    /// The days that are due after the last one that was reconciled, oldest first: the latest alone when none was.
    func due(after last: String?, at now: Date) -> [Day] {
        guard let latest = latest(at: now) else { return [] }
        guard let last, last < latest.name else { return last == nil ? [latest] : [] }
        let earlier = (1..<Self.mostDays).compactMap { day(before: latest.period.lowerBound, by: $0) }
        return earlier.filter { $0.name > last }.reversed() + [latest]
    }

    private func day(before start: Date, by days: Int) -> Day? {
        guard let noon = calendar.date(byAdding: .day, value: -days, to: start.addingTimeInterval(12 * 3600)),
            let next = calendar.date(byAdding: .day, value: 1, to: noon)
        else { return nil }
        return Day(
            name: CivilDate(of: noon, in: calendar.timeZone).description,
            period: calendar.startOfDay(for: noon)..<calendar.startOfDay(for: next))
    }
}
