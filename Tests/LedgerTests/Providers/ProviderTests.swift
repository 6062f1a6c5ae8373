import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Providers with terms: captures book what they are owed.
@Suite(.timeLimit(.minutes(20))) struct ProviderTests {
    @Test func `terms that are set at once have one order, by number and by time`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 1000)
            let (first, second) = (try await test.connectAsOwner(), try await test.connectAsOwner())
            try await second.execute("SELECT pg_advisory_lock(7)")
            // The row has its default values, and waits before its locks.
            async let waiting: Void = first.execute(
                """
                INSERT INTO provider_terms (provider, share, role, withholding, set_by)
                SELECT 'zoe' || pg_advisory_xact_lock(7)::text, 2000, 'agent', 'none', 'kim'
                """)
            try await eventually("the first waits") {
                try await test.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") == 1
            }
            try await ledger.setTerms("zoe", 3000)
            try await second.execute("SELECT pg_advisory_unlock(7)")
            try await waiting
            #expect(
                try await test.number(
                    "SELECT count(*) FROM (SELECT set_at, lag(set_at) OVER (ORDER BY id) AS before FROM provider_terms)"
                        + " AS terms WHERE set_at <= before") == 0)
            #expect(try await ledger.providers.find(.named("zoe"))?.terms.share == 2000)
            await first.close()
            await second.close()
        }
    }

    @Test func `a capture for a provider without terms is booked as before`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("other", 8000)
            _ = try await ledger.credit(.sample())
            let captured = try await ledger.capture("c", 30, for: "zoe")
            #expect(captured.share == nil)
            #expect(
                try await test.postings(of: captured.id) == [
                    "held:ann:bonus": 10, "held:ann:paid": 20, "earnings:zoe": -30, "coins:deferred-revenue": 200,
                    "revenue:coins": -200,
                ])
            #expect(try await test.number("SELECT count(*) FROM provider_share") == 0)
            #expect(try await test.number("SELECT count(*) FROM account WHERE code LIKE 'payable:zoe/%'") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: ProviderTerms.Role.allCases)
    func `a capture books the share as owed, and our part as revenue`(_ role: ProviderTerms.Role) async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000, role)
            _ = try await ledger.credit(.sample())
            let captured = try await ledger.capture("c", 30, for: "zoe")
            let coins: [String: Int64] = ["held:ann:bonus": 10, "held:ann:paid": 20, "earnings:zoe": -30]
            let won: [String: Int64] =
                switch role {
                case .agent:
                    ["coins:deferred-revenue": 200, "payable:zoe": -160, "revenue:commission": -40]
                case .principal:
                    [
                        "coins:deferred-revenue": 200, "revenue:coins": -200, "cost:providers": 160,
                        "payable:zoe": -160,
                    ]
                }
            #expect(try await test.postings(of: captured.id) == coins.merging(won) { first, _ in first })
            #expect(captured.share?.amount == 160)
            #expect(try await ledger.owed("zoe") == 160)
            #expect(try await ledger.redemptions.find(captured.id) == captured)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a capture has the terms of its product, or those of all products`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(
                try await ledger.providers.setTerms(
                    ProviderTermsDraft(provider: .named("zoe"), item: "song", share: 5000, role: .agent),
                    standardWithholding: .none, by: "kim")
                    == nil)
            try await ledger.setTerms("zoe", 8000, withholding: .businessIncome)
            let song = try await ledger.setTerms("zoe", 5000, .principal, item: "song")
            #expect(try await ledger.setTerms("zoe", 5000, .principal, item: "song") == song)
            #expect(song.withholding == .businessIncome)
            _ = try await ledger.credit(.sample(bonus: 0))
            #expect(try await ledger.capture("a", 10, for: "zoe", item: "song").share?.amount == 50)
            #expect(try await ledger.capture("b", 10, for: "zoe", item: "video").share?.amount == 80)
            #expect(try await ledger.capture("c", 10, for: "zoe").share?.amount == 80)
            #expect(try await ledger.capture("d", 10, for: "yan", item: "song").share == nil)

            // Later terms of all products leave those of a product as they are, and reversals have those of the capture.
            try await ledger.setTerms("zoe", 1000)
            let captured = try await ledger.capture("e", 10, for: "zoe", item: "song")
            #expect(captured.share?.amount == 50 && captured.share?.role == .principal)
            try await ledger.setTerms("zoe", 9000, item: "song")
            _ = try await ledger.submit(ReverseRedemption.sample(of: captured))
            #expect(try await ledger.owed("zoe") == 50 + 80 + 80)

            let found = try #require(try await ledger.providers.find(.named("zoe")))
            #expect(found.terms.share == 1000 && found.terms.withholding == .businessIncome)
            #expect(found.ofItems.map(\.share) == [9000] && found.ofItems.map(\.item) == ["song"])
            #expect(try await ledger.providers.list(limit: 5).elements == [found])
            let lines = try await ledger.providers.accountLines(of: .named("zoe"), limit: 9).elements
            #expect(lines.map(\.item) == [nil, "song", nil, "video", "song"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `bonus coins have no won, so they are worth nothing to a provider`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 10_000)
            _ = try await ledger.submit(Grant.sample(coins: 7))
            let captured = try await ledger.capture("c", 7, for: "zoe")
            #expect(captured.share?.amount == 0)
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await ledger.balances.earnings(of: .named("zoe")) == 7)
            let line = try #require(try await ledger.providers.accountLines(of: .named("zoe"), limit: 5).elements.first)
            #expect(line.won == 0 && line.change == 0 && line.balance == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: ProviderTerms.Role.allCases)
    func `a reversal takes the share back to the won, part by part`(_ role: ProviderTerms.Role) async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 6667, role)
            _ = try await ledger.credit(.sample(coins: 3, bonus: 0, won: 1000))
            let before = try await test.balance(of: .deferredRevenue)
            let captured = try await ledger.capture("c", 3, for: "zoe")
            #expect(captured.share?.amount == 666)  // 66.67 % of 1,000, rounded down
            var left: [Int64] = []
            for number in 1...3 {
                let back = try await ledger.submit(ReverseRedemption.sample("back-\(number)", of: captured, coins: 1))
                #expect(back.reversed != nil)
                left.append(try await ledger.owed("zoe"))
                try await Audit.expectSound(test)
            }
            // 667 and 334 won are left after the first and second: as a capture of them would book.
            #expect(left == [444, 222, 0])
            #expect(try await test.balance(of: .deferredRevenue) == before)
            for account: SystemAccount in [.revenue, .commission, .providerCosts] {
                #expect(try await test.balance(of: account) == 0, "\(account)")
            }
        }
    }

    @Test func `terms apply from when they are set, and a reversal has those of its capture`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(bonus: 0))
            let none = try await ledger.capture("none", 10, for: "zoe")
            let first = try await ledger.setTerms("zoe", 8000)
            let agent = try await ledger.capture("agent", 10, for: "zoe")
            let again = try await ledger.setTerms("zoe", 8000)
            #expect(again == first, "equal terms are no new version")
            let second = try await ledger.setTerms("zoe", 5000, .principal)
            let principal = try await ledger.capture("principal", 10, for: "zoe")
            #expect(none.share == nil && agent.share?.amount == 80 && principal.share?.amount == 50)
            #expect(agent.share?.termsID == first.id && principal.share?.termsID == second.id)
            #expect(first.setAt < second.setAt)
            #expect(try await ledger.providers.history(of: .named("zoe"), limit: 5).elements == [second, first])

            for (number, captured) in [none, agent].enumerated() {
                let back = try await ledger.submit(ReverseRedemption.sample("back-\(number)", of: captured))
                #expect(back.reversed != nil)
            }
            #expect(try await ledger.owed("zoe") == 50)
            #expect(try await test.balance(of: .revenue) == 100)
            #expect(try await test.balance(of: .commission) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `terms that are set while captures run apply to each capture wholly or not at all`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...8 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        for turn in 0..<10 {
                            _ = try await ledger.capture("\(number)-\(turn)", of: "user-\(number)", 3, for: "zoe")
                        }
                    }
                }
                group.addTask {
                    for turn in 0..<12 {
                        try await ledger.setTerms(
                            "zoe", Int64(turn) * 800, turn.isMultiple(of: 2) ? .agent : .principal)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await ledger.balances.earnings(of: .named("zoe")) == 240)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a capture is repeated with the share that it had`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            _ = try await ledger.credit(.sample(bonus: 0))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 30)).placed?.hold)
            let answers = try await together(20) { _ in
                try await ledger.submit(CaptureHold.sample(of: hold.id, provider: "zoe"))
            }
            try await ledger.setTerms("zoe", 1000)
            let late = try await ledger.submit(CaptureHold.sample(of: hold.id, provider: "zoe"))
            #expect(answers.count { !$0.isRepeat } == 1 && late.isRepeat)
            #expect(Set((answers + [late]).map { $0.captured?.share?.amount }) == [240])
            #expect(try await ledger.owed("zoe") == 240)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a cancelled payment leaves the provider's share, and what comes back later reverses it`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            let captured = try await ledger.capture("c", 100, for: "zoe")
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            #expect(try await ledger.owed("zoe") == 800)
            #expect(try await test.balance(of: .revenue) == -1000)
            #expect(try await test.balance(of: .commission) == 200)
            _ = try await ledger.submit(ReverseRedemption.sample(of: captured))
            for account: SystemAccount in [.revenue, .commission, .deferredRevenue, .gatewayReceivable] {
                #expect(try await test.balance(of: account) == 0, "\(account)")
            }
            #expect(try await ledger.owed("zoe") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a statement shows each capture, reversal and payout with what is owed after it`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 5000)
            for number in 1...3 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            let first = try await ledger.capture("a", of: "user-1", 10, for: "zoe")
            _ = try await ledger.capture("b", of: "user-2", 20, for: "zoe")
            let paid = try await ledger.approved()
            #expect(try await ledger.pay(paid).payoutPaid?.amount == 150)
            _ = try await ledger.capture("c", of: "user-3", 4, for: "zoe")
            _ = try await ledger.submit(ReverseRedemption.sample(of: first))

            var lines: [ProviderAccountLine] = []
            var cursor: ProviderAccountCursor?
            repeat {
                let page = try await ledger.providers.accountLines(of: .named("zoe"), after: cursor, limit: 2)
                lines += page.elements
                cursor = page.next
            } while cursor != nil
            #expect(lines.map(\.kind) == [.captureReversal, .capture, .payout, .capture, .capture])
            #expect(lines.map(\.change) == [-50, 20, -150, 100, 50])
            #expect(lines.map(\.balance) == [-30, 20, 0, 150, 50])
            #expect(lines.map(\.payoutID) == [nil, nil, paid.id, paid.id, paid.id])
            #expect(lines.first?.captureID == first.id && lines.last?.captureID == first.id)
            try await Audit.expectSound(test)
        }
    }
}
