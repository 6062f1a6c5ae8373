import CivilTime
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct CivilDateTests {
    @Test func `a day is read from a text, and written`() {
        for text in ["1970-01-01", "2024-02-29", "2026-11-27", "9998-12-31"] {
            #expect(CivilDate(text)?.description == text)
        }
    }

    @Test func `another text, a day that no month has, and one of another era are not read`() {
        for text in [
            "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-05", "26-01-05", "2026/01/05", "2026-01",
            "2026-01-05T00:00:00Z", " 2026-01-05", "2026-01-05 ", "today", "", "1969-12-31", "9999-01-01",
        ] {
            #expect(CivilDate(text) == nil, "\(text)")
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct CivilMonthTests {
    @Test func `a month is read from a text, and written`() {
        for text in ["1970-01", "2026-02", "2024-12", "9998-12"] {
            #expect(CivilMonth(text)?.description == text)
        }
        for text in ["2026-13", "2026-00", "2026-1", "2026-01-01", "26-01", "2026/01", "", "1969-12", "9999-01"] {
            #expect(CivilMonth(text) == nil, "\(text)")
        }
    }

    @Test func `a month follows another`() throws {
        let january = try #require(CivilMonth("2026-01"))
        #expect(january.next.description == "2026-02" && CivilMonth("2024-12")?.next.description == "2025-01")
        #expect(january < january.next && !(january < january) && !(january.next < january))
    }

    @Test func `a month begins with its first day in a time zone`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        let start = try #require(CivilMonth("2026-02")).start(in: seoul)
        #expect(start == Date(timeIntervalSince1970: 1_769_871_600))
        #expect(CivilMonth(of: start, in: seoul).description == "2026-02")
        #expect(CivilMonth(of: start - 1, in: seoul).description == "2026-01")
        #expect(CivilMonth(of: start, in: .gmt).description == "2026-01")
    }
}
