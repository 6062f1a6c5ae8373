import Foundation

/// The date in Seoul, today or some days from now, such as `2026-11-24`.
///
/// ledgerd reads a date without a time in Seoul's time zone. Until 9 in the morning there, UTC's date is still the day
/// before: a test that sends it is wrong for nine hours of each day.
package func seoulDay(_ days: Int = 0) -> String {
    Date(timeIntervalSinceNow: 9 * 3600 + Double(days) * 86_400).formatted(.iso8601.year().month().day())
}
