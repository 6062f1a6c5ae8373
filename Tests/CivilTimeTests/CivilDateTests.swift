import CivilTime
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
