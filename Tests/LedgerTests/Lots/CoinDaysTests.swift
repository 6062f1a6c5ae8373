import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// When a number of days ends (docs/decisions/0202).
@Suite(.timeLimit(.minutes(20))) struct CoinDaysTests {
    @Test(
        arguments: [
            ("Asia/Seoul", "2026-01-31T10:00:00+09:00", 1, "2026-02-02T00:00:00+09:00"),
            ("Asia/Seoul", "2026-01-31T10:00:00+09:00", 30, "2026-03-03T00:00:00+09:00"),
            ("Asia/Seoul", "2026-01-31T23:59:59.999999+09:00", 1, "2026-02-02T00:00:00+09:00"),
            // A period that begins with the day counts it.
            ("Asia/Seoul", "2026-01-31T00:00:00+09:00", 1, "2026-02-01T00:00:00+09:00"),
            ("Asia/Seoul", "2026-01-31T00:00:00.000001+09:00", 1, "2026-02-02T00:00:00+09:00"),
            ("Asia/Seoul", "2026-01-31T00:00:00Z", 1, "2026-02-02T00:00:00+09:00"),
            ("UTC", "2026-01-31T00:00:00Z", 1, "2026-02-01T00:00:00Z"),
            // Leap days.
            ("Asia/Seoul", "2028-02-28T12:00:00+09:00", 1, "2028-03-01T00:00:00+09:00"),
            ("Asia/Seoul", "2027-02-28T12:00:00+09:00", 1, "2027-03-02T00:00:00+09:00"),
            ("Asia/Seoul", "2027-12-31T12:00:00+09:00", 365, "2028-12-31T00:00:00+09:00"),
            ("Asia/Seoul", "2026-12-31T12:00:00+09:00", 365, "2028-01-01T00:00:00+09:00"),
            // A Saturday, and a holiday: they are not moved.
            ("Asia/Seoul", "2026-02-27T12:00:00+09:00", 1, "2026-03-01T00:00:00+09:00"),
            ("Asia/Seoul", "2026-02-28T12:00:00+09:00", 1, "2026-03-02T00:00:00+09:00"),
            ("Asia/Kathmandu", "2026-01-31T00:10:00+05:45", 2, "2026-02-03T00:00:00+05:45"),
            // Days of 23 and of 25 hours.
            ("America/New_York", "2026-03-07T12:00:00-05:00", 1, "2026-03-09T00:00:00-04:00"),
            ("America/New_York", "2026-10-31T12:00:00-04:00", 1, "2026-11-02T00:00:00-05:00"),
            // A day without a midnight begins at one o'clock.
            ("America/Havana", "2026-03-06T12:00:00-05:00", 1, "2026-03-08T01:00:00-04:00"),
            ("America/Havana", "2026-03-08T01:00:00-04:00", 1, "2026-03-09T00:00:00-04:00"),
            // A day with two begins at the first.
            ("America/Havana", "2026-10-30T12:00:00-04:00", 1, "2026-11-01T00:00:00-04:00"),
            ("America/Havana", "2026-11-01T00:00:00-04:00", 1, "2026-11-02T00:00:00-05:00"),
            ("America/Havana", "2026-11-01T00:00:00-05:00", 1, "2026-11-03T00:00:00-05:00"),
        ])
    func `days end at the end of the last one after the first`(
        zone: String, start: String, days: Int64, end: String
    ) throws {
        let counted = CoinDays.whole(from: .distantPast, in: try #require(TimeZone(name: zone)))
        #expect(counted.end(of: Self.life(days, from: start), from: Self.moment(start)) == Self.moment(end))
    }

    @Test func `before the effective date, and of other lifetimes than days, the end is exact`() {
        let days = CoinDays.whole(from: Self.moment("2026-07-01T00:00:00+09:00"), in: seoul)
        func end(_ lifetime: Duration, from start: String, by days: CoinDays = days) -> String {
            let start = Self.moment(start)
            return RFC3339.string(from: days.end(of: CoinExpiry(after: lifetime, from: start), from: start))
        }
        let day = Duration.seconds(86_400)
        #expect(end(day * 2, from: "2026-06-30T23:59:59.999+09:00") == "2026-07-02T14:59:59.999Z")
        #expect(end(day * 2, from: "2026-07-01T00:00:00+09:00") == "2026-07-02T15:00:00.000Z")
        #expect(end(day * 2, from: "2026-07-01T00:00:00.001+09:00") == "2026-07-03T15:00:00.000Z")
        #expect(end(day * 2, from: "2026-07-01T00:00:00.001+09:00", by: .exact) == "2026-07-02T15:00:00.001Z")
        for odd in [.seconds(1), .seconds(36 * 3600), day + .milliseconds(1)] as [Duration] {
            #expect(CoinExpiry(after: odd, from: .distantPast).days == nil)
        }
        #expect(end(.seconds(36 * 3600), from: "2026-07-01T12:00:00+09:00") == "2026-07-02T15:00:00.000Z")
        let moment = Self.moment("2026-08-01T12:00:00Z")
        #expect(days.end(of: CoinExpiry(at: moment), from: moment - 86_400) == moment)
    }

    /// By it the database knows whether the ends that it was given are right.
    @Test(arguments: ["Asia/Seoul", "America/New_York", "America/Havana", "Atlantic/Azores", "Asia/Kathmandu", "UTC"])
    func `within the span of a moment, and only there, lifetimes end as from the moment`(name: String) throws {
        let zone = try #require(TimeZone(name: name))
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(300, upTo: 20_000) {
            let day = Int64.random(in: 20_454...21_184, using: &random)  // of 2026 and 2027
            let passed =
                ([0, 1, -1, .random(in: 0...86_400_000_000, using: &random)] as [Int64])
                .randomElement(using: &random) ?? 0
            let start = Date(microsecondsSince1970: zone.startOfDay(day) * 1_000_000 + passed)
            let first = zone.startOfDay(.random(in: day - 1...day + 1, using: &random))
            let days = CoinDays.whole(from: Date(microsecondsSince1970: first * 1_000_000), in: zone)
            let life = CoinExpiry(after: .seconds(86_400 * 7), from: start + 0.000_007)
            func end(_ microseconds: Int64) -> Date {
                days.end(of: life, from: Date(microsecondsSince1970: microseconds))
            }
            let span = days.span(of: start)
            let here = start.microsecondsSince1970
            let (after, until) = (span.after?.microsecondsSince1970, span.until?.microsecondsSince1970)
            #expect(after.map { $0 < here } ?? true && until.map { here <= $0 } ?? true)
            if let after { #expect(end(after + 1) == end(here) && end(after) != end(here), "\(start) \(days)") }
            if let until { #expect(end(until) == end(here) && end(until + 1) != end(here), "\(start) \(days)") }
        }
        #expect(CoinDays.exact.span(of: Self.moment("2026-01-01T12:00:00Z")) == (nil, nil))
    }

    // MARK: - In the ledger

    @Test func `a new ledger counts whole days unless a setting says otherwise, and one from before does not`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            let whole = CoinDays.whole(from: .distantPast, in: seoul)
            func inForce(_ setting: CoinDays.Setting) async throws -> CoinDays {
                let connection = try await test.connectAsService()
                let chart = try await SystemChart.load(from: connection)
                await connection.close()
                return setting.inForce(in: chart)
            }
            #expect(try await inForce(.ofLedger(in: seoul)) == whole)
            #expect(try await inForce(.these(.exact)) == .exact)
            try await test.execute("UPDATE ledger SET counts_whole_days = false")
            #expect(try await inForce(.ofLedger(in: seoul)) == .exact)
            #expect(try await inForce(.these(whole)) == whole)
        }
    }

    @Test func `coins that come back into an expired lot can be used to the end of the last day of the grace`()
        async throws
    {
        let start = Self.moment("2026-01-05T12:00:00+09:00")
        try await TestLedger.with(at: start, coinDays: .ofLedger(in: seoul)) { ledger, test, clock in
            _ = try await ledger.credit(.sample(bonus: 0, expiry: Self.life(2, from: "2026-01-05T12:00:00+09:00")))
            let spent = try await ledger.submit(Spend.sample(coins: 40)).redeemed
            #expect(try await test.ends() == ["2026-01-08 00:00"])
            try await clock.set(to: Self.moment("2026-01-07T23:59:59+09:00"))
            let last = try #require(try await ledger.submit(Spend.sample("last", coins: 1)).spent)
            #expect(last.balance.available == 59)
            try await clock.set(to: Self.moment("2026-01-08T00:00:00+09:00"))
            #expect(try await ledger.submit(Spend.sample("late", coins: 1)).refusal != nil)
            try await clock.set(to: Self.moment("2026-01-08T09:00:00+09:00"))
            // 366 days is the longest grace: what the plan says, the judge must let pass.
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent, grace: 366 * 86_400))
            #expect(try await test.ends() == ["2027-01-10 00:00"])
            try await Audit.expectSound(test)
        }
    }

    /// The doctor does not know the settings: it looks for a midnight of any time zone.
    @Test func `the doctor finds a lot that ends a day before or after its order's days, or at no midnight`()
        async throws
    {
        let start = "2026-01-05T13:00:00+09:00"
        try await TestLedger.with(at: Self.moment(start), coinDays: .ofLedger(in: seoul)) { ledger, test, _ in
            _ = try await ledger.credit(.sample(bonus: 0, expiry: Self.life(2, from: start)))
            let checks = Doctor.Check.all.filter { $0.code == "lot_differs_from_order" }
            try await AlteredBooks.with(test) { books in
                for (end, isFound) in [
                    ("2026-01-08 00:00", false), ("2026-01-07 13:00", false), ("2026-01-07 00:00", true),
                    ("2026-01-09 00:00", true), ("2026-01-08 02:07", true),
                ] {
                    let planted = """
                        WITH sold AS (
                            INSERT INTO "order" (merchant_uid, user_id, gateway, product, amount, currency, coins,
                                bonus_coins, expires_at, coin_days)
                            SELECT merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins,
                                now() + interval '1 day', 2
                            FROM purchase
                        )
                        UPDATE lot SET expires_at = '\(end)+09'
                        """
                    let corruption = Corruption("lot_differs_from_order", planted)
                    let diagnosis = try await books.diagnosis(of: corruption, by: checks)
                    #expect(diagnosis.findings.isEmpty != isFound, "\(end)")
                }
            }
        }
    }

    @Test func `a grant expires at the moment that it names`() async throws {
        let start = Self.moment("2026-01-05T12:00:00+09:00")
        try await TestLedger.with(at: start, coinDays: .ofLedger(in: seoul)) { ledger, test, _ in
            _ = try await ledger.submit(Grant.sample("grant", coins: 10, expiresAt: start + 3 * 86_400))
            #expect(try await test.ends() == ["2026-01-08 12:00"])
        }
    }

    private static func moment(_ text: String) -> Date { sure(CalendarMoment.date(text, in: .gmt)) }

    private static func life(_ days: Int64, from start: String) -> CoinExpiry {
        CoinExpiry(after: .seconds(days * 86_400), from: moment(start))
    }
}

extension TestLedger {
    /// When lots end, in Seoul.
    fileprivate func ends() async throws -> [String] {
        try await texts(
            "SELECT to_char(expires_at AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD HH24:MI') FROM lot ORDER BY id")
    }
}
