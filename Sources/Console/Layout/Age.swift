import Foundation
import LedgerServer

/// How long something has waited, as people say it.
enum Age {
    /// An age such as `5 min`, `7 h` or `12 days`, rounded down.
    ///
    /// That of a time in the future is `0 min`.
    static func text(of seconds: TimeInterval, _ language: Language) -> String {
        let minutes = Int64(max(0, min(seconds, 1e12)) / 60)
        return switch minutes {
        case ..<60: Show.number(minutes) + Texts.text("age_minutes", language)
        case ..<(48 * 60): Show.number(minutes / 60) + Texts.text("age_hours", language)
        default: Show.number(minutes / (24 * 60)) + Texts.text("age_days", language)
        }
    }

    static let texts: [ConsoleText] = [
        .init("age_minutes", " min", "분"), .init("age_hours", " h", "시간"), .init("age_days", " days", "일"),
    ]
}
