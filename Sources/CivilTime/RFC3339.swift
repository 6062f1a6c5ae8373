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

    /// The text of a time with all its microseconds, such as `2024-03-01T01:20:00.000000Z`; nil outside of the years 0000 to
    /// 9999, because nothing is rounded or clamped.
    package static func exactString(ofMicroseconds time: Int64) -> String? {
        guard range.contains(time.flooredDivision(by: 1000).quotient) else { return nil }
        let (days, ofDay) = time.flooredDivision(by: 86_400_000_000)
        return String(unsafeUninitializedCapacity: 27) { buffer in
            write(days, second: ofDay / 1_000_000, fraction: (value: ofDay % 1_000_000, digits: 6), into: buffer)
            return 27
        }
    }

    private static func write(milliseconds: Int64, into buffer: UnsafeMutableBufferPointer<UInt8>) {
        let time = min(max(milliseconds, range.lowerBound), range.upperBound)
        let (days, ofDay) = time.flooredDivision(by: 86_400_000)
        write(days, second: ofDay / 1000, fraction: (value: ofDay % 1000, digits: 3), into: buffer)
    }

    private static func write(
        _ days: Int64, second: Int64, fraction: (value: Int64, digits: Int),
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) {
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
        put(second / 3600, digits: 2, before: ":")
        put(second / 60 % 60, digits: 2, before: ":")
        put(second % 60, digits: 2, before: ".")
        put(fraction.value, digits: fraction.digits, before: "Z")
    }
}
