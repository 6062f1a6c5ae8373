import CivilTime
import Currencies
import Foundation
import Ledger
import LedgerServer

/// Values as pages show them.
enum Show {
    /// `2026-01-31 15:00:00 KST`, in the time zone and with its name; in English `31 Jan 2026, 15:00:00 KST`.
    ///
    /// Year, month, day is the order of Korean readers. The English one has the month's name, because readers of English
    /// do not agree on the order of numbers.
    static func time(_ date: Date, in zone: TimeZone, _ language: Language = .korean) -> String {
        let offset = zone.secondsFromGMT(for: date)
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down)) + Int64(offset)
        let (days, second) = seconds.flooredDivision(by: 86_400)
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let clock = "\(parts.joined(separator: ":")) \(name(of: zone, offset))"
        return switch language {
        case .korean: "\(day(CivilDate(daysSince1970: days), language)) \(clock)"
        case .english: "\(day(CivilDate(daysSince1970: days), language)), \(clock)"
        }
    }

    /// `2026-01-31`; in English `31 Jan 2026`.
    static func day(_ day: CivilDate, _ language: Language) -> String {
        let parts = "\(day)".split(separator: "-")
        guard language == .english, parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1),
            let number = Int(parts[2])
        else { return "\(day)" }
        return "\(number) \(months[month - 1]) \(parts[0])"
    }

    /// A text of ``time(_:in:_:)`` whose day, and whose clock with its zone, stay in one line each.
    static func unbroken(_ time: String) -> String {
        let words = time.split(separator: " ")
        guard words.count > 2 else { return time }
        let day = words.dropLast(2).joined(separator: "\u{A0}")
        return "\(day) \(words.suffix(2).joined(separator: "\u{A0}"))"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `KST`, `UTC`, `UTC+5:30`.
    private static func name(of zone: TimeZone, _ offset: Int) -> String {
        if zone.identifier == "Asia/Seoul", offset == 32_400 { return "KST" }
        guard offset != 0 else { return "UTC" }
        let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
        return "UTC\(offset < 0 ? "−" : "+")\(hours)"
            + (minutes == 0 ? "" : minutes < 10 ? ":0\(minutes)" : ":\(minutes)")
    }

    /// `1,234,567`, `−1,000`.
    static func number(_ number: Int64) -> String { sign(of: number) + grouped(String(number)) }

    /// `₩1,000`, `−₩1,000`, `USD 14.20`: an amount in minor units, with its sign before the currency.
    ///
    /// One in a code that ISO 4217 does not have is shown as the integer that it is.
    static func money(_ amount: Int64, _ currency: String) -> String {
        let size = grouped(Currency(currency)?.decimal(amount) ?? String(amount))
        return sign(of: amount) + (currency == Currency.won.code ? "₩" + size : "\(currency) \(size)")
    }

    /// `₩1,000`, `−₩1,000`: an amount of won.
    static func won(_ amount: Int64) -> String { money(amount, Currency.won.code) }

    /// What stands before the size of a number below zero: a minus, which is as wide as a digit, and no hyphen.
    static func sign(of number: Int64) -> String { number < 0 ? "−" : "" }

    /// The size of a number, without its sign.
    private static func grouped(_ number: String) -> String {
        let parts = number.trimmingPrefix("-").split(separator: ".", maxSplits: 1)
        let whole = Array(parts.first ?? "")
        let groups = whole.indices.reduce(into: "") { text, index in
            if index > 0, (whole.count - index) % 3 == 0 { text.append(",") }
            text.append(whole[index])
        }
        return groups + (parts.count > 1 ? "." + parts[1] : "")
    }
}

extension Show {
    /// What was paid for a purchase: `₩1,374`, or `USD 0.99 (₩1,374)` with its worth in the books.
    static func paid(for purchase: Purchase) -> String {
        money(purchase.amount, purchase.currency.code, of: purchase.foreign.map { ($0.amount, $0.currency.code) })
    }

    /// What the payer gets of a refund, likewise.
    static func refund(_ amount: Int64, of foreign: ForeignRefund?) -> String {
        money(amount, Currency.won.code, of: foreign.map { ($0.amount, $0.currency.code) })
    }

    /// What went back of a purchase, likewise.
    static func refunded(of purchase: Purchase) -> String {
        money(
            purchase.refundedAmount, purchase.currency.code,
            of: purchase.foreign.map { ($0.refunded, $0.currency.code) })
    }

    /// The gross amount of a settlement line, likewise, with its worth at the rate of the payout.
    static func gross(of line: SettlementLineDraft) -> String {
        money(line.gross, Currency.won.code, of: line.foreign.map { ($0.amount, $0.currency.code) })
    }

    /// An amount in a foreign currency with its worth; without one, the worth alone.
    static func money(_ worth: Int64, _ code: String, of foreign: (amount: Int64, code: String)?) -> String {
        let worth = money(worth, code)
        return foreign.map { "\(money($0.amount, $0.code)) (\(worth))" } ?? worth
    }
}

extension Visit {
    /// A time for a template: its text, and what programs read.
    ///
    /// In a narrow place its line breaks between the day and the clock only.
    func time(_ date: Date?) -> [String: Any]? {
        date.map { ["text": Show.unbroken(Show.time($0, in: timeZone, language)), "value": RFC3339.string(from: $0)] }
    }
}
