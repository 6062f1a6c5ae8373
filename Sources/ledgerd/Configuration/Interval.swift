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
