import CivilTime

extension Moment {
    /// Reads a date, meant as its first moment in the zone, or an RFC 3339 time.
    ///
    /// By hand, for Foundation's parsers take the 30th of February for a day in March, and lose microseconds.
    ///
    /// - Returns: nil for other texts, and for times before 1970.
    init?(text: String, in zone: ExportZone) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let days = reader.date() else { return nil }
        let midnight = Moment(microseconds: days * 86_400_000_000)
        if reader.isAtEnd {
            self = zone.startOfDay(midnight)
        } else {
            guard reader.take("T") || reader.take("t"), let ofDay = reader.time(), let offset = reader.offset(),
                reader.isAtEnd
            else { return nil }
            self = Moment(microseconds: midnight.microseconds + ofDay - offset * 1_000_000)
        }
        guard microseconds >= 0 else { return nil }
    }
}

/// Takes a time's parts from the front of a text.
private struct Reader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// `2026-01-31`, as a day since 1970.
    mutating func date() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    /// `15:04:05.123`, as microseconds; a leap second is none that a database could keep.
    mutating func time() -> Int64? {
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60,
            take(":"),
            let second = number(digits: 2), second < 60
        else { return nil }
        var fraction: Int64 = 0
        if take(".") {
            let digits = rest.prefix(while: \.isDigit)
            guard (1...9).contains(digits.count) else { return nil }
            fraction = (Array(digits) + [UInt8](repeating: UInt8(ascii: "0"), count: 6)).prefix(6).reduce(0) {
                $0 * 10 + $1.digit
            }
            rest = rest.dropFirst(digits.count)
        }
        return ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
    }

    /// `Z` or `+09:00`, as seconds.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    private mutating func number(digits count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + $1.digit }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var digit: Int64 { Int64(self - UInt8(ascii: "0")) }
}
