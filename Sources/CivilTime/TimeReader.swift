/// Reads the parts of an RFC 3339 time from the start of a text.
///
/// Hand-written, because Foundation's parsers read February 30 as a day in March and lose microseconds.
package struct TimeReader {
    private var rest: ArraySlice<UInt8>

    package init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The moment of a text such as `2026-01-31T15:04:05.123+09:00`, in microseconds since 1970; nil if the text has
    /// another format.
    package static func microseconds(_ text: some StringProtocol) -> Int64? {
        var reader = TimeReader(text)
        guard let days = reader.date(), let ofDay = reader.timeAndOffset() else { return nil }
        return days * 86_400_000_000 + ofDay
    }

    /// `2026-01-31`, as a day since 1970.
    package mutating func date() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    /// The rest after the date, such as `T15:04:05.123+09:00`, as microseconds since midnight UTC.
    ///
    /// A leap second (RFC 3339 §5.7: at the end of a UTC day) is read as the next second, because Unix time has none.
    package mutating func timeAndOffset() -> Int64? {
        guard take("T") || take("t"), let ofDay = time(), let offset = offset(), isAtEnd else { return nil }
        let ofUTC = ofDay.microseconds - offset * 1_000_000
        guard !ofDay.isLeapSecond || ofUTC.flooredDivision(by: 86_400_000_000).remainder < 1_000_000 else { return nil }
        return ofUTC
    }

    /// `15:04:05.123`, with any precision; digits below a microsecond are dropped.
    private mutating func time() -> (microseconds: Int64, isLeapSecond: Bool)? {
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60,
            take(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if take(".") {
            let digits = rest.prefix(while: \.isDigit)
            guard !digits.isEmpty else { return nil }
            fraction = (Array(digits.prefix(6)) + [UInt8](repeating: UInt8(ascii: "0"), count: 6)).prefix(6).reduce(0) {
                $0 * 10 + $1.digit
            }
            rest = rest.dropFirst(digits.count)
        }
        return (((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction, second == 60)
    }

    /// `Z` or `+09:00`, as seconds.
    private mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
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
