import CivilTime
import Foundation

/// What somebody typed into the search: a name, the beginning of a user's id, or an amount and a time.
struct SearchTerms: Equatable {
    /// The text without spaces at its ends.
    let text: String
    /// The beginning of a user's id, if the text ends with `*`.
    private(set) var beginning: String?
    /// In won.
    private(set) var amount: Int64?
    /// The day, or the minute of a day; nil: none is named.
    private(set) var period: Range<Date>?
    /// Whether the text can't be read as an amount or a time only by chance, as a number without a comma can.
    private(set) var isExplicit = false

    /// Reads a text such as `₩1,000 어제`, `1000원 11-25`, `5,000 2026-11-25 14:03` or `yesterday`.
    ///
    /// A text in which a word is neither amount nor day nor time is a name only.
    ///
    /// - Parameters:
    ///   - now: decides what today is.
    ///   - zone: the time zone of days.
    init(_ text: String, now: Date, in zone: TimeZone) {
        self.text = text.trimmed
        if self.text.hasSuffix("*") {
            let beginning = String(self.text.dropLast())
            if !beginning.isEmpty { self.beginning = beginning }
            return
        }
        var words = Words(today: CivilDate(of: now, in: zone).daysSince1970)
        guard words.read(self.text) else { return }
        amount = words.amount
        isExplicit = words.isExplicit
        period = words.period(in: zone)
    }

    /// The days of a search for an amount without a day: today and the two before.
    static func recent(_ now: Date, in zone: TimeZone) -> Range<Date> {
        let today = CivilDate(of: now, in: zone).daysSince1970
        return Words.start(today - 2, zone)..<Words.start(today + 1, zone)
    }
}

/// Reads the words of a text, each at most once.
private struct Words {
    let today: Int64
    var amount: Int64?
    var day: Int64?
    /// Seconds of the day, and how many they are.
    var time: (start: Int64, length: Int64)?
    var isExplicit = false

    init(today: Int64) { self.today = today }

    /// - Returns: whether each word is an amount, a day or a time, and none is there twice.
    mutating func read(_ text: String) -> Bool {
        let words = text.replacing(#/(\d{1,2})월\s*(\d{1,2})일/#) { "\($0.1)-\($0.2)" }
            .replacing(#/(\d{4})년\s*/#) { "\($0.1)-" }.replacing(#/(\d)\s+원/#) { "\($0.1)원" }
            .split(whereSeparator: \.isWhitespace)
        return !words.isEmpty && words.count <= 4 && words.allSatisfy { read($0) }
    }

    private mutating func read(_ word: Substring) -> Bool {
        if day == nil, let found = readDay(word) {
            day = found
            isExplicit = true
            return true
        }
        if time == nil, let found = Self.readTime(word) {
            time = found
            isExplicit = true
            return true
        }
        if amount == nil, let found = Self.readAmount(word) {
            amount = found.won
            isExplicit = isExplicit || found.isMarked
            return true
        }
        return false
    }

    private static func readAmount(_ word: Substring) -> (won: Int64, isMarked: Bool)? {
        guard let match = word.wholeMatch(of: #/([₩￦]?)([0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(원|won)?/#),
            let won = Int64(match.2.replacing(",", with: "")), won > 0
        else { return nil }
        return (won, !match.1.isEmpty || match.3 != nil || match.2.contains(","))
    }

    private func readDay(_ word: Substring) -> Int64? {
        switch word.lowercased() {
        case "today", "오늘": return today
        case "yesterday", "어제": return today - 1
        case "그제", "그저께": return today - 2
        default: break
        }
        if let match = word.wholeMatch(of: #/([0-9]{4})[-./]([0-9]{1,2})[-./]([0-9]{1,2})\.?/#) {
            return Self.day(Int64(match.1), match.2, match.3)
        }
        guard let match = word.wholeMatch(of: #/([0-9]{1,2})[-./]([0-9]{1,2})\.?/#) else { return nil }
        // The last one that was.
        let year = CivilDate(daysSince1970: today).year
        guard let thisYear = Self.day(year, match.1, match.2), thisYear <= today else {
            return Self.day(year - 1, match.1, match.2)
        }
        return thisYear
    }

    private static func day(_ year: Int64?, _ month: Substring, _ day: Substring) -> Int64? {
        guard let year, year >= 1970, let month = Int64(month), let day = Int64(day) else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    private static func readTime(_ word: Substring) -> (start: Int64, length: Int64)? {
        guard let match = word.wholeMatch(of: #/([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?/#),
            let hour = Int64(match.1), hour < 24, let minute = Int64(match.2), minute < 60
        else { return nil }
        let start = hour * 3600 + minute * 60
        guard let text = match.3 else { return (start, 60) }
        guard let second = Int64(text), second < 60 else { return nil }
        return (start + second, 1)
    }

    /// A time without a day is today's.
    func period(in zone: TimeZone) -> Range<Date>? {
        guard day != nil || time != nil else { return nil }
        let day = day ?? today
        guard let time else { return Self.start(day, zone)..<Self.start(day + 1, zone) }
        let moments = zone.moments(ofSecond: time.start, on: day)
        let (start, end) = (moments.lowerBound, moments.upperBound + time.length)
        return Date(timeIntervalSince1970: TimeInterval(start))..<Date(timeIntervalSince1970: TimeInterval(end))
    }

    static func start(_ day: Int64, _ zone: TimeZone) -> Date {
        Date(timeIntervalSince1970: TimeInterval(zone.startOfDay(day)))
    }
}

extension String {
    /// Without spaces at both ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
