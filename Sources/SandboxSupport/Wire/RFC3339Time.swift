package import FoundationEssentials

/// Times of RFC 3339 in UTC, with varying precision, as PortOne V2 and the control API have them (PortOne V2 contract,
/// conventions).
package enum RFC3339Time {
    package static func seconds(_ date: Date) -> JSONValue { .string(text(date) + "Z") }

    package static func nanoseconds(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSince1970
        let digits = String(Int(((seconds - seconds.rounded(.down)) * 1e9).rounded(.down)))
        return .string(text(date) + "." + String(repeating: "0", count: 9 - digits.count) + digits + "Z")
    }

    package static func date(_ text: String) -> Date? {
        try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }

    /// The time without the zone, in whole seconds, rounded down.
    private static func text(_ date: Date) -> String {
        String(date.wholeSeconds.formatted(Date.ISO8601FormatStyle()).prefix(19))
    }
}

extension Date {
    /// The time in whole seconds, as in APIs.
    package var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
