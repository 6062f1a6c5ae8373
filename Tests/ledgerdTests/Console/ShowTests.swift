import CivilTime
import Foundation
import LedgerServer
import Testing

@testable import Console

/// Values as the console shows them.
@Suite(.timeLimit(.minutes(20))) struct ShowTests {
    @Test func `numbers are grouped, and amounts have their currency and its decimals`() {
        #expect(
            [0, 7, 999, 1000, 1_234_567, -1000].map(Show.number) == ["0", "7", "999", "1,000", "1,234,567", "−1,000"])
        #expect(Show.number(.min) == "−9,223,372,036,854,775,808")
        #expect(Show.money(55_000, "KRW") == "₩55,000")
        #expect(Show.money(-580, "KRW") == "−₩580" && Show.money(-123_456, "USD") == "−USD 1,234.56")
        #expect(Show.money(.min, "KRW") == "−₩9,223,372,036,854,775,808")
        #expect(Show.money(123_456, "USD") == "USD 1,234.56" && Show.money(5, "USD") == "USD 0.05")
        #expect(Show.money(1_005, "BHD") == "BHD 1.005" && Show.money(123_456, "ZZZ") == "ZZZ 123,456")
    }

    @Test func `times are in the books' time zone`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(Show.time(Date(timeIntervalSince1970: 1_700_000_000), in: seoul) == "2023-11-15 07:13:20 KST")
        #expect(Show.time(Date(timeIntervalSince1970: -1), in: .gmt) == "1969-12-31 23:59:59 UTC")
    }

    @Test func `a time breaks between its day and its clock only`() {
        #expect(Show.unbroken("2023-11-15 07:13:20 KST") == "2023-11-15 07:13:20\u{A0}KST")
        #expect(Show.unbroken("15 Nov 2023, 07:13:20 KST") == "15\u{A0}Nov\u{A0}2023, 07:13:20\u{A0}KST")
    }

    @Test func `times and days are in the order of the reader, and have the name of their zone`() throws {
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        let zones = try ["Asia/Seoul", "Asia/Kolkata", "America/St_Johns"].map {
            try #require(TimeZone(identifier: $0))
        }
        #expect(
            zones.map { Show.time(moment, in: $0, .english) } == [
                "15 Nov 2023, 07:13:20 KST", "15 Nov 2023, 03:43:20 UTC+5:30", "14 Nov 2023, 18:43:20 UTC−3:30",
            ])
        #expect(Show.time(moment, in: zones[1], .korean) == "2023-11-15 03:43:20 UTC+5:30")
        let day = CivilDate(daysSince1970: 0)
        #expect(Show.day(day, .english) == "1 Jan 1970" && Show.day(day, .korean) == "1970-01-01")
    }
}
