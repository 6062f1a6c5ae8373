import ArgumentParser
import CivilTime
import Foundation

extension CalendarMoment {
    /// The moment that an option means.
    ///
    /// - Parameter option: its name, with the dashes.
    static func date(of option: String, _ text: String, in zone: TimeZone) throws -> Date {
        guard let date = date(text, in: zone) else { throw ValidationError("\(option) must be \(rule).") }
        return date
    }
}
