import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// The law's limits of prepaid means, and what custodians hold.
@Suite(.timeLimit(.minutes(20))) struct PrepaidTests {
    private static let seoul = sure(TimeZone(identifier: "Asia/Seoul"))
    private static let rules = PrepaidRules(
        outstandingLimit: 3500, issuanceLimit: 50_000, safeguardPercent: 100, bonusWorth: 0)

    private static func date(_ text: String) throws -> Date { try Date(text + "T03:00:00Z", strategy: .iso8601) }

    private static func purchase(_ number: Int, won: Int64, at day: String) throws -> CreditPurchase {
        .sample(number, won: won, paidAt: try date(day))
    }

    @Test func `outstanding and issued won are listed quarter by quarter, and compared with the limits`() async throws {
        try await TestLedger.with(at: try Self.date("2025-02-10")) { ledger, _, clock in
            for (number, (day, won)) in [("2025-02-10", Int64(2000)), ("2025-08-01", 3000), ("2026-05-05", 500)]
                .enumerated()
            {
                try await clock.set(to: try Self.date(day))
                _ = try await ledger.credit(try Self.purchase(number, won: won, at: day))
                if number == 1 { _ = try await ledger.submit(Spend.sample("s", coins: 110)) }
            }
            // 110 coins: 10 and 10 bonus coins first, and 90 of the first purchase, worth ₩1,800.
            let now = try Self.date("2026-07-15")
            try await clock.set(to: now)
            let status = try await ledger.prepaid.status(Self.rules, at: now, in: Self.seoul)
            #expect(status.quarters.map(\.outstanding) == [2000, 2000, 3200, 3200, 3200, 3700, 3700])
            #expect(status.quarters.map(\.issued) == [2000, 0, 3000, 0, 0, 500, 0])
            #expect(status.quarters.map(\.to).dropLast().last == (try Date("2026-06-30T15:00:00Z", strategy: .iso8601)))
            #expect(status.averageOutstanding == (2000 + 2000 + 3200 * 3 + 3700) / 6)
            #expect(status.issuedLastYear == 5000 && status.issuedInTwelveMonths == 3500)
            #expect(!status.isAboveLimit && status.safeguard.outstanding == 3700 && status.safeguard.bonusCoins == 10)
            for change in [\PrepaidRules.outstandingLimit, \.issuanceLimit] {
                var rules = Self.rules
                rules[keyPath: change] = change == \.issuanceLimit ? 5000 : status.averageOutstanding
                #expect(try await ledger.prepaid.status(rules, at: now, in: Self.seoul).isAboveLimit)
            }
        }
    }

    @Test func `what must be kept apart counts percent and bonus coins`() {
        func required(_ percent: Int64, _ worth: Int64) -> Int64 {
            PrepaidRules(outstandingLimit: 0, issuanceLimit: 0, safeguardPercent: percent, bonusWorth: worth)
                .safeguarded(outstanding: 1001, bonusCoins: 7)
        }
        #expect([required(100, 0), required(50, 0), required(100, 10), required(0, 0)] == [1001, 501, 1071, 0])
    }

    @Test func `the last balance of each custodian counts, and a shortfall is a finding`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let prepaid = ledger.prepaid
            func look() async throws -> (shortfall: Int64, open: [String]) {
                let safeguard = try await prepaid.safeguard(Self.rules)
                try await prepaid.updateFinding(safeguard)
                let findings = try await ledger.findings.list(limit: 10).elements
                #expect(findings.allSatisfy { $0.payment == nil && $0.endpointID == nil })
                return (safeguard.shortfall, findings.map(\.kind.rawValue))
            }
            var now = try await look()
            #expect(now.shortfall == 1000 && now.open.isEmpty, "nobody entered a balance")

            let day = Date(timeIntervalSinceNow: -86_400)
            func enter(_ key: String, _ custodian: String, _ balance: Int64, at moment: Date) async throws {
                let draft = CustodyBalanceDraft(custodian: custodian, method: .trust, balance: balance, heldAt: moment)
                let entered = try #require(try await prepaid.enter(draft, key: key, by: "kim"))
                #expect(!entered.isRepeat)
                let repeated = try #require(try await prepaid.enter(draft, key: key, by: "kim"))
                #expect(repeated.balance == entered.balance && repeated.isRepeat)
                var other = draft
                other.balance += 1
                #expect(try await prepaid.enter(other, key: key, by: "kim") == nil)
                #expect(try await prepaid.enter(draft, key: key, by: "lee") == nil)
            }
            try await enter("a", "bank", 600, at: day)
            try await enter("b", "insurer", 300, at: day)
            now = try await look()
            #expect(now.shortfall == 100 && now.open == ["custody_short"])
            now = try await look()
            #expect(now.open == ["custody_short"], "it is one finding")
            // An older balance that is entered later does not count.
            try await enter("c", "bank", 9000, at: day - 60)
            #expect(try await look().shortfall == 100)
            try await enter("d", "bank", 700, at: day)
            now = try await look()
            #expect(now.shortfall == 0 && now.open.isEmpty)
            _ = try await ledger.credit(.sample(2))
            now = try await look()
            #expect(now.shortfall == 1000 && now.open == ["custody_short"])
            let finding = try #require(try await ledger.findings.list(limit: 1).elements.first)
            try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "tomorrow")
            #expect(try await look().open == ["custody_short"], "it is still too little")
            #expect(try await prepaid.listBalances(limit: 3).elements.map(\.balance) == [700, 9000, 300])
            #expect(try await test.number("SELECT count(*) FROM finding") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `several processes that enter the same balance make one`() async throws {
        try await TestLedger.with { ledger, test in
            let draft = CustodyBalanceDraft(
                custodian: "bank", method: .deposit, balance: 5, heldAt: Date(timeIntervalSinceNow: -60))
            let entered = try await together(12) { _ in
                try await ledger.prepaid.enter(draft, key: "one", by: "kim")?.balance.id
            }
            #expect(Set(entered).count == 1 && entered.first != .some(nil), "all get it")
            #expect(try await test.number("SELECT count(*) FROM custody_balance") == 1)
        }
    }
}
