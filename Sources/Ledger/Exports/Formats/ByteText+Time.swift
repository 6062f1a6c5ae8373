import CivilTime

extension ByteText {
    /// The precision of written times.
    enum Fraction {
        case milliseconds
        case microseconds
    }

    /// Writes an RFC 3339 time with the offset of its zone, such as `2026-01-31T09:00:00.000+09:00`.
    ///
    /// - Parameter offset: seconds east of UTC.
    mutating func append(time moment: Moment, offset: Int64, fraction: Fraction = .milliseconds) {
        let (days, ofDay) = Self.local(moment, offset)
        append(date: days)
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { text in
            text[0] = UInt8(ascii: "T")
            Self.writeClock(ofDay, into: text, at: 1)
            text[9] = UInt8(ascii: ".")
            Self.write(ofDay % 1_000_000, 6, into: text, at: 10)
            append(UnsafeRawBufferPointer(rebasing: text[..<(fraction == .milliseconds ? 13 : 16)]))
        }
        append(offset: offset)
    }

    /// Writes a time of the zone without its offset, such as `2026-01-31 09:00:00`.
    mutating func append(plainTime moment: Moment, offset: Int64) {
        let (days, ofDay) = Self.local(moment, offset)
        append(date: days)
        withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { text in
            text[0] = UInt8(ascii: " ")
            Self.writeClock(ofDay, into: text, at: 1)
            append(UnsafeRawBufferPointer(text))
        }
    }

    /// Writes the date of a moment at an offset, such as `2026-01-31`.
    mutating func append(dateOf moment: Moment, offset: Int64) {
        append(date: Self.local(moment, offset).days)
    }

    private static func local(_ moment: Moment, _ offset: Int64) -> (days: Int64, ofDay: Int64) {
        let (days, ofDay) = (moment.microseconds + offset * 1_000_000).flooredDivision(by: 86_400_000_000)
        return (days: days, ofDay: ofDay)
    }

    private mutating func append(date days: Int64) {
        let date = CivilDate(daysSince1970: days)
        withUnsafeTemporaryAllocation(byteCount: 10, alignment: 1) { text in
            Self.write(date.year, 4, into: text, at: 0)
            text[4] = UInt8(ascii: "-")
            Self.write(date.month, 2, into: text, at: 5)
            text[7] = UInt8(ascii: "-")
            Self.write(date.day, 2, into: text, at: 8)
            append(UnsafeRawBufferPointer(text))
        }
    }

    private mutating func append(offset: Int64) {
        if offset == 0 { return append(UInt8(ascii: "Z")) }
        let minutes = abs(offset) / 60
        withUnsafeTemporaryAllocation(byteCount: 6, alignment: 1) { text in
            text[0] = offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
            Self.write(minutes / 60, 2, into: text, at: 1)
            text[3] = UInt8(ascii: ":")
            Self.write(minutes % 60, 2, into: text, at: 4)
            append(UnsafeRawBufferPointer(text))
        }
    }

    /// Writes hours, minutes and seconds, such as `09:00:00`, from the microseconds of a day.
    private static func writeClock(_ ofDay: Int64, into text: UnsafeMutableRawBufferPointer, at start: Int) {
        write(ofDay / 3_600_000_000, 2, into: text, at: start)
        text[start + 2] = UInt8(ascii: ":")
        write(ofDay / 60_000_000 % 60, 2, into: text, at: start + 3)
        text[start + 5] = UInt8(ascii: ":")
        write(ofDay / 1_000_000 % 60, 2, into: text, at: start + 6)
    }

    private static func write(
        _ number: Int64, _ digits: Int, into text: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        var rest = number
        for place in (start..<start + digits).reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
