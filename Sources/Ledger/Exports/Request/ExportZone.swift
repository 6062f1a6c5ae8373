import CivilTime
import Foundation

/// A time zone as a table of offsets: the look-up of `TimeZone` takes longer than writing a row.
struct ExportZone: Sendable {
    let zone: TimeZone
    /// The offsets with their start times, in order.
    ///
    /// The first one also applies before its start.
    private let spans: [(start: Moment, offset: Int64)]

    /// - Returns: nil when the name violates ``TimeZone/nameRule``, or no zone has it.
    init?(name: String) {
        guard let zone = TimeZone(name: name) else { return nil }
        self.init(zone)
    }

    init(_ zone: TimeZone) {
        var spans: [(start: Moment, offset: Int64)] = []
        var next: Date? = Date(timeIntervalSince1970: 0)
        while let start = next, start < Self.horizon {
            spans.append(
                (
                    start: Moment(microseconds: start.microsecondsSince1970),
                    offset: Int64(zone.secondsFromGMT(for: start))
                ))
            next = zone.nextDaylightSavingTimeTransition(after: start)
        }
        self.zone = zone
        self.spans = spans
    }

    /// The year 2100.
    ///
    /// Offsets that far in the future are unknown.
    private static let horizon = Date(timeIntervalSince1970: 4_102_444_800)

    /// Seconds east of UTC at a moment.
    func offset(at moment: Moment) -> Int64 {
        if spans.count == 1 { return spans[0].offset }
        var (low, high) = (0, spans.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].start <= moment { low = middle } else { high = middle }
        }
        return spans[low].offset
    }

    /// The date, and the time unless it is midnight, without characters that file names can't contain.
    func fileNamePart(of moment: Moment) -> String {
        var text = ByteText()
        text.append(time: moment, offset: offset(at: moment), fraction: .milliseconds)
        let written = String(decoding: text.bytes, as: UTF8.self)
        if written.dropFirst(10).hasPrefix("T00:00:00.000") { return String(written.prefix(10)) }
        return String(written.prefix(19)).replacing(":", with: "")
    }
}
