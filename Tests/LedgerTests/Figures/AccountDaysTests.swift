import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// The sums of days, and the ledgers of accounts over all stripes.
@Suite(.timeLimit(.minutes(20))) struct AccountDaysTests {
    private static let seoul = sure(TimeZone(identifier: "Asia/Seoul"))
    private static let always = (first: CivilDate(daysSince1970: 0), end: CivilDate(daysSince1970: 40_000))

    @Test func `sums by day are those of all postings, each entry once, in each time zone`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...6 {
                _ = try await ledger.credit(.sample(number, by: "user-\(number)"))
                _ = try await ledger.submit(Spend.sample("spend-\(number)", by: "user-\(number)", coins: 7))
            }
            for zone in [Self.seoul, .gmt] {
                // Several at once add each entry once.
                _ = try await together(4) { _ in
                    while try await ledger.accountDays.addUp(in: zone) != .complete {}
                }
            }
            _ = try await ledger.submit(Spend.sample("late", by: "user-1", coins: 1))
            for zone in [Self.seoul, .gmt] {
                try await ledger.addUpDays(in: zone)
                let totals = try await ledger.accountDays.totals(
                    from: Self.always.first, to: Self.always.end, in: zone)
                let sums = try await test.texts(
                    """
                    SELECT concat_ws('|', \(AccountSQL.classification), account.currency, sum(debits), sum(credits))
                    FROM account WHERE seq > 0
                    GROUP BY \(AccountSQL.classification), account.currency ORDER BY 1
                    """)
                let told = totals.map {
                    "\($0.account.name)|\($0.account.currency)|\($0.moved.debits)|\($0.moved.credits)"
                }
                #expect(told.sorted() == sums.sorted())
                #expect(totals.allSatisfy { $0.opening == .zero })
                let days = try await ledger.accountDays.days(
                    of: ["coins:redeemed"], from: Self.always.first, to: Self.always.end, in: zone)
                #expect(days.reduce(0) { $0 + $1.moved.credits } == 43)
                let later = try await ledger.accountDays.totals(
                    from: CivilDate(daysSince1970: 39_999), to: Self.always.end, in: zone)
                #expect(later.allSatisfy { $0.moved == .zero } && later.map(\.opening) == totals.map(\.moved))
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `sums that somebody else adds up are read as they are, and said to be behind`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1, by: "user-1"))
            let before = try await Self.addAll(ledger)
            #expect(!before.totals.isEmpty && before.days.isEmpty)

            let other = try await test.connectAsOwner()
            // As somebody who has added a page, and has not committed it.
            try await other.execute("BEGIN; UPDATE account_day_progress SET entry_id = entry_id")
            #expect(try await ledger.accountDays.addUp(in: .gmt) == .busy)
            let whole = try await ledger.accountDays.upToDate(
                from: Self.always.first, to: Self.always.end, in: .gmt, at: .distantFuture)
            #expect(!whole.isBehind && whole.totals == before.totals, "nothing is missing that could be added")
            _ = try await ledger.credit(.sample(2, by: "user-2"))
            #expect(try await ledger.accountDays.addUp(in: .gmt) == .busy)
            #expect(try await Self.sums(ledger, missing: .distantFuture).isBehind, "of the moment of the sums")
            #expect(try await !Self.sums(ledger, missing: .distantPast).isBehind)
            let stale = try await ledger.accountDays.upToDate(
                from: Self.always.first, to: Self.always.end, in: .gmt, at: Date())
            #expect(stale.isBehind && stale.totals == before.totals)
            // Of a time zone that nobody added up, everything is missing.
            #expect(
                try await ledger.accountDays.sums(
                    from: Self.always.first, to: Self.always.end, in: Self.seoul, missing: .distantFuture
                ).isBehind)
            try await other.execute("ROLLBACK")
            await other.close()

            _ = try await Self.addAll(ledger)
            let fresh = try await ledger.accountDays.upToDate(
                daysOf: ["coins:issued"], from: Self.always.first, to: Self.always.end, in: .gmt, at: Date())
            #expect(!fresh.isBehind && fresh.totals != before.totals && !fresh.days.isEmpty)
        }
    }

    @Test func `a time zone begins before its entries are added, so that nobody waits for who adds them`() async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            try await test.execute(
                """
                CREATE FUNCTION refuse_day() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no day'; END $$;
                CREATE TRIGGER refuse_day BEFORE INSERT ON account_day FOR EACH ROW EXECUTE FUNCTION refuse_day()
                """)
            try await eventually("the entry is complete, and adding it fails") {
                (try? await ledger.accountDays.addUp(in: .gmt)) == nil
            }
            #expect(try await test.texts("SELECT zone FROM account_day_progress") == ["GMT"])
            try await test.execute("DROP TRIGGER refuse_day ON account_day")
            #expect(try await !Self.addAll(ledger).totals.isEmpty)
        }
    }

    @Test func `an entry that is committed after a newer one is added once, as is the newer one`() async throws {
        try await TestLedger.with { ledger, test in
            // The transaction that stays open locks accounts of stripe 0.
            let users = (0..<40).map { "user-\($0)" }
            let user = try #require(users.first { Stripe(of: .named($0), among: 4).number != 0 })
            _ = try await ledger.credit(.sample(1, by: user))
            let before = try await Self.addAll(ledger)

            let late = try await test.connectAsOwner()
            try await late.execute("BEGIN; " + HandMade().sql)
            _ = try await ledger.credit(.sample(2, by: user))
            #expect(try await ledger.accountDays.addUp(in: .gmt) == .complete)
            let meanwhile = try await Self.sums(ledger, missing: .distantFuture)
            #expect(meanwhile.isBehind && meanwhile.totals == before.totals, "the newer one waits for the older one")
            try await late.execute("COMMIT")
            await late.close()

            let totals = try await Self.addAll(ledger).totals
            let posted = try await test.texts(
                """
                SELECT concat_ws('|', \(AccountSQL.classification), account.currency,
                    coalesce(sum(amount) FILTER (WHERE side = 'D'), 0), coalesce(sum(amount) FILTER (WHERE side = 'C'), 0))
                FROM posting JOIN account ON account.id = posting.account_id
                GROUP BY \(AccountSQL.classification), account.currency
                """)
            let told = totals.map {
                "\($0.account.name)|\($0.account.currency)|\($0.moved.debits)|\($0.moved.credits)"
            }
            #expect(told.sorted() == posted.sorted())
            #expect(totals.contains { $0.account.name == "gateway:fees" && $0.moved.debits == 5 })
        }
    }

    /// The sums of all entries.
    private static func addAll(_ ledger: Ledger) async throws -> AccountDays.Sums {
        try await ledger.addUpDays(in: .gmt)
        return try await sums(ledger, missing: .distantFuture)
    }

    private static func sums(_ ledger: Ledger, missing moment: Date) async throws -> AccountDays.Sums {
        try await ledger.accountDays.sums(from: always.first, to: always.end, in: .gmt, missing: moment)
    }

    @Test func `an account is one over all stripes, page by page, with its balance over all of them`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...7 {
                _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0))
                _ = try await ledger.submit(Spend.sample("spend-\(number)", by: "user-\(number)", coins: 7))
            }
            var found: [AccountPosting] = []
            var cursor: AccountPostingCursor?
            repeat {
                let page = try #require(
                    try await ledger.journal.postings(of: "coins:deferred-revenue", after: cursor, limit: 3))
                #expect(page.account == "coins:deferred-revenue" && page.postings.elements.count <= 3)
                found += page.postings.elements
                cursor = page.postings.next
            } while cursor != nil
            #expect(found.count == 14 && Set(found.map(\.entry)).count == 14)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.recordedAt >= $1.recordedAt })
            let whole = try #require(try await ledger.journal.postings(of: "coins:deferred-revenue", limit: 50))
            #expect(whole.postings.elements == found && found.first?.balance == whole.balance)
            // Each balance is the one before it and its amount.
            var balance: Int64 = 0
            for posting in found.reversed() {
                balance += posting.side == .credit ? posting.amount : -posting.amount
                #expect(posting.balance == balance)
            }
            let one = try await test.texts(
                "SELECT code FROM account WHERE code LIKE 'coins:deferred-revenue/%' AND seq > 0")
            let code = try #require(one.first)
            let stripe = try #require(try await ledger.journal.postings(of: code, limit: 50))
            #expect(stripe.account == code && stripe.postings.elements.count < 14)
            #expect(
                try await ledger.journal.postings(
                    of: "coins:deferred-revenue", before: Date(timeIntervalSince1970: 0), limit: 5)?
                    .postings.elements.isEmpty == true)
            // A cursor that a client made up ends no process.
            let forged = AccountPostingCursor(seq: .min, stripes: [.min, .max])
            _ = try await ledger.journal.postings(of: "coins:deferred-revenue", after: forged, limit: 5)
            _ = try await ledger.journal.postings(of: "wallet:user-1:paid", after: forged, limit: 5)
            #expect(try await ledger.journal.postings(of: "nothing", limit: 5) == nil)
        }
    }

    @Test func `the account of a user whose id ends as a stripe is no other user's`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = CreditPurchase.sample(1, by: "ann/3", bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample("spend-1", by: "ann/3", coins: 70))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            #expect(try await ledger.journal.postings(of: "debt:ann/3", limit: 5)?.balance == 70)
            #expect(try await ledger.journal.postings(of: "debt:ann", limit: 5) == nil)
        }
    }

    @Test func `a closing is carried out by a second person, once, and only while it waits`() async throws {
        try await TestLedger.with { ledger, _ in
            let ann = try #require(Person(subject: "ann", name: "Ann", role: .finance))
            let ben = try #require(Person(subject: "ben", name: "Ben", role: .finance))
            func draft(_ key: String, _ day: Double) -> ClosingDraft {
                ClosingDraft(
                    key: key, until: Date(timeIntervalSince1970: day * 86_400), openItems: 3, reason: "month",
                    proposer: ann)
            }
            guard case .proposed(let id) = try await ledger.periods.propose(draft("a", 20_000)) else {
                Issue.record("not proposed")
                return
            }
            #expect(try await ledger.periods.propose(draft("a", 20_000)) == .proposed(id))
            #expect(try await ledger.periods.propose(draft("b", 20_001)) == .alreadyOpen)
            let proposal = try #require(try await ledger.periods.waitingProposal())
            #expect(proposal.id == id && proposal.openItems == 3 && proposal.proposedName == "Ann")
            #expect(try await ledger.periods.close(proposal, by: ann, as: "ann") == .notWaiting)
            #expect(try await ledger.periods.list(limit: 5).elements.isEmpty)
            guard case .closing(.closed(let period)) = try await ledger.periods.close(proposal, by: ben, as: "ben")
            else {
                Issue.record("not closed")
                return
            }
            #expect(period.until == proposal.until && period.closedBy == "ben")
            #expect(try await ledger.periods.close(proposal, by: ben, as: "ben") == .notWaiting)
            #expect(try await ledger.periods.findProposal(id)?.status == .closed)
            #expect(try await !ledger.periods.withdrawProposal(id, by: ann))

            guard case .proposed(let second) = try await ledger.periods.propose(draft("c", 20_002)) else {
                Issue.record("not proposed")
                return
            }
            #expect(try await ledger.periods.withdrawProposal(second, by: ann))
            #expect(try await ledger.periods.waitingProposal() == nil)
            // What the API closed meanwhile closes nothing, and the proposal waits on.
            _ = try await ledger.periods.propose(draft("d", 20_003))
            _ = try await ledger.periods.close(until: Date(timeIntervalSince1970: 20_004 * 86_400), by: "api")
            let behind = try #require(try await ledger.periods.waitingProposal())
            guard case .closing(.behind) = try await ledger.periods.close(behind, by: ben, as: "ben") else {
                Issue.record("not behind")
                return
            }
            #expect(try await ledger.periods.waitingProposal()?.id == behind.id)
        }
    }
}

extension Ledger {
    /// Adds the sums of days up until no entry is missing.
    ///
    /// ``AccountDays/Progress/complete`` does not say that: a transaction that runs in any database of the server, as another
    /// test's, holds newer entries up for a moment.
    func addUpDays(in zone: TimeZone) async throws {
        let day = CivilDate(daysSince1970: 0)
        try await eventually("all entries are in the sums of days") {
            guard try await accountDays.addUp(in: zone) == .complete else { return false }
            return try await !accountDays.sums(from: day, to: day, in: zone, missing: .distantFuture).isBehind
        }
    }
}
