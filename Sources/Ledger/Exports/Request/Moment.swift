import CivilTime

/// A time in microseconds, as PostgreSQL stores it, without floating-point rounding.
struct Moment: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    let microseconds: Int64

    init(microseconds: Int64) { self.microseconds = microseconds }

    /// Parses a date, as its first moment in the zone, or an RFC 3339 time.
    ///
    /// - Returns: nil for other texts, and for times before 1970 or after 9999 in UTC.
    init?(text: String, in zone: ExportZone) {
        guard let microseconds = CalendarMoment.microseconds(text, in: zone.zone),
            Self.writable.contains(microseconds)
        else { return nil }
        self.microseconds = microseconds
    }

    /// The years from 1970 to 9999.
    private static let writable: Range<Int64> = 0..<253_402_300_800_000_000

    static func < (left: Moment, right: Moment) -> Bool { left.microseconds < right.microseconds }

    /// The last moment of the same millisecond.
    var endOfMillisecond: Moment { Moment(microseconds: startOfMillisecond.microseconds + 999) }

    var startOfMillisecond: Moment {
        Moment(microseconds: microseconds - (microseconds % 1000 + 1000) % 1000)
    }

    /// An SQL literal.
    ///
    /// It contains only digits and punctuation that are written here.
    var sqlLiteral: String {
        var text = ByteText()
        text.append(time: self, offset: 0, fraction: .microseconds)
        return "TIMESTAMPTZ '\(String(decoding: text.bytes, as: UTF8.self))'"
    }
}
