import CivilTime

/// A time to the microsecond, as PostgreSQL keeps it: no floating-point number comes between.
struct Moment: Hashable, Comparable, Sendable {
    /// Since the beginning of 1970, UTC.
    let microseconds: Int64

    init(microseconds: Int64) { self.microseconds = microseconds }

    /// Reads a date, meant as its first moment in the zone, or an RFC 3339 time.
    ///
    /// - Returns: nil for other texts, and for times before 1970 or after 9999, by UTC.
    init?(text: String, in zone: ExportZone) {
        guard let microseconds = CalendarMoment.microseconds(text, in: zone.zone),
            Self.writable.contains(microseconds)
        else { return nil }
        self.microseconds = microseconds
    }

    /// What four digits can say of a year: until the beginning of 10000.
    private static let writable: Range<Int64> = 0..<253_402_300_800_000_000

    static func < (left: Moment, right: Moment) -> Bool { left.microseconds < right.microseconds }

    /// The last moment that is written with the same millisecond.
    var endOfMillisecond: Moment { Moment(microseconds: startOfMillisecond.microseconds + 999) }

    var startOfMillisecond: Moment {
        Moment(microseconds: microseconds - (microseconds % 1000 + 1000) % 1000)
    }

    /// As a literal of SQL: digits and punctuation of our own making only.
    var sqlLiteral: String {
        var text = ByteText()
        text.append(time: self, offset: 0, fraction: .microseconds)
        return "TIMESTAMPTZ '\(String(decoding: text.bytes, as: UTF8.self))'"
    }
}
