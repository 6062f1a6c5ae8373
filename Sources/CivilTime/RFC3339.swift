package import Foundation

/// Times as `2024-03-01T01:20:00.000Z`: RFC 3339, UTC, always with milliseconds.
///
/// Hand-written for speed, because every response and log line has a time: a `FormatStyle` costs microseconds, this
/// costs a few divisions. It depends on no calendar, locale or time zone.
package enum RFC3339 {
    /// The text of a time, rounded down to the millisecond.
    package static func string(from date: Date) -> String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            write(milliseconds: date.microsecondsSince1970.flooredDivision(by: 1000).quotient, into: buffer)
            return 24
        }
    }

    /// The time of a text, with or without a fraction; nil if the text has another format.
    package static func date(from text: String) -> Date? {
        TimeReader.microseconds(text).map(Date.init(microsecondsSince1970:))
    }

    /// The years 0000 to 9999, which four digits can express; other times are clamped.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    private static func write(milliseconds: Int64, into buffer: UnsafeMutableBufferPointer<UInt8>) {
        let time = min(max(milliseconds, range.lowerBound), range.upperBound)
        let (days, ofDay) = time.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let fields: [(value: Int64, digits: Int, end: Unicode.Scalar)] = [
            (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"),
            (ofDay / 3_600_000, 2, ":"), (ofDay / 60_000 % 60, 2, ":"), (ofDay / 1000 % 60, 2, "."),
            (ofDay % 1000, 3, "Z"),
        ]
        var position = 0
        for field in fields {
            var rest = field.value
            for index in (position..<position + field.digits).reversed() {
                buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            buffer[position + field.digits] = UInt8(ascii: field.end)
            position += field.digits + 1
        }
    }
}
