package import Foundation

/// A moment as people write it: an RFC 3339 time, or a date, which means its first moment in a time zone.
package enum CalendarMoment {
    /// The accepted formats, for error messages.
    package static let rule = "an RFC 3339 time, such as 2026-01-31T15:00:00Z, or a date, such as 2026-01-31"

    /// The moment of a text, in microseconds since 1970; nil if the text has another format.
    package static func microseconds(_ text: some StringProtocol, in zone: TimeZone) -> Int64? {
        var reader = TimeReader(text)
        guard let days = reader.date() else { return nil }
        guard !reader.isAtEnd else { return zone.startOfDay(days) * 1_000_000 }
        return reader.timeAndOffset().map { days * 86_400_000_000 + $0 }
    }

    /// The moment of a text; nil if the text has another format.
    package static func date(_ text: some StringProtocol, in zone: TimeZone) -> Date? {
        microseconds(text, in: zone).map(Date.init(microsecondsSince1970:))
    }
}

extension CivilDate {
    /// The day of a moment in a time zone.
    package init(of moment: Date, in zone: TimeZone) {
        let local = Int64(moment.timeIntervalSince1970.rounded(.down)) + Int64(zone.secondsFromGMT(for: moment))
        self.init(daysSince1970: local.flooredDivision(by: 86_400).quotient)
    }
}

extension TimeZone {
    /// The first moment of a day, in seconds since 1970.
    ///
    /// It is not midnight if clocks go forward at midnight.
    ///
    /// - Parameter days: the day, counted from 1970.
    package func startOfDay(_ days: Int64) -> Int64 {
        let (real, skipped) = candidates(of: days * 86_400)
        return real.min() ?? skipped
    }

    /// The moments at which clocks show a second of a day, in seconds since 1970: from the first to the last, which are an
    /// hour apart when clocks are set back over it.
    ///
    /// For a time that clocks are set forward over it is the moment at which they would show it otherwise.
    package func moments(ofSecond second: Int64, on days: Int64) -> ClosedRange<Int64> {
        let (real, skipped) = candidates(of: days * 86_400 + second)
        guard let first = real.min(), let last = real.max() else { return skipped...skipped }
        return first...last
    }

    /// - Parameter local: what clocks show, as if it were in UTC.
    private func candidates(of local: Int64) -> (real: [Int64], skipped: Int64) {
        let candidates = [local - 86_400, local + 86_400].map { near in
            let offset = offset(at: near)
            return (moment: local - offset, offset: offset)
        }
        let real = candidates.filter { offset(at: $0.moment) == $0.offset }.map(\.moment)
        return (real, candidates.map(\.moment).max() ?? local)
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
