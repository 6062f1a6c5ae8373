import CivilTime
import Foundation
import LedgerWire

/// A member with an RFC 3339 time, with or without a fraction.
struct TimeMember: Decodable, Sendable {
    let date: Date

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let pointer = JSONPointer(decoder.codingPath).text
        guard let date = RFC3339.date(from: text) else { throw Problem.invalid(pointer: pointer, Self.rule(pointer)) }
        self.date = date
    }

    fileprivate static func rule(_ name: String) -> String {
        "\(name) must be an RFC 3339 time, such as 2026-01-31T15:00:00Z"
    }
}

extension NonEmpty {
    /// The moment of a member: an RFC 3339 time, or a day in the time zone.
    func moment(_ pointer: String, in zone: TimeZone) throws(Problem) -> Date {
        guard let date = CalendarMoment.date(value, in: zone) else {
            throw .invalid(pointer: pointer, "\(pointer) must be \(CalendarMoment.rule)")
        }
        return date
    }
}

extension Query {
    /// The moment of a query parameter, if given: an RFC 3339 time, or a day in the time zone.
    func moment(_ name: String, in zone: TimeZone) throws(Problem) -> Date? {
        try parsed(name, CalendarMoment.rule) { CalendarMoment.date($0, in: zone) }
    }

    /// The RFC 3339 time of a query parameter, if given.
    ///
    /// A time with a fraction means the end of its millisecond. Responses round times down to a millisecond, so a time
    /// from a response would otherwise be before the event itself.
    func moment(_ name: String) throws(Problem) -> Date? {
        guard let text = self[name] else { return nil }
        guard let date = RFC3339.date(from: text) else {
            throw .invalid(member: name, TimeMember.rule(name))
        }
        return text.contains(".") ? Date(microsecondsSince1970: date.microsecondsSince1970 + 999) : date
    }
}
