import CivilTime
import Foundation
import Testing

/// Which names of time zones are accepted: `ZonesInDatabaseTests` compares them with PostgreSQL's.
@Suite(.timeLimit(.minutes(20))) struct TimeZoneNameTests {
    @Test(arguments: [
        ("Asia/Seoul", 9), ("Asia/Calcutta", 5.5), ("America/New_York", -5), ("America/Port-au-Prince", -5),
        ("America/Argentina/Buenos_Aires", -3), ("US/Pacific", -8), ("Etc/UTC", 0), ("UTC", 0), ("GMT", 0),
        ("Etc/GMT-9", 9), ("Etc/GMT+1", -1), ("Etc/GMT", 0),
    ])
    func `a region with its city is a time zone, as is UTC`(name: String, hours: Double) throws {
        let zone = try #require(TimeZone(name: name))
        #expect(Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_767_225_600))) == hours * 3600)
    }

    @Test(arguments: [
        "GMT+1", "GMT+9", "GMT+09:00", "GMT-3", "UTC+9", "IST", "EST", "KST", "PST", "BST", "EST5EDT",
        "SystemV/EST5EDT", "Etc/GMT+15", "Japan", "ROK", "Zulu", "Factory", "+09:00", "9",
    ])
    func `a name that PostgreSQL reads in another way, or may, is none`(name: String) {
        #expect(TimeZone(name: name) == nil)
    }

    @Test(arguments: [
        "", "/", "Asia", "Seoul", "Asia/Seul", "asia/seoul", " Asia/Seoul", "Asia/Seoul\n", "Asia/Seoul\u{0}x",
        "UTC\u{0}x", "Etc/GMT+1\u{0}x", "Etc/GMT'", "Asia/../Asia/Seoul", "Asia//Seoul", "Asia/Seoul'", "서울/서울",
    ])
    func `a text that names no place is none`(text: String) {
        #expect(TimeZone(name: text) == nil)
    }
}
