import Foundation

/// A time to the microsecond, as PostgreSQL keeps it: no floating-point number comes between.
struct Moment: Hashable, Comparable, Sendable {
    /// Since the beginning of 1970, UTC.
    let microseconds: Int64

    init(microseconds: Int64) { self.microseconds = microseconds }

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

extension Moment {
    /// Reads a date, meant as its first moment in the zone, or an RFC 3339 time.
    ///
    /// - Returns: nil for other texts, and for times before 1970 or after 9999.
    init?(text: String, in zone: ExportZone) {
        // Ten characters are a date; a parser of times would take shorter forms than RFC 3339 has.
        if text.utf8.count == 10 {
            let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
            guard let midnight = Self.parse(text, style), Self.isDate(text) else { return nil }
            self = zone.startOfDay(midnight)
        } else {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
            guard text.utf8.count >= 20, let moment = Self.parse(text, style) else { return nil }
            self = moment
        }
        guard (0...Self.last).contains(microseconds) else { return nil }
    }

    /// The end of the year 9999: later does not fit four digits.
    private static let last: Int64 = 253_402_300_799_999_999

    private static func parse(_ text: String, _ style: Date.ISO8601FormatStyle) -> Moment? {
        guard let date = try? Date(text, strategy: style) else { return nil }
        return Moment(microseconds: date.microsecondsSince1970)
    }

    private static func isDate(_ text: String) -> Bool {
        text.utf8.enumerated().allSatisfy { place, byte in
            place == 4 || place == 7
                ? byte == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
