import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Failures and limits, after which a consent rests or is paused.
extension TopUpTests {
    @Test func `money that was taken and not credited counts for the month`() async throws {
        try await Self.withConsent(won: 1999) { ledger, _ in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            _ = try #require(try await Self.ask(ledger, pending))
            try await ledger.pendingTopUps.fail(pending, because: "not_credited", rest: .zero, most: 1)
            #expect(try await ledger.topUps.resume(of: .named("ann"), by: "kim"))
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            let next = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, next) == nil)
            #expect(try await Self.statuses(ledger) == ["failed not_credited", "dropped monthly_limit"])
        }
    }

    @Test func `a failure makes it rest, and failures in a row pause it until somebody resumes it`() async throws {
        try await Self.withConsent { ledger, test in
            for number in 1...3 {
                _ = try await ledger.submit(Spend.sample("\(number)", coins: number == 1 ? 100 : 1))
                let pending = try #require(try await Self.due(ledger).first)
                _ = try #require(try await Self.ask(ledger, pending))
                try await ledger.pendingTopUps.fail(
                    pending, because: "declined", rest: .seconds(3600), most: 3)
                try await ledger.pendingTopUps.fail(
                    pending, because: "declined", rest: .seconds(3600), most: 3)
                _ = try await ledger.submit(Spend.sample("rest \(number)", coins: 1))
                #expect(try await Self.due(ledger).isEmpty)
                try await test.execute("UPDATE top_up SET rests_until = now()")
            }
            let paused = try await ledger.topUps.find(of: .named("ann"))
            #expect(paused?.status == .paused && paused?.reason == "declined" && paused?.failures == 3)
            #expect(try await ledger.topUps.resume(of: .named("ann"), by: "kim"))
            #expect(paused?.changedBy == nil, "ledgerd did")
            let resumed = try await ledger.topUps.find(of: .named("ann"))
            #expect(resumed?.failures == 0 && resumed?.changedBy == "kim")
            _ = try await ledger.submit(Spend.sample("again", coins: 1))
            let again = try #require(try await Self.due(ledger).first)
            _ = try #require(try await Self.ask(ledger, again))
            try await ledger.pendingTopUps.fail(again, because: "declined", rest: .zero, most: 1)
            let stopped = try await ledger.topUps.find(of: .named("ann"))
            #expect(stopped?.status == .paused && stopped?.changedBy == nil, "kim did not")
            let failed = Array(repeating: "top_up.failed", count: 3)
            #expect(
                try await Self.told(ledger) == ["top_up.agreed"] + failed
                    + ["top_up.paused", "top_up.resumed", "top_up.failed", "top_up.paused"])
        }
    }

    @Test func `a payment that comes after its charge was given up ends the charge as credited`() async throws {
        try await Self.withConsent(won: 1999) { ledger, test in
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let pending = try #require(try await Self.due(ledger).first)
            let asking = try #require(try await Self.ask(ledger, pending))
            try await ledger.pendingTopUps.fail(pending, because: "unknown", rest: .zero, most: 3)
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            let next = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, next) == nil, "the first may still be paid")
            #expect(try await Self.statuses(ledger) == ["failed unknown", "dropped monthly_limit"])
            _ = try await ledger.credit(Self.paid(asking))
            #expect(try await Self.statuses(ledger) == ["credited paid", "dropped monthly_limit"])
            #expect(try await test.number("SELECT failures FROM top_up") == 0)
        }
    }

    @Test func `the limits of day and month drop a charge and make the consent rest`() async throws {
        try await Self.withConsent(won: 2500) { ledger, test in
            for number in 1...2 {
                _ = try await ledger.submit(Spend.sample("\(number)", coins: 100))
                let pending = try #require(try await Self.due(ledger).first)
                let asking = try #require(try await Self.ask(ledger, pending))
                _ = try await ledger.credit(Self.paid(asking, number: 10 + number))
            }
            _ = try await ledger.submit(Spend.sample("3", coins: 100))
            let third = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, third, mostADay: 2) == nil)
            _ = try await ledger.submit(Spend.sample("4", coins: 1))
            #expect(try await Self.due(ledger).isEmpty, "it rests until the next day")
            try await test.execute("UPDATE top_up SET rests_until = NULL")
            _ = try await ledger.submit(Spend.sample("5", coins: 1))
            let fourth = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, fourth) == nil)
            #expect(
                try await Self.statuses(ledger)
                    == ["credited paid", "credited paid", "dropped daily_limit", "dropped monthly_limit"])
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM top_up
                    WHERE rests_until = (date_trunc('month', now() AT TIME ZONE 'Asia/Seoul') + interval '1 month')
                        AT TIME ZONE 'Asia/Seoul'
                    """) == 1)
            #expect(try await Self.told(ledger).filter { $0 == "top_up.limited" }.count == 2)
        }
    }

    @Test func `a month begins and ends in the ledger's zone`() async throws {
        // 23:00 on 31 March in Seoul.
        let evening = Date(timeIntervalSince1970: 1_774_965_600)
        try await TestLedger.with(at: evening) { ledger, test, clock in
            _ = try await ledger.products.add(Self.coins100)
            _ = try await ledger.credit(.sample(1))
            try await ledger.topUps.agree(to: Self.draft(won: 1500))
            _ = try await ledger.submit(Spend.sample("a", coins: 100))
            let first = try #require(try await Self.due(ledger).first)
            _ = try await ledger.credit(Self.paid(try #require(try await Self.ask(ledger, first))))
            try await clock.set(to: evening + 1800)
            _ = try await ledger.submit(Spend.sample("b", coins: 100))
            let second = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, second) == nil, "it is March")
            try await clock.set(to: evening + 3599)
            _ = try await ledger.submit(Spend.sample("c", coins: 1))
            #expect(try await Self.due(ledger).isEmpty, "it rests")
            try await clock.set(to: evening + 3600)
            _ = try await ledger.submit(Spend.sample("d", coins: 1))
            let third = try #require(try await Self.due(ledger).first)
            #expect(try await Self.ask(ledger, third)?.amount == 1000, "it is April")
        }
    }
}
