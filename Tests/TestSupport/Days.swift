import Foundation

/// A time zone in which it was about noon when the tests began.
///
/// No day, month or quarter ends there while a test runs, so its verdict does not depend on the date.
package enum Noon {
    /// The name of the zone, such as `Etc/GMT-9`, whose clocks are nine hours ahead.
    package static let zone = ahead == 0 ? "Etc/GMT" : ahead > 0 ? "Etc/GMT-\(ahead)" : "Etc/GMT+\(-ahead)"

    /// The setting that gives a service these days.
    package static let setting = ["LEDGERD_TIME_ZONE": zone]

    /// Its hours ahead of UTC.
    private static let ahead = 12 - Int(Date().timeIntervalSince1970) / 3600 % 24

    /// The date there, today or some days from now, such as `2026-11-24`.
    package static func day(_ days: Int = 0) -> String {
        Date(timeIntervalSinceNow: Double(ahead + days * 24) * 3600).formatted(.iso8601.year().month().day())
    }
}

/// The date in Seoul, today or some days from now, such as `2026-11-24`.
///
/// ledgerd reads a date without a time in Seoul's time zone. Until 9 in the morning there, UTC's date is still the day
/// before: a test that sends it is wrong for nine hours of each day.
package func seoulDay(_ days: Int = 0) -> String {
    Date(timeIntervalSinceNow: 9 * 3600 + Double(days) * 86_400).formatted(.iso8601.year().month().day())
}
