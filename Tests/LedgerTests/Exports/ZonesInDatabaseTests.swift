import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Time zones by their names: PostgreSQL has the days of the process.
@Suite(.timeLimit(.minutes(20))) struct ZonesInDatabaseTests {
    @Test func `PostgreSQL reads each accepted name as the process does`() async throws {
        // Zones whose rules are settled, so that it does not matter how old the time zone database of either is.
        let names = [
            "UTC", "GMT", "Etc/UTC", "Etc/GMT-9", "Etc/GMT+1", "Asia/Seoul", "Asia/Kolkata", "Asia/Kathmandu",
            "America/New_York", "America/St_Johns", "America/Port-au-Prince", "America/Argentina/Buenos_Aires",
            "Europe/London", "Australia/Lord_Howe",
        ]
        // Two years of days, each at another hour.
        let moments: [Int64] = (0..<730).map { 1_704_067_200 + $0 * 86_400 + $0 % 24 * 3600 }
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            for name in names {
                let zone = try #require(TimeZone(name: name), "\(name)")
                let offsets = try await connection.run(Self.offsets(of: zone, at: moments))
                let here = moments.map { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
                #expect(offsets == here, "\(name)")
            }
            await connection.close()
        }
    }

    /// Seconds east of UTC, as PostgreSQL reads the zone's name.
    private static func offsets(of zone: TimeZone, at moments: [Int64]) -> PostgresQuery<[Int64]> {
        PostgresQuery(
            """
            SELECT extract(epoch FROM (moment AT TIME ZONE $1::text) - (moment AT TIME ZONE 'UTC'))::int8
            FROM (SELECT second, to_timestamp(second) AS moment FROM unnest($2::int8[]) AS second) AS asked
            ORDER BY second
            """, [zone.identifier, moments]
        ) { row in try row[0] }
    }

    @Test func `what was withheld is of the year in which the bank paid, by the calendar of the zone`() async throws {
        let start = try Date("2025-12-31T12:00:00Z", strategy: .iso8601)
        // The last second of the year and the first of the next one: in Seoul, and in New York.
        let paid = ["2025-12-31T14:59:59Z", "2025-12-31T15:00:00Z", "2026-01-01T04:59:59Z", "2026-01-01T05:00:00Z"]
        try await TestLedger.with(at: start, vat: .off) { ledger, test, clock in
            try await ledger.setTerms("zoe", 10_000)
            _ = try await ledger.credit(.sample(bonus: 0, paidAt: start))
            var payouts: [Payout] = []
            for number in 1...4 {
                try await clock.set(to: start + Double(number) * 120)
                _ = try await ledger.capture("c\(number)", Int64(number) * 10, for: "zoe")
                try await clock.set(to: start + Double(number) * 120 + 60)
                payouts.append(try await ledger.approved("p\(number)"))
            }
            try await clock.set(to: start + 86_400)
            for (payout, moment) in zip(payouts, paid) {
                let moment = try Date(moment, strategy: .iso8601)
                #expect(try await ledger.pay(payout, "k\(payout.id)", paidAt: moment).payoutPaid != nil, "\(moment)")
            }
            for (zone, first, second) in [
                ("Asia/Seoul", ["2025", "1", "100"], ["2026", "3", "900"]),
                ("America/New_York", ["2025", "3", "600"], ["2026", "1", "400"]),
                ("UTC", ["2025", "2", "300"], ["2026", "2", "700"]),
            ] {
                let told = { (period: [ExportOption: String]) in
                    let options = period.merging([.timeZone: zone]) { $1 }
                    return try await ledger.export(.withholding, options).records.map { record in
                        ["year", "payments", "amount"].compactMap { record[$0] }
                    }
                }
                #expect(try await told([:]) == [first, second], "\(zone)")
                // The period of a year, whose ends the process computes, has what the database says is of the year.
                #expect(try await told([.to: "2026-01-01"]) == [first], "\(zone)")
                #expect(try await told([.from: "2026-01-01", .to: "2027-01-01"]) == [second], "\(zone)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins are sold in a month by the calendar of the time zone`() async throws {
        let start = try Date("2026-01-31T12:00:00Z", strategy: .iso8601)
        let paid = ["2026-01-31T14:59:59Z", "2026-01-31T15:00:00Z", "2026-02-01T04:59:59Z", "2026-02-01T05:00:00Z"]
        try await TestLedger.with(at: start + 86_400, vat: .off) { ledger, test, _ in
            for (number, moment) in paid.enumerated() {
                _ = try await ledger.credit(
                    .sample(number, won: Int64(number + 1) * 1000, paidAt: try Date(moment, strategy: .iso8601)))
            }
            for (zone, sold) in [("Asia/Seoul", ["1000", "9000"]), ("America/New_York", ["6000", "4000"])] {
                let records = try await ledger.export(.breakage, [.timeZone: zone]).records
                #expect(records.map { $0["sold_in"] } == ["2026-01", "2026-02"], "\(zone)")
                #expect(records.map { $0["sold"] } == sold, "\(zone)")
            }
            try await Audit.expectSound(test)
        }
    }
}
