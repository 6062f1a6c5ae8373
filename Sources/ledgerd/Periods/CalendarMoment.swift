import Foundation

/// A moment as finance names it: a time, or a day, which means its beginning.
enum CalendarMoment {
    static let rule = "an RFC 3339 time such as 2026-01-31T15:00:00Z, or a day such as 2026-02-01"

    /// The moment; nil when it is neither.
    static func parse(_ text: String, in timeZone: TimeZone) -> Date? {
        Moment.parse(text)?.date ?? day(text, in: timeZone)
    }

    private static func day(_ text: String, in timeZone: TimeZone) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
        guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let named = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        // A calendar takes February 30th for March 2nd.
        guard let day = calendar.date(from: named),
            calendar.dateComponents([.year, .month, .day], from: day) == named
        else { return nil }
        return calendar.startOfDay(for: day)
    }
}
