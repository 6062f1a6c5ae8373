/// A day of the Gregorian calendar.
package struct CivilDate: Sendable, Equatable {
    /// The year, which may have more than four digits.
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let day: Int64

    /// The date of a day number, by Howard Hinnant's `civil_from_days`: eras of 400 years begin in March, so that the
    /// leap day is the last day of an era.
    package init(daysSince1970: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }

    /// The day with a year, month and day of the month.
    ///
    /// - Returns: nil for a day that the calendar does not have.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
        guard self == CivilDate(daysSince1970: daysSince1970) else { return nil }
    }

    /// Parses a day such as `2026-01-31`, in the years from 1970 to 9998.
    ///
    /// - Returns: nil for other texts.
    package init?(_ text: some StringProtocol) {
        var reader = TimeReader(text)
        guard let days = reader.date(), reader.isAtEnd else { return nil }
        self.init(daysSince1970: days)
        guard (1970...9998).contains(year) else { return nil }
    }

    /// The accepted format, for error messages.
    package static let rule = "a day, such as 2026-01-31"

    /// The day's number, by Howard Hinnant's `days_from_civil`.
    package var daysSince1970: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2026-01-31`.
    package var description: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Int64 {
    /// Divides so that the remainder is never negative.
    package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
