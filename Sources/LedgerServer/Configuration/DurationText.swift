/// The text format of durations: `500ms`, `30s`, `15m`, `1h`, `7d`.
enum DurationText {
    private static let units: [(suffix: String, length: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
        ("d", .seconds(86_400)),
    ]

    /// The duration; nil unless the text has digits and one unit.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 9, let count = Int(digits),
            let unit = units.first(where: { $0.suffix == text.dropFirst(digits.count) })
        else { return nil }
        return unit.length * count
    }

    /// The text of a duration, in the largest unit without a remainder.
    static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let unit =
            [("d", Int64(86_400_000)), ("h", 3_600_000), ("m", 60_000), ("s", 1000)]
            .first { milliseconds >= $0.1 && milliseconds % $0.1 == 0 } ?? ("ms", 1)
        return "\(milliseconds / unit.1)\(unit.0)"
    }
}

/// The time between two runs of repeated work, or `off`: `10m`.
struct Interval: Sendable, Equatable {
    /// Nil: the work is off.
    let duration: Duration?

    /// Reads a duration within the range, or `off`.
    init?(text: String, in range: ClosedRange<Duration>) {
        if text.lowercased() == "off" {
            duration = nil
            return
        }
        guard let read = DurationText.parse(text, in: range) else { return nil }
        duration = read
    }
}
