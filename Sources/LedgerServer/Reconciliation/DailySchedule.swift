import CivilTime
import Foundation

/// The schedule of daily reconciliations: a day is due on the next day at a configured time.
struct DailySchedule: Sendable {
    /// The maximum number of days that are reconciled after an interruption.
    static let mostDays = 7

    private let at: TimeOfDay
    private let calendar: Calendar

    init(at: TimeOfDay, in timeZone: TimeZone) {
        self.at = at
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// A calendar day and its period.
    struct Day: Sendable, Equatable {
        /// `2026-11-20`; names sort by date.
        let name: String
        let period: Range<Date>
    }

    /// The latest due day; nil if the daily reconciliation is off.
    func latest(at now: Date) -> Day? {
        guard let time = at.time else { return nil }
        let today = calendar.startOfDay(for: now)
        let isTime = calendar.date(bySettingHour: time.hour, minute: time.minute, second: 0, of: now).map { $0 <= now }
        return day(before: today, by: isTime ?? true ? 1 : 2)
    }

    /// The due days after the last reconciled one, oldest first; only the latest if none was reconciled.
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
