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

    /// Appends the text of a time, rounded down to the millisecond.
    package static func append(_ date: Date, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
            write(milliseconds: date.microsecondsSince1970.flooredDivision(by: 1000).quotient, into: buffer)
            bytes.append(contentsOf: buffer)
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
        var position = 0
        func put(_ number: Int64, digits: Int, before end: Unicode.Scalar) {
            var rest = number
            for index in (position..<position + digits).reversed() {
                buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            buffer[position + digits] = UInt8(ascii: end)
            position += digits + 1
        }
        put(date.year, digits: 4, before: "-")
        put(date.month, digits: 2, before: "-")
        put(date.day, digits: 2, before: "T")
        put(ofDay / 3_600_000, digits: 2, before: ":")
        put(ofDay / 60_000 % 60, digits: 2, before: ":")
        put(ofDay / 1000 % 60, digits: 2, before: ".")
        put(ofDay % 1000, digits: 3, before: "Z")
    }
}
