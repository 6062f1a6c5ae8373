import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Rates of foreign currencies: versions, what holds, and the second person.
@Suite(.timeLimit(.minutes(20))) struct RatesTests {
    private static let dollar = sure(try? ForeignCurrency("USD"))
    private static let yen = sure(try? ForeignCurrency("JPY"))
    private static let source = "Seoul Money Brokerage, market average rate"

    private static func day(_ day: Int64) -> CivilDate { sure(CivilDate(year: 2026, month: 1, day: day)) }

    private static func quotation(_ rate: String, per: Int64 = 1) -> Quotation { sure(Quotation(rate, per: per)) }

    @discardableResult
    private static func set(
        _ rate: String, per: Int64 = 1, of currency: ForeignCurrency = dollar, on day: Int64, by person: String = "kim",
        from source: String = source, in ledger: Ledger
    ) async throws -> Rates.Setting {
        try await ledger.rates.set(
            RateDraft(
                currency: currency, day: Self.day(day), quotation: quotation(rate, per: per), source: source),
            by: person)
    }

    private static func approve(
        _ rate: String, on day: Int64, by person: String = "lee", in ledger: Ledger
    ) async throws -> Rates.Approved {
        try await ledger.rates.approve(quotation(rate), of: dollar, for: Self.day(day), by: person)
    }

    private static func published(_ setting: Rates.Setting) throws -> Rate {
        guard case .published(let rate) = setting else { throw Unexpected() }
        return rate
    }

    private static func publishFirst(_ rate: String, on day: Int64, in ledger: Ledger) async throws -> Rate {
        try await set(rate, on: day, in: ledger)
        guard case .published(let first) = try await approve(rate, on: day, in: ledger) else { throw Unexpected() }
        return first
    }

    private struct Unexpected: Error {}

    @Test func `the first rate of a currency is published by another person, who names it`() async throws {
        try await TestLedger.with { ledger, test in
            guard case .waiting(let waiting) = try await Self.set("1387.40", on: 5, in: ledger) else {
                throw Unexpected()
            }
            #expect(waiting.status == .waiting && waiting.proposedBy == "kim" && waiting.day == Self.day(5))
            #expect(try await Self.set("1387.4", on: 5, by: "lee", in: ledger) == .waiting(waiting), "a repeat")
            #expect(try await ledger.rates.find(Self.dollar, at: Date(), in: .gmt) == nil)
            #expect(try await ledger.rates.listWaiting(limit: 5).elements == [waiting])
            #expect(try await ledger.figures.waitingForPeople().approvals.map(\.name) == ["rate"])

            for door in ["kim", "console:kim", "terminal:Kim"] {
                #expect(try await Self.approve("1387.40", on: 5, by: door, in: ledger) == .ownProposal, "\(door)")
            }
            #expect(try await Self.approve("1387.41", on: 5, in: ledger) == .other)
            #expect(try await Self.approve("1387.40", on: 6, in: ledger) == .notFound)
            guard case .published(let rate) = try await Self.approve("1387.4", on: 5, in: ledger) else {
                throw Unexpected()
            }
            #expect(rate.version == 1 && rate.quotation.text == "1387.40" && rate.source == Self.source)
            #expect(rate.setBy == "kim" && rate.approvedBy == "lee" && rate.setAt == waiting.proposedAt)
            #expect(try await Self.approve("1387.40", on: 5, by: "park", in: ledger) == .published(rate), "a repeat")
            #expect(try await Self.approve("1387.41", on: 5, in: ledger) == .notFound)
            #expect(try await Self.set("1387.40", on: 5, in: ledger) == .published(rate), "a repeat")
            #expect(try await ledger.rates.listWaiting(limit: 5).elements.isEmpty)
            #expect(try await ledger.rates.withdraw(of: Self.dollar, for: Self.day(5), by: "kim") == nil)
            try await Audit.expectSound(test)
        }
    }

    /// Sets rates one after the other, each of which is published or waits.
    private static func expect(
        _ rates: [(rate: String, day: Int64, isPublished: Bool)], in ledger: Ledger
    ) async throws {
        for (rate, day, isPublished) in rates {
            let setting = try await set(rate, on: day, in: ledger)
            #expect(((try? published(setting)) != nil) == isPublished, "\(rate) on \(day): \(setting)")
        }
    }

    @Test func `one person sets a rate within 5 % of the last one of an earlier day, and a day's versions add up`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000.00", on: 5, in: ledger)
            try await Self.expect(
                [
                    ("1050", 6, true), ("1050.000001", 6, false), ("950", 6, true), ("949.999999", 6, false),
                    ("1000", 6, true), ("1040", 6, true), ("1080", 6, false),
                    // Nothing is before it.
                    ("1000", 4, false), ("1000", 5, true),
                    // Two people agreed on the first one of its day.
                    ("1001", 5, true), ("1051", 5, false),
                ], in: ledger)
            for (rate, per) in [("104000", 100), ("1041.00000000", 1)] as [(String, Int64)] {
                let other = try Self.published(try await Self.set(rate, per: per, on: 9, from: "per", in: ledger))
                #expect(other.quotation.per == per, "the unit is compared too")
            }
            guard case .waiting = try await Self.set("1040", per: 100, on: 10, in: ledger) else { throw Unexpected() }
            guard case .waiting = try await Self.set("9.5", of: Self.yen, on: 9, in: ledger) else { throw Unexpected() }
            try await Self.set("951", per: 100, of: Self.yen, on: 9, in: ledger)
            _ = try await ledger.rates.approve(
                Self.quotation("951", per: 100), of: Self.yen, for: Self.day(9), by: "lee")
            _ = try Self.published(try await Self.set("9.6", of: Self.yen, on: 10, in: ledger))
            try await Audit.expectSound(test)
        }
    }

    @Test func `one person alone does not move a rate by more than 5 %, whichever days they set one after the other`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 2, in: ledger)
            // Days that have none, such as those of a weekend, and corrections of earlier days.
            try await Self.expect(
                [
                    ("1040", 3, true), ("1080", 4, false), ("1050", 4, true), ("1100", 5, false), ("1050", 5, true),
                    ("1049", 4, true), ("1100", 5, false),
                ], in: ledger)
            // Two people agree on 1,080: it counts at once.
            try await Self.set("1080", on: 6, in: ledger)
            _ = try await Self.approve("1080", on: 6, in: ledger)
            try await Self.expect([("1130", 7, true), ("1180", 8, false)], in: ledger)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a rate that one person alone published counts as the last one after 20 hours`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 2, in: ledger)
            for (day, rate, hours) in [(5, 1040, 21), (6, 1050, 19)] {
                try await test.execute(
                    """
                    INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, set_at, published_at)
                    SELECT 'USD', '2026-01-0\(day)', 1, \(rate), 0, 1, 'x', 'kim', moment, moment
                    FROM (SELECT now() - interval '\(hours) hours' AS moment) AS past
                    """)
            }
            // Within 5 % of 1,050, then of 1,040, and not of 1,000. A rate of the same day is not compared with.
            try await Self.expect([("1100", 7, false), ("1092", 7, true), ("1080", 5, false)], in: ledger)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a rate on which two people agreed is not moved back by one`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 5, in: ledger)
            try await Self.set("1300", on: 6, in: ledger)
            _ = try await Self.approve("1300", on: 6, in: ledger)
            // Near the day before; far from what was agreed.
            try await Self.expect([("1000", 6, false), ("1050", 6, false)], in: ledger)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a repeat of the rate that is published leaves the one that waits`() async throws {
        try await TestLedger.with { ledger, _ in
            let first = try await Self.publishFirst("1000", on: 5, in: ledger)
            let near = try Self.published(try await Self.set("1010", on: 6, in: ledger))
            guard case .waiting(let waiting) = try await Self.set("1300", on: 6, by: "park", in: ledger) else {
                throw Unexpected()
            }
            #expect(try await Self.set("1010", on: 6, in: ledger) == .published(near))
            #expect(try await Self.set("1000", on: 5, in: ledger) == .published(first))
            #expect(try await ledger.rates.listWaiting(limit: 5).elements == [waiting])
        }
    }

    @Test func `a rate that is far from the last one waits, and another one of its day takes its place`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 5, in: ledger)
            try await Self.set("1100", on: 6, in: ledger)
            guard case .waiting(let second) = try await Self.set("1200", on: 6, in: ledger) else { throw Unexpected() }
            #expect(try await Self.approve("1100", on: 6, in: ledger) == .other, "it was replaced")
            #expect(try await ledger.rates.listWaiting(limit: 5).elements == [second])
            let small = try Self.published(try await Self.set("1010", on: 6, by: "park", in: ledger))
            #expect(try await Self.approve("1200", on: 6, in: ledger) == .notFound, "it was replaced")
            try await Self.set("1300", on: 6, in: ledger)
            let withdrawn = try #require(try await ledger.rates.withdraw(of: Self.dollar, for: Self.day(6), by: "park"))
            #expect(withdrawn.status == .withdrawn && withdrawn.decidedBy == "park" && withdrawn.version == nil)
            #expect(try await ledger.rates.withdraw(of: Self.dollar, for: Self.day(6), by: "lee") == withdrawn)
            #expect(try await Self.approve("1300", on: 6, in: ledger) == .notFound)
            try await Self.set("1300", on: 6, in: ledger)
            guard case .published(let far) = try await Self.approve("1300", on: 6, in: ledger) else {
                throw Unexpected()
            }
            #expect(small.version == 1 && far.version == 2)
            _ = try Self.published(try await Self.set("1330", on: 7, in: ledger))
            #expect(try await test.number("SELECT count(*) FROM rate_proposal WHERE status = 'withdrawn'") == 3)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of the rates that were published by a moment, the newest version of the last day holds`() async throws {
        try await TestLedger.with { ledger, test in
            let friday = try await Self.publishFirst("1000", on: 2, in: ledger)
            let monday = try Self.published(try await Self.set("1010", on: 5, in: ledger))
            let corrected = try Self.published(try await Self.set("1020", on: 5, in: ledger))
            let late = try Self.published(try await Self.set("1005", on: 4, in: ledger))
            let otherSource = try Self.published(try await Self.set("1020", on: 5, from: "a bank", in: ledger))
            #expect(otherSource.version == 3 && corrected.version == 2)
            func held(_ moment: Date, _ zone: TimeZone = .gmt) async throws -> Rate? {
                try await ledger.rates.find(Self.dollar, at: moment, in: zone)
            }
            #expect(try await held(friday.publishedAt - 0.001) == nil)
            #expect(try await held(friday.publishedAt) == friday)
            #expect(try await held(monday.publishedAt) == monday)
            #expect(try await held(corrected.publishedAt) == corrected)
            #expect(try await held(late.publishedAt) == corrected, "a rate of an earlier day does not hold again")
            #expect(try await held(.distantFuture - 86_400 * 366) == otherSource)
            #expect(try await ledger.rates.find(Self.yen, at: Date(), in: .gmt) == nil)

            let all = [otherSource, late, corrected, monday, friday]
            let first = try await ledger.rates.list(limit: 3)
            #expect(first.elements == Array(all.prefix(3)))
            #expect(try await ledger.rates.list(after: first.next, limit: 3).elements == Array(all.suffix(2)))
            for (filter, found) in [
                (RateFilter(currency: Self.yen), []), (RateFilter(currency: Self.dollar, to: Self.day(4)), [friday]),
                (RateFilter(from: Self.day(4), to: Self.day(5)), [late]),
                (RateFilter(from: Self.day(5)), [otherSource, corrected, monday]),
            ] as [(RateFilter, [Rate])] {
                #expect(try await ledger.rates.list(filter, limit: 9).elements == found, "\(filter)")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `of many who set a rate at once, all get the same one`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 5, in: ledger)
            let settings = try await together(12) { try await Self.set("1001", on: 6, by: "kim-\($0)", in: ledger) }
            #expect(try settings.allSatisfy { try Self.published($0).version == 1 })
            #expect(try await test.number("SELECT count(*) FROM rate") == 2)
            let waiting = try await together(12) { try await Self.set("2000", on: 7, by: "kim-\($0)", in: ledger) }
            #expect(waiting.allSatisfy { $0 == waiting[0] })
        }
    }

    @Test func `PostgreSQL refuses a rate that one person alone sets, out of order, or as nobody approved it`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await Self.publishFirst("1000", on: 5, in: ledger)
            guard case .waiting(let waiting) = try await Self.set("1100", on: 6, in: ledger) else { throw Unexpected() }
            let service = try await test.connectAsService()
            func refusal(_ day: String, _ version: Int, _ value: Int, _ approver: String = "NULL") async -> String? {
                await service.refusal(
                    of: """
                        INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, approved_by)
                        VALUES ('USD', '\(day)', \(version), \(value), 0, 1, 'x', 'kim', \(approver))
                        """)?.constraint
            }
            #expect(await refusal("2026-01-06", 1, 1051) == "rate_has_second_person")
            #expect(await refusal("2026-01-06", 1, 949) == "rate_has_second_person")
            #expect(await refusal("2026-01-06", 1, 1100, "'lee'") == "rate_fits_proposal")
            #expect(await refusal("2026-01-06", 2, 1000) == "rate_versions_follow")
            #expect(await refusal("2026-01-05", 1, 1000) == "rate_versions_follow")
            #expect(await refusal("2026-01-06", 1, 0) == "rate_has_second_person")
            #expect(await refusal("2999-01-01", 1, 1000) == "rate_day_has_begun")

            for (change, rule) in [
                ("status = 'published', version = 1, decided_by = 'terminal:KIM'", "rate_proposal_by_another_person"),
                ("status = 'published', decided_by = 'lee'", "rate_proposal_published_has_version"),
                ("status = 'withdrawn', version = 1, decided_by = 'lee'", "rate_proposal_published_has_version"),
                ("status = 'approved', decided_by = 'lee'", "rate_proposal_status_known"),
            ] {
                let error = await service.refusal(
                    of: "UPDATE rate_proposal SET \(change), decided_at = now() WHERE id = \(waiting.id)")
                #expect(error?.constraint == rule, "\(change): \(error?.description ?? "was done")")
            }
            _ = try await ledger.rates.withdraw(of: Self.dollar, for: Self.day(6), by: "kim")
            let again = await service.refusal(
                of: "UPDATE rate_proposal SET status = 'published', version = 1 WHERE id = \(waiting.id)")
            #expect(again?.constraint == "rate_proposal_decided_once")
            await service.close()
            try await Audit.expectSound(test)
        }
    }
}
