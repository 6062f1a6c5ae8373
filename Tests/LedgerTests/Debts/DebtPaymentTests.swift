import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Whatever makes coins usable pays what their user owes, at once: nobody has debt and usable coins.
@Suite(.timeLimit(.minutes(20))) struct DebtPaymentTests {
    @Test func `coins that were held while their payment was cancelled pay for it when they come back`() async throws {
        try await Self.owing(100, held: 100) { calendar, hold in
            try #require(try await calendar.ledger.submit(VoidHold.sample(of: hold.id)).voided).balance
        }
    }

    @Test func `so they do when the hold's time is up`() async throws {
        try await Self.owing(100, held: 100, timeout: 1) { calendar, hold in
            try await calendar.clock.set(to: hold.expiresAt + 1)
            return try #require(
                try await calendar.ledger.submit(ExpireHold(user: hold.user, holdID: hold.id)).voided
            ).balance
        }
    }

    @Test func `so does what the last capture of a hold leaves`() async throws {
        try await Self.owing(60, held: 100, earned: 400) { calendar, hold in
            let capture = CaptureHold.sample(of: hold.id, coins: 40, isFinal: true)
            return try #require(try await calendar.ledger.submit(capture).captured).balance
        }
    }

    /// 100 coins for ₩1,000 are held when their payment is cancelled: nothing was used, and nothing is earned but for
    /// what is captured.
    private static func owing(
        _ left: Int64, held: Int64, timeout: Int64 = 3600, earned: Int64 = 0,
        _ release: (Calendar, Hold) async throws -> Balance
    ) async throws {
        try await Calendar.with { calendar in
            let (ledger, test) = (calendar.ledger, calendar.test)
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let placed = try await ledger.submit(PlaceHold.sample(coins: held, timeout: timeout)).placed
            let clawedBack = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(clawedBack.balance.debt == 100 && clawedBack.balance.held == 100)
            let balance = try await release(calendar, try #require(placed).hold)
            #expect(balance.debt == 100 - left && balance.total == 0)
            // What was captured recognised its won, the debt's payment the others', and the cancellation took back all.
            #expect(try await test.revenue == left * 10 + earned - 1000)
            #expect(try await test.total("coins:deferred-revenue") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the coins of another purchase pay as soon as a claw-back makes the debt`() async throws {
        try await TestLedger.with { ledger, test in
            let spent = try await ledger.buy(.sample(1, bonus: 0))
            _ = try await ledger.buy(.sample(2, bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            let clawedBack = try #require(try await ledger.clawBack(spent, 1000).clawedBack)
            #expect(clawedBack.balance.debt == 0 && clawedBack.balance.total == 0)
            // ₩1,000 were paid, and 100 coins were used.
            #expect(try await test.revenue == 1000)
            #expect(try await test.total("coins:deferred-revenue") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins pay in the configured order`() async throws {
        try await TestLedger.with { ledger, test in
            let spent = try await ledger.buy(.sample(1, bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            let soon = Date().addingTimeInterval(3600)
            _ = try await ledger.buy(.sample(2, coins: 80, bonus: 30))
            _ = try await ledger.submit(Grant.sample(coins: 50, expiresAt: soon))
            let clawedBack = try #require(try await ledger.clawBack(spent, 1000).clawedBack)
            #expect(
                clawedBack.balance.paid == 60 && clawedBack.balance.bonus == 0, "50 that expire, 30 given, 20 bought")
            try await Audit.expectSound(test)
        }
    }

    @Test func `the coins of a refund that the gateway refused pay a debt of meanwhile`() async throws {
        try await TestLedger.with { ledger, test in
            let spent = try await ledger.buy(.sample(1, bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 100))
            let kept = try await ledger.buy(.sample(2, bonus: 0))
            let refund = try await ledger.begin(.sample(of: kept.id))
            #expect(try await ledger.clawBack(spent, 300).clawedBack?.balance.debt == 30)
            let released = try #require(try await ledger.submit(ReleaseRefund.sample(refund)).decided)
            #expect(released.balance.debt == 0 && released.balance.paid == 70)
            try await Audit.expectSound(test)
        }
    }

    @Test func `held coins pay what is owed for them also when their time is up before they come back`() async throws {
        let end = Date(timeIntervalSince1970: 1_767_312_000)
        try await TestLedger.with(at: end - 3600) { ledger, test, clock in
            let purchase = try await ledger.buy(.sample(bonus: 0, expiresAt: end))
            let hold = try #require(
                try await ledger.submit(PlaceHold.sample(coins: 70, timeout: 86_400)).placed
            ).hold
            #expect(try await ledger.clawBack(purchase, 1000).clawedBack?.balance.debt == 70)
            try await clock.set(to: end + 60)
            let voided = try #require(try await ledger.submit(VoidHold.sample(of: hold.id)).voided)
            #expect(voided.balance.debt == 0 && voided.balance.total == 0)
            #expect(try await test.revenue == 0)
            #expect(try await test.total("revenue:breakage") == 0)
            try await Audit.expectSound(test)
        }
    }

    /// No act leaves a user so any more: books from before it may.
    @Test func `who owes and has coins spends, holds and is given back none, until the debt is paid`() throws {
        var books = PlannedBooks()
        let user = UserID.named("ann")
        let credit = CreditPurchase.sample(bonus: 0)
        let plan = Plan([credit], on: books.snapshot(for: [credit], now: Date()))
        try books.apply(plan)
        let purchase = try #require(plan.purchases.new.first)
        func answers(_ commands: [any Act]) throws -> [any AnyAnswer] {
            var snapshot = books.snapshot(for: commands + [PayDebt(user: user)], now: Date())
            let code = AccountCode.user(.debt, of: user)
            let stripe = Stripe(of: user, among: PlannedBooks.stripes)
            var debt = Account(
                id: 1, stripe: stripe, code: code, owner: user, currency: .coin, normalSide: .debit)
            debt.debits = 30
            snapshot.accounts.append(debt)
            snapshot.lots = books.lots
            return try Plan(commands, on: snapshot).answers.map { try $0.get() }
        }
        let refused = try answers([
            Spend.sample(coins: 1), PlaceHold.sample(coins: 1), BeginRefund.sample(of: purchase.id),
        ])
        let nothing = Refusal.insufficientCoins(required: 1, available: 0)
        #expect(refused.map(\.refusal) == [nothing, nothing, .userInDebt(30)])
        let paid = try answers([PayDebt(user: user), Spend.sample(coins: 70)])
        #expect(paid.map(\.isRepeat) == [false, false] && paid.last?.spent?.balance.total == 0)
        let payment = try #require(paid.first?.paidDebt)
        #expect(payment.coins == 30 && payment.balance.debt == 0 && payment.balance.paid == 70)
    }

    /// A debt beside coins is planted, as books from before had it.
    @Test func `a debt of old books is found and paid`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            _ = try await ledger.clawBack(purchase, 600)
            #expect(try await ledger.debts.listPayable(limit: 10).isEmpty)
            try await test.oldVoid(of: hold)
            #expect(try await ledger.debts.listPayable(limit: 10) == [purchase.user])
            #expect(try await !ledger.submit(PayDebt(user: purchase.user)).isRepeat)
            #expect(try await ledger.submit(PayDebt(user: purchase.user)).isRepeat)
            #expect(try await ledger.debts.listPayable(limit: 10).isEmpty)
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.debt == 0 && balance.paid == 40)
        }
    }
}

extension TestLedger {
    /// All stripes' balance of a system account.
    func total(_ account: String) async throws -> Int64 {
        try await number("SELECT sum(balance)::int8 FROM account WHERE code LIKE '\(account)/%'")
    }

    var revenue: Int64 { get async throws { try await total("revenue:coins") } }

    /// The coins of a hold come back without paying a debt, as a void did before debts were paid at once.
    fileprivate func oldVoid(of hold: Hold) async throws {
        let user = hold.user.rawValue
        try await execute(
            """
            SET session_replication_role = replica;
            WITH entry AS (
                INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                SELECT nextval('record_id'), stripe, 'void', 'hold:' || id, now(), now()
                FROM hold WHERE id = \(hold.id)
                RETURNING *
            ), side AS (
                SELECT 'held:\(user):paid' AS code, 'D' AS side UNION ALL SELECT 'wallet:\(user):paid', 'C'
            ), changed AS (
                UPDATE account
                SET debits = debits + CASE side WHEN 'D' THEN \(hold.coins) ELSE 0 END,
                    credits = credits + CASE side WHEN 'C' THEN \(hold.coins) ELSE 0 END,
                    seq = seq + 1, posted_at = now()
                FROM side WHERE account.code = side.code
                RETURNING account.*, side.side
            )
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, side, amount, currency, balance)
            SELECT changed.id, changed.seq, entry.id, changed.stripe, changed.side, \(hold.coins), changed.currency,
                changed.balance
            FROM changed, entry;
            UPDATE lot SET held = 0, remaining = \(hold.coins) WHERE user_id = '\(user)';
            """)
    }
}
