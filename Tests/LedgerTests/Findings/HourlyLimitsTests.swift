import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Hours in which more moved than a limit allows.
@Suite(.timeLimit(.minutes(20))) struct HourlyLimitsTests {
    private static func time(_ text: String) throws -> Date { try Date("2026-02-10T\(text)Z", strategy: .iso8601) }

    /// What the look at a time says of the last hour above each limit, and the findings that are open then.
    private static func look(
        at text: String, in ledger: Ledger, limits: HourlyLimits
    ) async throws -> (above: [String: Int64], open: [HourlyExcess]) {
        let found = try await ledger.findings.note(above: limits, at: try time(text))
        let open = try await ledger.findings.list(limit: 10).elements
        #expect(open.allSatisfy { $0.payment == nil && $0.endpointID == nil && $0.kind == $0.excess?.kind })
        return (
            Dictionary(found.map { ($0.kind.rawValue, $0.measured) }) { $1 }, open.compactMap(\.excess)
        )
    }

    @Test func `an hour above a limit is one finding, which opens again if it goes on`() async throws {
        try await TestLedger.with(at: try Self.time("10:10:00")) { ledger, test, clock in
            let limits = HourlyLimits(liability: 1999, bonus: 20, spends: 5)
            func look(_ text: String) async throws -> (above: [String: Int64], open: [HourlyExcess]) {
                try await Self.look(at: text, in: ledger, limits: limits)
            }
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.submit(Spend.sample("a", coins: 5))
            #expect(try await look("10:10:01").above.isEmpty, "₩1,000 owed, 10 bonus coins, 5 of them spent")
            _ = try await ledger.credit(.sample(2, by: "bob"))
            let owed = HourlyExcess(
                kind: .liabilityAboveLimit, hour: try Self.time("10:00:00"), measured: 2000, limit: 1999)
            var now = try await look("10:10:02")
            #expect(now.above == ["liability_above_limit": 2000], "20 bonus coins are the limit")
            #expect(now.open == [owed])
            _ = try await ledger.submit(Grant.sample("g", coins: 1))
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            now = try await look("10:10:03")
            #expect(now.above == ["liability_above_limit": 2000, "bonus_above_limit": 21, "spends_above_limit": 6])
            _ = try await ledger.submit(Grant.sample("h", coins: 100))
            now = try await look("10:10:04")
            #expect(now.open.map(\.measured).sorted() == [6, 121, 2000], "three findings, and not one for each look")
            #expect(try await test.number("SELECT count(*) FROM occurrence WHERE type = 'finding.opened'") == 3)

            // A person ends it. It has what they saw until as much as the limit has moved since.
            func resolveAll() async throws {
                for finding in try await ledger.findings.list(limit: 10).elements {
                    try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "the spring campaign")
                }
            }
            func measured() async throws -> Int64 {
                try await test.number("SELECT measured FROM finding WHERE kinds = '{bonus_above_limit}'")
            }
            try await resolveAll()
            _ = try await ledger.submit(Grant.sample("i", coins: 19))
            now = try await look("10:10:05")
            #expect(now.above["bonus_above_limit"] == 140 && now.open.isEmpty)
            #expect(try await measured() == 121)
            _ = try await ledger.submit(Grant.sample("j", coins: 1))
            now = try await look("10:10:06")
            #expect(now.open.map(\.measured) == [141], "what it was not resolved for")
            #expect(try await test.number("SELECT count(*) FROM finding") == 3)
            #expect(try await test.number("SELECT count(*) FROM occurrence WHERE type = 'finding.opened'") == 4)
            try await resolveAll()

            // What moved just before ledgerd was stopped for hours is seen then; another hour is another finding.
            try await clock.set(to: try Self.time("11:59:59"))
            _ = try await ledger.submit(Spend.sample("c", coins: 9))
            now = try await look("15:30:00")
            #expect(
                now.open == [
                    HourlyExcess(kind: .spendsAboveLimit, hour: try Self.time("11:00:00"), measured: 9, limit: 5)
                ])
            try await ledger.findings.settle()
            let later = try await ledger.findings.note(above: limits, at: try Self.time("12:00:00") + 86_400)
            #expect(later.isEmpty, "a day later")
            #expect(try await ledger.findings.list(limit: 10).elements.count == 1, "it lasts until a person has looked")
            try await Audit.expectSound(test)
        }
    }

    @Test func `what comes back within the hour is not counted, and captures for providers are`() async throws {
        try await TestLedger.with(at: try Self.time("10:00:00")) { ledger, test, _ in
            let limits = HourlyLimits(spends: 5)
            _ = try await ledger.credit(.sample(1))
            let spent = try await ledger.capture("a", 10, for: "zoe")
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent))
            #expect(try await Self.look(at: "10:30:00", in: ledger, limits: limits).above.isEmpty)
            _ = try await ledger.capture("b", 6, for: "zoe")
            #expect(
                try await Self.look(at: "10:30:00", in: ledger, limits: limits).above == ["spends_above_limit": 6])
            try await Audit.expectSound(test)
        }
    }

    @Test func `several processes note an hour once, and without limits nothing is noted`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let now = Date()
            #expect(try await ledger.findings.note(above: HourlyLimits(), at: now).isEmpty)
            #expect(try await test.number("SELECT count(*) FROM finding") == 0)
            _ = try await together(8) { _ in
                try await ledger.findings.note(above: HourlyLimits(liability: 1, bonus: 1), at: now)
            }
            #expect(try await test.number("SELECT count(*) FROM finding") == 2)
        }
    }
}
