package import Foundation

/// A month of the Gregorian calendar.
package struct CivilMonth: Sendable, Hashable, Comparable {
    package let firstDay: CivilDate

    /// Parses a month such as `2026-01`, in the years from 1970 to 9998.
    ///
    /// - Returns: nil for other texts.
    package init?(_ text: String) {
        var reader = TimeReader(text + "-01")
        guard text.utf8.count == 7, let days = reader.date(), reader.isAtEnd else { return nil }
        self.init(of: CivilDate(daysSince1970: days))
        guard (1970...9998).contains(firstDay.year) else { return nil }
    }

    /// The month of a moment in a time zone.
    package init(of moment: Date, in zone: TimeZone) { self.init(of: CivilDate(of: moment, in: zone)) }

    private init(of day: CivilDate) { firstDay = CivilDate(daysSince1970: day.daysSince1970 - day.day + 1) }

    /// The accepted format, for error messages.
    package static let rule = "a month, such as 2026-01"

    /// The month after it.
    package var next: CivilMonth { CivilMonth(of: CivilDate(daysSince1970: firstDay.daysSince1970 + 31)) }

    /// Its first moment in a time zone.
    package func start(in zone: TimeZone) -> Date {
        Date(timeIntervalSince1970: Double(zone.startOfDay(firstDay.daysSince1970)))
    }

    package static func < (left: CivilMonth, right: CivilMonth) -> Bool {
        left.firstDay.daysSince1970 < right.firstDay.daysSince1970
    }

    package static func == (left: CivilMonth, right: CivilMonth) -> Bool { left.firstDay == right.firstDay }

    package func hash(into hasher: inout Hasher) { hasher.combine(firstDay.daysSince1970) }
}

extension CivilMonth: CustomStringConvertible {
    /// `2026-01`.
    package var description: String { String(firstDay.description.dropLast(3)) }
}
