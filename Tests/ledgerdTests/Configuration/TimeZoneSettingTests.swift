import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct TimeZoneSettingTests {
    @Test(arguments: ["IST", "GMT+9", "EST5EDT", "Seoul"])
    func `days are of no time zone that PostgreSQL may read in another way`(name: String) throws {
        let values = try SettingValues(environment: ["LEDGERD_TIME_ZONE": name])
        #expect { try values[Settings.books.timeZone] } throws: {
            "\($0)" == "LEDGERD_TIME_ZONE (environment) must be a region and city such as Asia/Seoul, or UTC"
        }
    }

    @Test(arguments: ["Asia/Seoul", "America/New_York", "Etc/GMT-9", "UTC"])
    func `days are of a region with its city, or of UTC`(name: String) throws {
        let values = try SettingValues(environment: ["LEDGERD_TIME_ZONE": name])
        // Foundation calls UTC so.
        #expect(try values[Settings.books.timeZone].identifier == (name == "UTC" ? "GMT" : name))
    }
}
