import LedgerTestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct RefundTests {
    @Test func `a refund sets the purchase's own coins aside and reverses the purchase when the gateway is done`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.credit(.sample(2))
            let refund = try await ledger.begin(.sample(of: purchase.id))
            #expect(refund.coins == 100 && refund.bonusCoins == 10 && refund.value == 1000 && refund.fee == 0)
            #expect(refund.status == .pending && refund.believedBalance == 1000)
            #expect(try await ledger.balances.find(of: .named("ann")).held == 110)
            try await Audit.expectSound(test)

            let decided = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(decided.refund.status == .completed && decided.purchase.status == .refunded)
            #expect(decided.purchase.refundedAmount == 1000 && decided.purchase.refundedCoins == 100)
            #expect(decided.purchase.refundedBonusCoins == 10)
            #expect(decided.balance.held == 0 && decided.balance.total == 110)
            let entryID = try #require(decided.refund.reversalEntryID)
            let record = try #require(try await ledger.journal.find(entryID))
            let stripe = Stripe(of: .named("ann"), among: 4).number
            #expect(
                record.lines.map { "\($0.side) \($0.account) \($0.amount)" } == [
                    "debit held:ann:bonus 10", "debit held:ann:paid 100", "credit coins:issued/\(stripe) 100",
                    "credit coins:promotions/\(stripe) 10", "debit coins:deferred-revenue/\(stripe) 1000",
                    "credit gateway:receivable/\(stripe) 1000",
                ])
            #expect(try await ledger.refunds.find(refund.id) == decided.refund)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund that the gateway refused gives the coins back`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40))
            let released = try #require(try await ledger.submit(ReleaseRefund.sample(refund)).decided)
            #expect(released.refund.status == .refused && released.refund.refusal?.gatewayCode == "-1")
            #expect(released.balance.held == 0 && released.balance.available == 110)
            #expect(released.purchase == purchase)
            #expect(try await ledger.submit(Spend.sample(coins: 110)).spent != nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund that was refused and carried out all the same is completed, once, out of the wallet`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40, feePercent: 10))
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            let carriedOut = CompleteRefund(
                user: refund.user, refundID: refund.id, cancellationID: "c", cancelledInAll: refund.amount)
            // Who has not seen it at the gateway completes nothing that was refused.
            let unseen = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
            #expect(unseen.refund.status == .refused)
            let decided = try #require(try await ledger.submit(carriedOut).decided)
            #expect(decided.refund.status == .completed && decided.refund.refusal == nil)
            #expect(decided.refund.fee == 40 && decided.purchase.refundedAmount == 360)
            #expect(decided.balance.paid == 60 && decided.balance.held == 0 && decided.balance.debt == 0)
            #expect(try await ledger.submit(carriedOut).isRepeat)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 360)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refused refund that was carried out stays refused if the books account for it or its coins are gone`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let clawedBack = try await ledger.buy(.sample(1))
            let first = try await ledger.begin(.sample("first", of: clawedBack.id, coins: 40))
            _ = try await ledger.submit(ReleaseRefund.sample(first))
            _ = try await ledger.submit(
                ClawBack(user: first.user, payment: clawedBack.payment, cancelledAmount: 400))
            let spent = try await ledger.buy(.sample(2, by: "bob"))
            let second = try await ledger.begin(.sample("second", of: spent.id, by: "bob", coins: 40))
            _ = try await ledger.submit(ReleaseRefund.sample(second))
            _ = try await ledger.submit(Spend.sample(by: "bob", coins: 80))
            for refund in [first, second] {
                let answer = try await ledger.submit(
                    CompleteRefund(user: refund.user, refundID: refund.id, cancelledInAll: 400))
                #expect(answer.isRepeat && answer.decided?.refund.status == .refused)
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was decided stays decided, whoever comes later with whatever`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let first = try await ledger.begin(.sample(of: purchase.id, coins: 40))
            let completed = try await ledger.submit(CompleteRefund.sample(first))
            for act in [CompleteRefund.sample(first), ReleaseRefund.sample(first)] as [any Act] {
                let again = try await ledger.answer(to: act)
                #expect(again.isRepeat && again.decided == completed.decided)
            }
            let second = try await ledger.begin(.sample("refund-2", of: purchase.id, coins: 60))
            let released = try await ledger.submit(ReleaseRefund.sample(second))
            for act in [CompleteRefund.sample(second), ReleaseRefund.sample(second)] as [any Act] {
                let again = try await ledger.answer(to: act)
                #expect(again.isRepeat && again.decided == released.decided)
            }
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind LIKE 'refund%'") == 4)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same key is answered with the refund it began, and one is pending at a time`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40))
            let again = try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 40, feePercent: 10))
            #expect(again.isRepeat && again.begun == refund, "what is kept is no part of what was asked for")
            #expect(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, coins: 41)).refusal
                    == .idempotencyKeyReused)
            let other = BeginRefund.sample("refund-2", of: purchase.id, coins: 40)
            #expect(try await ledger.submit(other).refusal == .refundInProgress)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let later = try await ledger.submit(other)
            #expect(later.begun != nil && !later.isRepeat, "a refusal for now was recorded under its key")
            try await Audit.expectSound(test)
        }
    }

    @Test func `what can't be given back is refused, and nothing moves`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 40))  // 10 bonus, 30 paid
            func refusal(_ refund: BeginRefund) async throws -> Refusal? {
                try await ledger.submit(refund).refusal
            }
            let entries = try await test.number("SELECT count(*) FROM journal_entry")
            #expect(
                try await refusal(.sample("too-much", of: purchase.id, coins: 71))
                    == .exceedsRefundable(required: 71, available: 70))
            #expect(try await refusal(.sample("eve's", of: purchase.id, by: "eve")) == .noSuchPurchase)
            #expect(try await refusal(.sample("none", of: 77)) == .noSuchPurchase)
            #expect(
                try await ledger.submit(
                    CompleteRefund(user: .named("ann"), refundID: 77)
                ).refusal == .noSuchRefund)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == entries)
            _ = try await ledger.submit(Spend.sample("rest", coins: 70))
            #expect(try await refusal(.sample("nothing", of: purchase.id)) == .nothingToRefund)
            #expect(
                try await refusal(.sample("too-much", of: purchase.id, coins: 71))
                    == .exceedsRefundable(required: 71, available: 70), "a definite refusal is recorded")
            try await Audit.expectSound(test)
        }
    }

    @Test func `a user in debt is given no money back`() async throws {
        try await TestLedger.with { ledger, test in
            let cancelled = try await ledger.buy(.sample(bonus: 0))
            let kept = try await ledger.buy(.sample(2, bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 20))  // of the older one
            _ = try await ledger.submit(PlaceHold.sample(coins: 180))
            _ = try await ledger.submit(ClawBack.sample(of: cancelled, 1000))
            #expect(try await ledger.submit(BeginRefund.sample(of: kept.id)).refusal == .userInDebt(100))
            let quote = try await ledger.refunds.quote(for: nil, of: kept, policy: .free)
            #expect(quote.refusal == .userInDebt(100) && quote.unusedCoins == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `expired coins are not given back, and those set aside don't expire`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 60))
            try await test.execute("UPDATE lot SET expires_at = now() - interval '1 second'")
            try await ledger.expireLots()
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.available == 0 && balance.held == 66)
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            #expect(
                try await ledger.submit(BeginRefund.sample("late", of: purchase.id)).refusal == .nothingToRefund)
            try await ledger.expireLots()
            #expect(try await ledger.balances.find(of: purchase.user).total == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `where the money goes is kept while it is needed, and is shown to nobody`() async throws {
        try await TestLedger.with { ledger, test in
            let account = BankAccount(bank: "SHINHAN", number: "110-123-456789", holder: "홍길동", phone: "010-1234-5678")
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id, account: account))
            #expect("\(account)" == "****" && String(reflecting: account) == "****")
            try await test.execute("UPDATE refund SET next_attempt_at = now()")
            let due = try #require(try await ledger.refunds.takeDue(limit: 5, lease: .seconds(60)).first)
            #expect(due.refund == refund && due.account == account && due.attempts == 1 && !due.isAccepted)
            #expect(try await ledger.refunds.takeDue(limit: 5, lease: .seconds(60)).isEmpty)
            try await ledger.refunds.postpone(due, because: PendingRefund.accepted, by: .seconds(60))
            #expect(try await ledger.refunds.expedite(ofPurchase: purchase.id))
            #expect(try await ledger.refunds.takeDue(limit: 5, lease: .seconds(60)).first?.isAccepted == true)
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            #expect(try await test.number("SELECT count(*) FROM refund WHERE refund_account IS NOT NULL") == 0)
            let kept = try await test.number(
                "SELECT count(*) FROM idempotency WHERE outcome::text LIKE '%110-123%' OR outcome::text LIKE '%홍길동%'")
            #expect(kept == 0)
            #expect(try await ledger.refunds.waiting() == 0)
            #expect(try await !ledger.refunds.expedite(ofPurchase: purchase.id))
        }
    }
}

extension Ledger {
    /// Credits a purchase that must be credited.
    func buy(_ purchase: CreditPurchase) async throws -> Purchase {
        try #require(try await credit(purchase).credited).purchase
    }

    /// Begins a refund that must begin.
    func begin(_ refund: BeginRefund) async throws -> Refund {
        let answer = try await submit(refund)
        return try #require(answer.begun, "\(answer)")
    }
}
