import CivilTime
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct CalendarMomentTests {
    @Test(arguments: [
        ("2026-01-01", "UTC", "2026-01-01T00:00:00Z"), ("2026-01-01", "Asia/Seoul", "2025-12-31T15:00:00Z"),
        // Clocks went forward that night, at two.
        ("2026-03-08", "America/New_York", "2026-03-08T05:00:00Z"),
        ("2026-03-09", "America/New_York", "2026-03-09T04:00:00Z"),
        // Here at midnight: that day had no 00:00.
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
        // And here it went back from 01:00 to 00:00, so it had two; the first counts.
        ("2024-11-03", "America/Havana", "2024-11-03T04:00:00Z"),
    ])
    func `a date is meant as its first moment in the zone`(date: String, zone: String, moment: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(try CalendarMoment.date(date, in: zone) == Date(moment, strategy: .iso8601))
    }

    @Test func `a time is what it says, wherever it is read`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(CalendarMoment.microseconds("2026-01-31T15:00:00Z", in: seoul) == 1_769_871_600_000_000)
        #expect(CalendarMoment.microseconds("2026-02-01T00:00:00.123456+09:00", in: .gmt) == 1_769_871_600_123_456)
    }

    @Test(arguments: [
        "2026-02-30", "2026-13-01", "20261120", "2026-11-2x", "yesterday", "", "2026-1-1", "2026-11-20 ",
        "2026-11-20T15:00:00", "2026-11-20T24:00:00Z", "2026-11-20T15:00Z",
    ])
    func `another text is no moment`(text: String) {
        #expect(CalendarMoment.date(text, in: .gmt) == nil)
    }

    @Test func `a day is written as it is read`() throws {
        let date = try #require(CivilDate(year: 2026, month: 1, day: 9))
        #expect(date.description == "2026-01-09")
        #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
    }
}
