import CivilTime

extension Moment {
    /// Reads a date, meant as its first moment in the zone, or an RFC 3339 time.
    ///
    /// - Returns: nil for other texts, and for times before 1970.
    init?(text: String, in zone: ExportZone) {
        var reader = TimeReader(text)
        guard let days = reader.date() else { return nil }
        let midnight = Moment(microseconds: days * 86_400_000_000)
        if reader.isAtEnd {
            self = zone.startOfDay(midnight)
        } else {
            guard let ofDay = reader.timeAndOffset() else { return nil }
            self = Moment(microseconds: midnight.microseconds + ofDay)
        }
        guard microseconds >= 0 else { return nil }
    }
}
