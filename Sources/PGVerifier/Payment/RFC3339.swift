import FoundationEssentials

/// Times as V2 writes them: RFC 3339 of any precision, even within one object (PortOne V2 contract, conventions).
enum RFC3339 {
    /// Reads a time; nil when it isn't one.
    static func date(_ text: String) -> Date? {
        var rest = Substring(text)
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), skip(&rest, "T", "t", " "),
            let hour = number(&rest, 2), skip(&rest, ":"), let minute = number(&rest, 2), skip(&rest, ":"),
            let second = number(&rest, 2), let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty,
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Writes a time in UTC with milliseconds.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.utf8.count == digits, text.utf8.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(text)
    }

    private static func fraction(_ rest: inout Substring) -> Double? {
        guard skip(&rest, ".") else { return 0 }
        let digits = rest.prefix { $0.utf8.allSatisfy(isDigit) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + digits)
    }

    private static func offset(_ rest: inout Substring) -> Int? {
        if skip(&rest, "Z", "z") { return 0 }
        let sign = rest.first == "-" ? -1 : 1
        guard skip(&rest, "+", "-"), let hours = number(&rest, 2), skip(&rest, ":"), let minutes = number(&rest, 2),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes) * 60
    }

    private static func skip(_ rest: inout Substring, _ allowed: Character...) -> Bool {
        guard let first = rest.first, allowed.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400)
        return (year - 1970) * 365 + leapDays + (1..<month).reduce(0) { $0 + days(in: $1, of: year) } + day - 1
    }
}
