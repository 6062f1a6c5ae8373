import CivilTime
import Foundation
import PGVerifier

/// Values as pages show them.
enum Show {
    /// `2026-01-31 15:00:00`, in the time zone.
    static func time(_ date: Date, in zone: TimeZone) -> String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down)) + Int64(zone.secondsFromGMT(for: date))
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(CivilDate(daysSince1970: day)) \(parts.joined(separator: ":"))"
    }

    /// `1,234,567`.
    static func number(_ number: Int64) -> String { grouped(String(number)) }

    /// `₩1,000`, `USD 14.20`: an amount in minor units.
    static func money(_ amount: Int64, _ currency: String) -> String {
        let text = grouped(MinorUnits.decimal(amount, currency: currency))
        return currency == "KRW" ? "₩" + text : "\(currency) \(text)"
    }

    private static func grouped(_ number: String) -> String {
        let sign = number.hasPrefix("-") ? "-" : ""
        let parts = number.dropFirst(sign.count).split(separator: ".", maxSplits: 1)
        let whole = Array(parts.first ?? "")
        let groups = whole.indices.reduce(into: "") { text, index in
            if index > 0, (whole.count - index) % 3 == 0 { text.append(",") }
            text.append(whole[index])
        }
        return sign + groups + (parts.count > 1 ? "." + parts[1] : "")
    }
}

extension Visit {
    /// A time for a template: its text, and what programs read.
    func time(_ date: Date?) -> [String: Any]? {
        date.map { ["text": Show.time($0, in: timeZone), "value": RFC3339.string(from: $0)] }
    }
}
