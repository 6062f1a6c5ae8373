import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct CreditPurchaseTests {
    @Test func `a purchase with a bonus is written as the accounts say`() async throws {
        try await TestLedger.with { ledger, test in
            let command = CreditPurchase.sample()
            let answer = try await ledger.credit(command)
            let credited = try #require(answer.credited)
            #expect(!answer.isRepeat)
            #expect(credited.balance.paid == 100 && credited.balance.bonus == 10 && credited.balance.available == 110)
            let purchase = credited.purchase
            #expect(purchase.user == command.user && purchase.payment == command.payment)
            #expect(purchase.amount == 1000 && purchase.coins == 100 && purchase.bonusCoins == 10)
            #expect(purchase.status == .credited && purchase.paidAt == command.paidAt)

            let record = try #require(try await ledger.journal.find(purchase.journalEntryID))
            #expect(record.kind == "purchase" && record.reference == "purchase:\(purchase.id)")
            #expect(record.effectiveAt == command.paidAt && record.recordedAt == purchase.creditedAt)
            let stripe = Stripe(of: command.user, among: 4).number
            #expect(
                record.lines.map { "\($0.side) \($0.account) \($0.amount) \($0.currency.code) \($0.balance)" } == [
                    "debit coins:issued/\(stripe) 100 COIN 100", "debit coins:promotions/\(stripe) 10 COIN 10",
                    "credit wallet:ann:bonus 10 COIN 10", "credit wallet:ann:paid 100 COIN 100",
                    "debit gateway:receivable/\(stripe) 1000 KRW 1000",
                    "credit coins:deferred-revenue/\(stripe) 1000 KRW 1000",
                ])
            #expect(
                try await lots(test) == [
                    "paid 100/100 for 1000/1000 KRW of \(purchase.id)", "bonus 10/10 for 0/0 KRW of \(purchase.id)",
                ])
            #expect(try await ledger.purchases.find(of: command.payment) == purchase)
            #expect(try await ledger.balances.find(of: command.user) == credited.balance)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a purchase without a bonus touches no bonus account`() async throws {
        try await TestLedger.with { ledger, test in
            let credited = try #require(try await ledger.credit(.sample(bonus: 0)).credited)
            #expect(credited.balance.paid == 100 && credited.balance.bonus == 0)
            #expect(try await test.number("SELECT count(*) FROM posting") == 4)
            #expect(try await test.number("SELECT count(*) FROM lot") == 1)
            #expect(try await test.number("SELECT count(*) FROM account WHERE owner IS NOT NULL") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same payment again is answered with the same purchase`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try #require(try await ledger.credit(.sample()).credited)
            _ = try await ledger.credit(.sample(2))
            let again = try await ledger.credit(.sample())
            #expect(again.isRepeat && again.credited?.purchase == first.purchase)
            #expect(again.credited?.balance.paid == 200)
            #expect(try await test.number("SELECT count(*) FROM purchase") == 2)
        }
    }

    @Test func `what contradicts a credited payment is refused and moves nothing`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            #expect(try await ledger.credit(.sample(by: "eve")).refusal == .paymentBelongsToAnotherUser)
            #expect(try await ledger.credit(.sample(merchantUID: "order_x")).refusal == .paymentHasAnotherMerchantUID)
            #expect(try await ledger.credit(.sample(paymentID: "imp_x")).refusal == .merchantUIDAlreadyCredited)
            #expect(
                try await ledger.credit(.sample(by: "eve", paymentID: "imp_x")).refusal == .merchantUIDAlreadyCredited)
            #expect(try await ledger.balances.find(of: .named("eve")).total == 0)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `another gateway shows the same payment if order, amount and time are the same`() async throws {
        try await TestLedger.with { ledger, test in
            let first = CreditPurchase.sample()
            let purchase = try #require(try await ledger.credit(first).credited?.purchase)
            for later in [0, 0.4, 1.999, -1.999] {
                let again = try await ledger.credit(first.inOtherAPI(later: later))
                #expect(again.isRepeat && again.credited?.purchase == purchase, "\(later)")
                let eves = try await ledger.credit(first.inOtherAPI(by: "eve", later: later))
                #expect(eves.refusal == .paymentBelongsToAnotherUser)
            }
            let others = [
                first.inOtherAPI(later: 2), first.inOtherAPI(later: -2), first.inOtherAPI(won: 1001),
                first.inOtherAPI(by: "eve", later: 2), first.inOtherAPI(later: 86400 * 365 * 50),
            ]
            for other in others {
                let refusal = try await ledger.credit(other).refusal
                #expect(refusal == .merchantUIDAlreadyCredited, "\(other)")
            }
            #expect(try await ledger.credit(first.inOtherAPI(order: "order_2")).name == "credited")
            #expect(try await test.number("SELECT count(*) FROM purchase") == 2)
            try await Audit.expectSound(test)
        }
    }

    /// Most payments are credited within a second or two, so that the time of the credit tells no two of them apart.
    @Test func `a later payment of the order is another one, however soon the first was credited`() async throws {
        try await TestLedger.with { ledger, test in
            let justNow = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 1).rounded(.down))
            let first = CreditPurchase.sample(paidAt: justNow)
            let purchase = try #require(try await ledger.credit(first).credited?.purchase)
            #expect(try await ledger.credit(first.inOtherAPI()).isRepeat)
            for later in [300, 601, 86_400, 86_400 * 365] as [TimeInterval] {
                let second = first.inOtherAPI(later: later)
                #expect(try await ledger.credit(second).refusal == .merchantUIDAlreadyCredited, "\(later)")
                let sighting = PaymentSighting(
                    of: second.payment, amount: 1000, currency: "KRW", paidAt: second.paidAt)
                #expect(!purchase.isOf(sighting))
                #expect(try await ledger.purchases.find(of: sighting) == nil)
                let known = try await ledger.reconciliations.purchases(sharing: [second.payment])
                let side = Comparison.GatewaySide(
                    status: "PAID", amount: 1000, cancelledAmount: 0, currency: "KRW", paidAt: second.paidAt)
                #expect(known.known(second.payment, side) == nil)
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payment whose time was replaced, or is unknown, is not recognised under another name`() async throws {
        try await TestLedger.with { ledger, test in
            let ahead = CreditPurchase.sample().inOtherAPI(later: 86400 * 365 * 50)
            let purchase = try #require(try await ledger.credit(ahead).credited?.purchase)
            #expect(purchase.paidAt == purchase.creditedAt)
            for other in [ahead.inOtherAPI(), .sample(paidAt: purchase.creditedAt, isTimeTold: false)] {
                #expect(try await ledger.credit(other).refusal == .merchantUIDAlreadyCredited)
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `one payment under two names at once, at two instances, is one purchase`() async throws {
        try await TestLedger.with(writers: 2) { one, test in
            let two = try await test.open(writers: 2)
            for order in 1...Effort.count(4, upTo: 40) {
                let payment = CreditPurchase.sample(order)
                let outcomes = try await together(16) { number in
                    try await (number < 8 ? one : two)
                        .credit(number.isMultiple(of: 2) ? payment : payment.inOtherAPI(later: 0.4))
                }
                #expect(outcomes.count { $0.credited != nil && !$0.isRepeat } == 1)
                #expect(Set(outcomes.map(\.credited?.purchase.id)).count == 1)
            }
            await two.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a cancellation that both APIs show is booked once`() async throws {
        try await TestLedger.with { ledger, test in
            let first = CreditPurchase.sample()
            _ = try await ledger.credit(first)
            for (cancelled, isRepeat) in [(300, false), (1000, false), (1000, true)] as [(Int64, Bool)] {
                for act in [first, first.inOtherAPI(later: 0.4)] {
                    let sighting = PaymentSighting(
                        of: act.payment, amount: 1000, currency: "KRW", paidAt: act.paidAt)
                    let purchase = try #require(try await ledger.purchases.find(of: sighting))
                    #expect(purchase.payment == first.payment)
                    let answer = try await ledger.submit(ClawBack.sample(of: purchase, cancelled))
                    #expect(answer.isRepeat == (isRepeat || act.payment != first.payment))
                }
            }
            #expect(try await test.number("SELECT refunded_amount FROM purchase") == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refused command leaves its neighbours in the batch alone`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([CreditPurchase.sample(1)])
            let results = await writer.post([
                CreditPurchase.sample(2), CreditPurchase.sample(1, by: "eve"),
                CreditPurchase.sample(3, by: "eve"), CreditPurchase.sample(2), Grant.sample(),
                Grant.sample(coins: 6),
            ])
            await writer.close()
            #expect(
                results.map { $0.answer?.name } == [
                    "credited", "paymentBelongsToAnotherUser", "credited", "credited again", "granted",
                    "idempotencyKeyReused",
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `sixty-four identical credits over two instances are one purchase`() async throws {
        try await TestLedger.with { one, test in
            let two = try await test.open()
            let outcomes = try await together(64) { try await ($0.isMultiple(of: 2) ? one : two).credit(.sample()) }
            await two.close()
            let credited = outcomes.compactMap(\.credited)
            #expect(credited.count == 64)
            #expect(Set(credited.map(\.purchase.id)).count == 1)
            #expect(outcomes.filter { $0.credited != nil && !$0.isRepeat }.count == 1)
            #expect(try await test.number("SELECT count(*) FROM purchase") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `one payment claimed by sixty-four users at two instances is credited to one of them`() async throws {
        try await TestLedger.with(writers: 4) { one, test in
            let two = try await test.open(writers: 4)
            let outcomes = try await together(64) {
                try await ($0.isMultiple(of: 2) ? one : two).credit(.sample(by: "user-\($0)"))
            }
            await two.close()
            #expect(outcomes.compactMap(\.credited).count == 1)
            #expect(outcomes.compactMap(\.refusal).allSatisfy { $0 == .paymentBelongsToAnotherUser })
            #expect(try await test.number("SELECT sum(balance)::int8 FROM account WHERE owner IS NOT NULL") == 110)
            try await Audit.expectSound(test)
        }
    }

    @Test func `five hundred purchases and grants at once over two instances leave sound books`() async throws {
        try await TestLedger.with(writers: 3, batchLimit: 16) { one, test in
            let two = try await test.open(writers: 2, batchLimit: 16)
            let outcomes = try await together(500) { index in
                let ledger = index.isMultiple(of: 2) ? one : two
                let buyer = "user-\(index % 60)"  // each user is at both instances
                let act: any Act =
                    index.isMultiple(of: 5)
                    ? Grant.sample("key-\(index)", to: buyer)
                    : CreditPurchase.sample(index, by: buyer, bonus: index.isMultiple(of: 3) ? 0 : 10)
                return try await ledger.answer(to: act)
            }
            await two.close()
            #expect(outcomes.filter { $0.credited != nil && !$0.isRepeat }.count == 400)
            #expect(outcomes.filter { $0.granted != nil && !$0.isRepeat }.count == 100)
            let deadlocks = try await test.number(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            #expect(deadlocks == 0)
            try await Audit.expectSound(test)
        }
    }

    /// A purchase is found by every name, and by nobody else's.
    @Test func `a payment is found under both names`() async throws {
        try await TestLedger.with { ledger, _ in
            let first = CreditPurchase.sample()
            let other = first.inOtherAPI(later: 0.4)
            let purchase = try #require(try await ledger.credit(first).credited?.purchase)
            func find(_ act: CreditPurchase, amount: Int64 = 1000, paidAt: Date?) async throws -> Purchase? {
                try await ledger.purchases.find(
                    of: PaymentSighting(of: act.payment, amount: amount, currency: "KRW", paidAt: paidAt))
            }
            #expect(try await find(first, paidAt: nil) == purchase, "its own name is enough")
            #expect(try await find(other, paidAt: other.paidAt) == purchase)
            #expect(try await find(other, paidAt: nil) == nil)
            #expect(try await find(other, amount: 999, paidAt: other.paidAt) == nil)
            #expect(try await ledger.purchases.find(of: other.payment) == nil)
            #expect(try await ledger.purchases.find(ofOrder: other.payment) == purchase)
        }
    }

    private func lots(_ test: TestLedger) async throws -> [String] {
        let connection = try await test.connectAsOwner()
        let lots = try await connection.run(
            PostgresQuery<[String]>(
                """
                SELECT kind || ' ' || remaining || '/' || coins || ' for ' || deferred || '/' || amount || ' '
                    || currency || ' of ' || purchase_id
                FROM lot ORDER BY id
                """
            ) { row in try row[0] })
        await connection.close()
        return lots
    }
}

extension CreditPurchase {
    /// The payment as the gateway's other API shows it.
    fileprivate func inOtherAPI(
        by user: String? = nil, order: String? = nil, won: Int64? = nil, later: TimeInterval = 0
    ) -> CreditPurchase {
        let order = order ?? payment.merchantUID
        let isInV1 = payment.gateway == "portone-v1"
        return CreditPurchase(
            user: user.map { .named($0) } ?? self.user,
            payment: PaymentIdentity(
                gateway: isInV1 ? "portone-v2" : "portone-v1", paymentID: payment.paymentID, merchantUID: order,
                merchantPaymentID: isInV1 ? order : nil),
            product: product, price: won.map { sure(Price(won: $0)) } ?? price, coins: coins, bonusCoins: bonusCoins,
            paidAt: paidAt + later)
    }
}
