import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Payouts to providers: proposed, approved, paid.
@Suite(.timeLimit(.minutes(20))) struct PayoutTests {
    @Test func `a payout pays what is owed, explained capture by capture, with an entry for each stripe`() async throws
    {
        try await Self.withEarnings { ledger, test in
            let payout = try await ledger.approved()
            #expect(payout.status == .approved && payout.approval?.by == "lee" && payout.proposedBy == "shop")
            #expect(payout.providers == 2 && payout.amount == 1040 && payout.withheld == 0)
            let items = try await ledger.payouts.items(of: payout.id, limit: 10).elements
            #expect(items.map(\.provider.rawValue) == ["yan", "zoe"] && items.map(\.amount) == [400, 640])
            let shares = try await ledger.payouts.shares(of: payout.id, .named("zoe"), limit: 100).elements
            #expect(shares.count == 8 && shares.allSatisfy { $0.won == 100 && $0.change == 80 })
            #expect(items.last?.shares == 8)
            try await Self.expectPages(of: payout.id, covering: items.reduce(0) { $0 + Int($1.shares) }, in: ledger)

            let paid = try #require(try await ledger.pay(payout).payoutPaid)
            #expect(paid.amount == 1040 && paid.withheld == 0)
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await ledger.owed("yan") == 0)
            #expect(try await test.balance(of: .bank) == -1040)
            let stripes = try await test.number("SELECT count(DISTINCT stripe) FROM payout_entry")
            #expect(stripes > 1)
            #expect(try await test.number("SELECT count(*) FROM payout_entry") == paid.entries)
            let found = try #require(try await ledger.payouts.find(payout.id))
            #expect(found.status == .paid && found.payment?.bankReference == "bulk transfer 7")
            #expect(try await ledger.propose("payout-2") == .nothingOwed)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the proposer can't approve, only an approved payout is paid, and a paid one stays paid`() async throws {
        try await Self.withEarnings { ledger, test in
            let payout = try #require(try await ledger.propose().payout)
            let doors: [(String, String?)] = [
                ("shop", nil), ("console:Shop", nil), ("terminal:shop", nil), ("console:9f2", "Shop"),
            ]
            for (person, name) in doors {
                #expect(
                    try await ledger.payouts.approve(payout.id, by: person, named: name) == .ownProposal, "\(person)")
            }
            #expect(try await ledger.pay(payout).refusal == .payoutNotApproved(.proposed))
            guard case .done(let approved) = try await ledger.payouts.approve(payout.id, by: "lee") else {
                Issue.record("it was not approved")
                return
            }
            for person in ["lee", "shop", "console:shop"] {
                #expect(try await ledger.payouts.approve(payout.id, by: person) == .done(approved), "\(person)")
            }
            #expect(try await ledger.pay(approved, paidAt: Date() + 3600).refusal == .implausiblePaymentDate)
            // A clock that is a little ahead is believed, as of other payments through our bank.
            #expect(
                try await ledger.pay(approved, "k2", paidAt: Date() - 200_000).refusal == .implausiblePaymentDate)
            // A refusal for its status is not kept: the same key pays now.
            #expect(try await ledger.pay(approved, "k3", paidAt: Date() + 300).payoutPaid?.amount == 1040)
            let late = "SELECT count(*) FROM journal_entry WHERE kind = 'payout' AND effective_at <> recorded_at"
            #expect(try await test.number(late) == 0)
            #expect(try await ledger.pay(approved, "k4").refusal == .payoutNotApproved(.paid))
            #expect(try await ledger.payouts.withdraw(payout.id, by: "kim", because: nil) == .refused(.paid))
            #expect(try await ledger.payouts.approve(payout.id, by: "lee") == .refused(.paid))
            #expect(try await ledger.payouts.approve(999, by: "lee") == .notFound)
            #expect(
                try await ledger.payouts.payment(
                    of: 999, key: .named("x"), paidAt: Date(), bankReference: "x") == nil)
            #expect(try await test.balance(of: .bank) == -1040)
            try await Audit.expectSound(test)
        }
    }

    /// Page by page, each capture is listed once, by provider and entry.
    private static func expectPages(of payout: Int64, covering count: Int, in ledger: Ledger) async throws {
        let whole = try await ledger.payouts.shares(of: payout, limit: 100).elements
        #expect(whole.count == count)
        var paged: [PayoutShare] = []
        var cursor: PayoutShareCursor?
        repeat {
            let page = try await ledger.payouts.shares(of: payout, after: cursor, limit: 3)
            paged += page.elements
            cursor = page.next
        } while cursor != nil
        #expect(paged == whole)
        #expect(whole.map(\.provider.rawValue) == whole.map(\.provider.rawValue).sorted())
    }

    @Test func `a withdrawn payout frees its captures for the next one`() async throws {
        try await Self.withEarnings { ledger, test in
            let first = try await ledger.approved("p1", to: ["zoe"])
            #expect(first.amount == 640)
            #expect(try await ledger.propose("p2", to: ["zoe"]) == .nothingOwed)
            guard
                case .done(let gone) = try await ledger.payouts.withdraw(first.id, by: "kim", because: "wrong month")
            else {
                Issue.record("it was not withdrawn")
                return
            }
            #expect(gone.status == .withdrawn && gone.withdrawal?.reason == "wrong month")
            #expect(try await ledger.pay(first).refusal == .payoutNotApproved(.withdrawn))
            #expect(try await ledger.payouts.shares(of: first.id, limit: 10).elements.isEmpty)
            #expect(try await ledger.payouts.items(of: first.id, limit: 10).elements.map(\.shares) == [0])
            let second = try await ledger.approved("p3", to: ["zoe"])
            #expect(second.amount == 640)
            #expect(try await ledger.pay(second, "k2").payoutPaid?.amount == 640)
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await ledger.owed("yan") == 400)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a proposal is made once under its key, and takes what was recorded before the cut-off`() async throws {
        try await Self.withEarnings { ledger, test in
            let cutOff = Date(
                microsecondsSince1970: try await test.number(
                    "SELECT microseconds(max(recorded_at)) FROM provider_share WHERE provider = 'zoe'"))
            let first = try await ledger.propose("p1", to: ["zoe"], cutOff: cutOff)
            #expect(first.payout?.amount == 560)
            let repeated = try await ledger.propose("p1", to: ["zoe"], cutOff: cutOff)
            #expect(repeated == first.payout.map(Payouts.Proposal.repeated))
            let another = try await ledger.propose("p1", to: ["yan"], cutOff: cutOff)
            #expect(another == .reused(at: first.payout?.proposedAt))
            #expect(try await ledger.propose("p2", cutOff: Date() + 60) == .notOver)
            #expect(try await ledger.propose("p3", to: ["zoe"]).payout?.amount == 80)
            #expect(try await ledger.payouts.list(limit: 1).elements.first?.amount == 80)
            #expect(try await ledger.payouts.list(.paid, limit: 5).elements.isEmpty)
        }
    }

    @Test func `what comes back after a payout is a claim, which the next payout nets off`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            for number in 1...2 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            let captured = try await ledger.capture("a", of: "user-1", 50, for: "zoe")
            #expect(try await ledger.pay(try await ledger.approved("p1"), "k1").payoutPaid?.amount == 400)
            _ = try await ledger.submit(ReverseRedemption.sample(of: captured))
            #expect(try await ledger.owed("zoe") == -400)
            #expect(try await ledger.propose("p2") == .nothingOwed)
            _ = try await ledger.capture("b", of: "user-2", 60, for: "zoe")
            let second = try await ledger.approved("p3")
            #expect(second.amount == 80)
            // One stripe pays 480, the other gets 400 back.
            let paid = try #require(try await ledger.pay(second, "k3").payoutPaid)
            #expect(paid.amount == 80 && paid.entries == 2)
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await test.balance(of: .bank) == -480)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a capture that came back before the proposal is not paid, even if that was after the cut-off`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            for number in 1...2 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            let first = try await ledger.capture("a", of: "user-1", 50, for: "zoe")
            _ = try await ledger.capture("b", of: "user-2", 20, for: "zoe")
            let cutOff = try await test.nextShare()
            let late = try await ledger.capture("c", of: "user-1", 10, for: "zoe")
            _ = try await ledger.submit(ReverseRedemption.sample("back-a", of: first))
            _ = try await ledger.submit(ReverseRedemption.sample("back-c", of: late))
            // 400 came back, and what came back of the late capture stays with it.
            let payout = try #require(try await ledger.propose("p1", cutOff: cutOff).payout)
            #expect(payout.amount == 160)
            let shares = try await ledger.payouts.shares(of: payout.id, limit: 10).elements
            #expect(shares.map(\.change).sorted() == [-400, 160, 400])
            _ = try await ledger.payouts.approve(payout.id, by: "lee")
            #expect(try await ledger.pay(payout, "k1").payoutPaid?.amount == 160)
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await ledger.propose("p2") == .nothingOwed)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what comes back of a paid capture is in the next payout, whatever its cut-off`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            for number in 1...2 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            let paid = try await ledger.capture("a", of: "user-1", 50, for: "zoe")
            _ = try await ledger.pay(try await ledger.approved("p1"), "k1")
            _ = try await ledger.capture("b", of: "user-2", 60, for: "zoe")
            let cutOff = try await test.nextShare()
            _ = try await ledger.submit(ReverseRedemption.sample("back", of: paid))
            #expect(try await ledger.propose("p2", cutOff: cutOff).payout?.amount == 80)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payout is paid without reading its shares again`() async throws {
        try await Self.withEarnings { ledger, test in
            let payout = try await ledger.approved()
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; LOCK TABLE provider_share IN ACCESS EXCLUSIVE MODE")
            #expect(try await ledger.pay(payout).payoutPaid?.amount == 1040)
            try await other.execute("ROLLBACK")
            await other.close()
            try await Audit.expectSound(test)
        }
    }

    /// For docs/performance.md: `LEDGERD_TEST_SHARES=500000`.
    @Test func `a payout of very many captures is proposed, withdrawn and paid`() async throws {
        try await TestLedger.withDatabase { test in
            let ledger = try await test.open()
            let count =
                ProcessInfo.processInfo.environment["LEDGERD_TEST_SHARES"].flatMap(Int64.init)
                ?? Int64(Effort.count(2_000, upTo: 20_000))
            for provider in ["zoe", "yan"] { try await ledger.setTerms(provider, 8000) }
            for start in stride(from: 1, through: count, by: 10_000) {  // Each within the time limit of a statement.
                try await test.execute(
                    """
                    SET LOCAL session_replication_role = replica;
                    INSERT INTO provider_share (
                        journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
                    SELECT n, n, CASE n % 2 WHEN 0 THEN 'zoe' ELSE 'yan' END, n % 4, 1 + n % 2, 100, 80, now()
                    FROM generate_series(\(start), \(min(count, start + 9_999))) AS n;
                    """)
            }
            let rows = try await test.rowsRead {
                let clock = ContinuousClock()
                let proposed = try await clock.measure { _ = try await ledger.propose("p1") }
                let first = try #require(try await ledger.payouts.list(limit: 1).elements.first)
                #expect(first.amount == count * 80)
                let withdrawn = try await clock.measure {
                    _ = try await ledger.payouts.withdraw(first.id, by: "kim", because: nil)
                }
                let payout = try await ledger.approved("p2")
                var amount: Int64?
                let paid = try await clock.measure { amount = try await ledger.pay(payout).payoutPaid?.amount }
                #expect(amount == count * 80)
                print(
                    "payout of \(count) captures: proposed in \(proposed), withdrawn in \(withdrawn), paid in \(paid)")
                await ledger.close()
            }
            #expect(rows < 100 * count, "\(rows) rows were read: each some times, not each for each other one")
        }
    }

    @Test func `a payment in a closed period is booked in the open one`() async throws {
        try await Self.withEarnings { ledger, test in
            let payout = try await ledger.approved()
            let until = Date() - 60
            _ = try await ledger.periods.close(until: until, by: "kim")
            #expect(try await ledger.pay(payout, paidAt: Date() - 3600).payoutPaid != nil)
            #expect(
                try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'payout' AND late_for IS NULL")
                    == 0)
            try await Audit.expectSound(test)
        }
    }

    /// Eight users of several stripes have captured ₩100 each for zoe (80 %) and for yan (50 %).
    static func withEarnings(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            try await ledger.setTerms("yan", 5000, .principal)
            for number in 1...8 {
                _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0))
                _ = try await ledger.capture("z\(number)", of: "user-\(number)", 10, for: "zoe")
                _ = try await ledger.capture("y\(number)", of: "user-\(number)", 10, for: "yan")
            }
            try await body(ledger, test)
        }
    }
}
