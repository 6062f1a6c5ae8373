import CivilTime
import Foundation
import Testing

@testable import Console

/// What people type into the console's search.
@Suite(.timeLimit(.minutes(20))) struct SearchTermsTests {
    /// 26 November 2026, 09:30 in Seoul.
    private static let now = Date(timeIntervalSince1970: 1_795_653_000)
    private static let seoul = TimeZone(identifier: "Asia/Seoul") ?? .gmt

    private static func read(_ text: String) -> SearchTerms { SearchTerms(text, now: now, in: seoul) }

    private static func moment(_ text: String) -> Date {
        CalendarMoment.date(text, in: seoul) ?? .distantPast
    }

    @Test(
        arguments: [
            ("₩1,000 어제", 1000, "2026-11-25", "2026-11-26"), ("1000원 어제", 1000, "2026-11-25", "2026-11-26"),
            ("1,000 원 오늘", 1000, "2026-11-26", "2026-11-27"), ("yesterday 5,000", 5000, "2026-11-25", "2026-11-26"),
            ("5,000 2026-11-25", 5000, "2026-11-25", "2026-11-26"),
            ("5000 2026.11.2.", 5000, "2026-11-02", "2026-11-03"),
            ("5,000 11/25", 5000, "2026-11-25", "2026-11-26"), ("5,000원 11월 25일", 5000, "2026-11-25", "2026-11-26"),
            ("2025년 11월 25일 ￦12,345,678", 12_345_678, "2025-11-25", "2025-11-26"),
            // A day without its year is the last one that was.
            ("5,000 11-27", 5000, "2025-11-27", "2025-11-28"), ("Yesterday", nil, "2026-11-25", "2026-11-26"),
            ("그제", nil, "2026-11-24", "2026-11-25"),
        ] as [(String, Int64?, String, String)])
    func `amounts and days are read`(text: String, amount: Int64?, from: String, to: String) {
        let terms = Self.read(text)
        #expect(terms.amount == amount && terms.isExplicit, "\(terms)")
        #expect(terms.period == Self.moment(from)..<Self.moment(to), "\(terms)")
    }

    @Test(arguments: [
        ("5,000 어제 14:03", "2026-11-25T14:03:00+09:00", 60.0), ("14:03", "2026-11-26T14:03:00+09:00", 60),
        ("11-25 09:05:07 1,000", "2026-11-25T09:05:07+09:00", 1),
    ])
    func `a time is a minute or a second of its day, or of today`(text: String, from: String, seconds: Double) {
        let start = Self.moment(from)
        #expect(Self.read(text).period == start..<(start + seconds))
    }

    @Test(arguments: [
        // Clocks are set forward at 2:00, and back at 2:00; a time that is there twice is looked for from the first one on.
        ("2026-03-08 14:03", "2026-03-08T14:03:00-04:00", 60.0), ("2026-03-08 01:59", "2026-03-08T01:59:00-05:00", 60),
        ("2026-03-08 02:30", "2026-03-08T03:30:00-04:00", 60), ("2026-11-01 14:03", "2026-11-01T14:03:00-05:00", 60),
        ("2026-11-01 00:30", "2026-11-01T00:30:00-04:00", 60), ("2026-11-01 01:30", "2026-11-01T01:30:00-04:00", 3660),
        ("2026-03-08", "2026-03-08T00:00:00-05:00", 82_800), ("2026-11-01", "2026-11-01T00:00:00-04:00", 90_000),
    ])
    func `a time of a day on which clocks change is the one that they showed`(
        text: String, from: String, seconds: Double
    ) throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let start = Self.moment(from)
        #expect(SearchTerms(text, now: Self.now, in: zone).period == start..<(start + seconds))
    }

    @Test(arguments: [
        "ann", "imp_123", "5,000 ann", "5,00", "1,0000", "₩", "0", "5,000 6,000", "어제 오늘", "13-45", "2026-02-30",
        "24:00",
        "12:60", "9999999999999999", "-1000", "1 2 3 4 5", "５,０００",
    ])
    func `other texts are names only`(text: String) {
        let terms = Self.read(text)
        #expect(terms.amount == nil && terms.period == nil && !terms.isExplicit && terms.text == text, "\(terms)")
    }

    @Test func `a plain number can be an amount, and is an id before that`() {
        #expect(Self.read(" 5000 ").amount == 5000 && !Self.read("5000").isExplicit)
        #expect(Self.read("5,000").isExplicit && Self.read("₩5000").isExplicit && Self.read("5000원").isExplicit)
        #expect(
            SearchTerms.recent(Self.now, in: Self.seoul) == Self.moment("2026-11-24")..<Self.moment("2026-11-27"))
    }

    @Test func `a star asks for a beginning`() {
        #expect(Self.read("kim*").beginning == "kim" && Self.read("*").beginning == nil)
        #expect(Self.read("5,000*").amount == nil && Self.read("kim").beginning == nil)
    }
}
