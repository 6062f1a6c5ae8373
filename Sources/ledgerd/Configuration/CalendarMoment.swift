import Foundation
import LedgerWire

/// A moment as people write it: an RFC 3339 time, or a day, which means its beginning.
enum CalendarMoment {
    static let rule = "an RFC 3339 time such as 2026-11-20T15:00:00Z, or a day such as 2026-11-20"

    /// The moment; nil when it is neither.
    static func parse(_ text: String, in timeZone: TimeZone) -> Date? {
        RFC3339.date(from: text) ?? day(text, in: timeZone)
    }

    /// A period of two moments; nil when the second is not after the first.
    static func period(_ from: Date, _ to: Date) -> Range<Date>? { from < to ? from..<to : nil }

    private static func day(_ text: String, in timeZone: TimeZone) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(UInt8.isDigit) }) else {
            return nil
        }
        let numbers = parts.compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let components = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        // A calendar would take February 30th for March 2nd.
        guard let day = calendar.date(from: components), calendar.component(.day, from: day) == numbers[2],
            calendar.component(.month, from: day) == numbers[1]
        else { return nil }
        return calendar.startOfDay(for: day)
    }
}
