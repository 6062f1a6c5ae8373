import FoundationEssentials
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(5))) struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2026-01-01T00:00:00Z", 1_767_225_600),
        ("2026-01-01T00:00:48.5Z", 1_767_225_648.5),
        ("2026-01-01T09:00:00+09:00", 1_767_225_600), ("2025-12-31T19:00:00.000-05:00", 1_767_225_600),
        ("2026-01-01t00:00:00z", 1_767_225_600), ("2024-02-29T12:00:00Z", 1_709_208_000),
        ("2000-03-01T00:00:00Z", 951_868_800), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("2016-12-31T23:59:60Z", 1_483_228_800), ("1969-12-31T23:59:59Z", -1),
    ])
    func `a time of any precision and offset is read`(text: String, seconds: Double) {
        #expect(RFC3339.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `nanoseconds are read as well as a date can hold them`() {
        let date = RFC3339.date("2026-09-07T07:12:38.366979621Z")
        #expect(abs((date?.timeIntervalSince1970 ?? 0) - 1_788_765_158.366979621) < 0.000001)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+0900", "2026-01-01T00:00:00ZZ", "26-01-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T00:00:00+24:00", "-026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
    ])
    func `what isn't a time is none`(text: String) {
        #expect(RFC3339.date(text) == nil)
    }

    @Test func `what is written is read again, through four centuries`() {
        for day in stride(from: -60_000, to: 90_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3723.25)
            #expect(RFC3339.date(RFC3339.text(date)) == date)
        }
    }
}
