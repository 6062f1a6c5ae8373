import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Users whose coins lie in more lots than one act may change.
@Suite(.timeLimit(.minutes(20))) struct ManyLotsTests {
    /// Lends a ledger whose acts change at most three lots, and one without such a limit, which older versions were.
    private static func withLedgers(_ body: (Ledger, Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { older, test in
            var limits = LotLimits()
            limits.act = 3
            let ledger = try await test.open(lotLimits: limits)
            try await body(ledger, older, test)
            await ledger.close()
            try await Audit.expectSound(test)
        }
    }

    /// Grants single coins.
    private static func grant(_ coins: Int, to user: String = "ann", on ledger: Ledger) async throws {
        for number in 0..<coins {
            _ = try await ledger.submit(Grant.sample("\(user)-grant-\(number)", to: user, coins: 1))
        }
    }

    /// With 7 lots all are read at once; of 20, only the first ones, and then as many as an act may change.
    @Test(arguments: [7, 20])
    func `coins of too many lots are refused before, and move in parts`(lots: Int) async throws {
        try await Self.withLedgers { ledger, _, test in
            try await Self.grant(lots, on: ledger)
            let all = Int64(lots)
            let entries = try await test.number("SELECT count(*) FROM journal_entry")
            let tooMany = Refusal.tooManyLots(required: all, available: 3, limit: 3)
            #expect(try await ledger.submit(Spend.sample("s", coins: all)).refusal == tooMany)
            #expect(try await ledger.submit(PlaceHold.sample("h", coins: all)).refusal == tooMany)
            #expect(
                try await ledger.submit(Spend.sample("more", coins: all + 1)).refusal
                    == .insufficientCoins(required: all + 1, available: all))
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == entries)
            // Nothing was recorded under the key.
            #expect(try await ledger.submit(Spend.sample("s", coins: 3)).spent?.lots.count == 3)
            #expect(try await ledger.submit(PlaceHold.sample("h", coins: 3)).placed?.lots.count == 3)
            #expect(try await ledger.submit(Spend.sample("rest", coins: 1)).spent?.balance.available == all - 7)
        }
    }

    @Test func `two spends of one batch each get as many lots as an act may change`() async throws {
        try await TestLedger.withDatabase { test in
            var limits = LotLimits()
            limits.act = 10
            let writer = try await test.writer(lotLimits: limits)
            _ = await writer.post((0..<25).map { Grant.sample("grant-\($0)", coins: 1) })
            let answers = await writer.post([
                Spend.sample("a", coins: 10), Spend.sample("b", coins: 10), Spend.sample("c", coins: 11),
                Spend.sample("d", coins: 5),
            ])
            #expect(answers.map { $0.answer?.spent?.lots.count } == [10, 10, nil, 5])
            #expect(answers[2].answer?.refusal == .insufficientCoins(required: 11, available: 5))
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a spend of many lots is reversed in parts`() async throws {
        try await Self.withLedgers { ledger, older, _ in
            try await Self.grant(7, on: older)
            let redeemed = try await older.submit(Spend.sample(coins: 7)).redeemed
            #expect(
                try await ledger.submit(ReverseRedemption.sample(of: redeemed)).refusal
                    == .tooManyLots(required: 7, available: 3, limit: 3))
            #expect(try await ledger.submit(ReverseRedemption.sample(of: redeemed, coins: 3)).reversed?.left == 4)
            #expect(try await ledger.submit(ReverseRedemption.sample("r2", of: redeemed, coins: 3)).reversed?.left == 1)
            #expect(try await ledger.submit(ReverseRedemption.sample("r3", of: redeemed)).reversed?.left == 0)
            #expect(try await ledger.balances.find(of: .named("ann")).available == 7)
        }
    }

    @Test func `a hold of many lots is captured in parts, and its rest goes back at once`() async throws {
        try await Self.withLedgers { ledger, older, _ in
            try await Self.grant(9, on: older)
            let hold = try #require(try await older.submit(PlaceHold.sample(coins: 9)).placed?.hold)
            #expect(
                try await ledger.submit(CaptureHold.sample(of: hold.id)).refusal
                    == .tooManyLots(required: 9, available: 3, limit: 3))
            let captured = try await ledger.submit(CaptureHold.sample(of: hold.id, coins: 3)).captured
            #expect(captured?.lots.count == 3 && captured?.hold.remaining == 6)
            // Nothing else gives its coins back, so this is no act to refuse.
            #expect(try await ledger.submit(VoidHold.sample(of: hold.id)).voided?.coins == 6)
        }
    }

    @Test func `coins of many lots pay a debt one part after the other`() async throws {
        try await Self.withLedgers { ledger, older, _ in
            let purchase = try await older.buy(.sample(bonus: 0))
            _ = try await older.submit(Spend.sample(coins: 100))
            try await Self.grant(7, on: older)
            let hold = try #require(try await older.submit(PlaceHold.sample(coins: 7)).placed?.hold)
            _ = try await older.submit(ClawBack.sample(of: purchase, 1000))
            #expect(try await ledger.submit(VoidHold.sample(of: hold.id)).voided?.balance.debt == 97)
            #expect(try await ledger.debts.listPayable(limit: 10) == [purchase.user])
            for (coins, debt) in [(3, 94), (1, 93), (0, 93)] as [(Int64, Int64)] {
                let paid = try #require(try await ledger.submit(PayDebt(user: purchase.user)).paidDebt)
                #expect(paid.coins == coins && paid.balance.debt == debt)
            }
            #expect(try await ledger.debts.listPayable(limit: 10).isEmpty)
        }
    }

    @Test func `refunds, disputes and claw-backs read their purchase's lots and eight others`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.grant(40, on: ledger)
            let purchases = [try await ledger.buy(.sample(1)), try await ledger.buy(.sample(2))]
            let begun = try #require(try await ledger.submit(BeginRefund.sample(of: purchases[0].id)).begun)
            let store = try await test.batchStore(LotLimits())
            let acts: [any Act] = [
                BeginRefund.sample("second", of: purchases[1].id), CompleteRefund.sample(begun),
                ReleaseRefund.sample(begun), ClawBack.sample(of: purchases[1], 100),
                RecordDispute.sample(of: purchases[1]),
            ]
            for act in acts {
                let plan = try await store.plan([act], ids: RecordIDs())
                try await store.rollBack()
                let answer = try #require(plan.answers.first).get()
                #expect(answer.refusal == nil, "\(act)")
                // Two of the purchase, and eight of the user's others.
                #expect(plan.lots.read <= 10, "\(act) read \(plan.lots.read)")
            }
            await store.connection.close()
        }
    }

    @Test func `a claw-back whose debt takes many lots pays it with as many as an act may change`() async throws {
        try await Self.withLedgers { ledger, older, _ in
            let purchase = try await older.buy(.sample(bonus: 0))
            _ = try await older.submit(Spend.sample(coins: 100))
            try await Self.grant(20, on: older)
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            let balance = try await ledger.balances.find(of: purchase.user)
            #expect(balance.debt == 97 && balance.bonus == 17)
            _ = try await older.submit(PayDebt(user: purchase.user))
            #expect(try await ledger.balances.find(of: purchase.user).debt == 80)
        }
    }

    @Test func `spends of too many lots are not taken back together, and the refusal is known before`() async throws {
        try await Self.withLedgers { ledger, older, test in
            let purchase = try await older.buy(.sample(coins: 4, bonus: 0, won: 40))
            var spent: [Redemption] = []
            for number in 0..<2 {
                // Two granted coins, and two of the purchase.
                for coin in 0..<2 { _ = try await older.submit(Grant.sample("grant-\(number)-\(coin)", coins: 1)) }
                spent.append(try #require(try await older.submit(Spend.sample("s-\(number)", coins: 4)).redeemed))
            }
            let refusal = try #require(ledger.redemptions.refusal(ofTakingBack: spent))
            #expect(refusal == .tooManyLots(required: 8, available: 4, limit: 3))
            #expect(ledger.redemptions.refusal(ofTakingBack: [spent[0]]) == nil)
            #expect(older.redemptions.refusal(ofTakingBack: spent) == nil)
            let entries = try await test.number("SELECT count(*) FROM journal_entry")
            let act = TakeBackAndRefund.sample(of: spent, and: purchase)
            #expect(try await ledger.submit(act).refusal == refusal)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == entries)
            #expect(try await ledger.redemptions.list(ofPurchase: purchase).map(\.ofPurchase) == [2, 2])
            #expect(try await older.submit(act).refusal == nil)
            #expect(try await ledger.balances.find(of: purchase.user).bonus == 4)
        }
    }

    @Test func `a capture for an agent is reversed with what it supplied of each lot`() async throws {
        try await TestLedger.with(vat: .on) { ledger, test in
            try await ledger.setTerms("zoe", 7777)
            for number in 1...3 {
                _ = try await ledger.credit(.sample(number, coins: 3, bonus: 0, won: 1000 + Int64(number)))
            }
            let captured = try await ledger.capture("a", 9, for: "zoe")
            for (number, coins) in [(1, 4), (2, 3), (3, 2)] as [(Int, Int64)] {
                _ = try await ledger.submit(ReverseRedemption.sample("r\(number)", of: captured, coins: coins))
            }
            #expect(try await test.number("SELECT count(*) FROM lot WHERE taxed <> 0") == 0)
            try await Audit.expectSound(test)
        }
    }
}

/// Batches that change more lots than one may, or that the database takes too long for.
@Suite(.timeLimit(.minutes(20))) struct DividedBatchTests {
    @Test func `a batch that changes too many lots is done in parts, and nobody notices`() async throws {
        try await TestLedger.withDatabase { test in
            var limits = LotLimits()
            limits.batch = 4
            let writer = try await test.writer(lotLimits: limits)
            _ = await writer.post(
                (0..<24).map { Grant.sample("grant-\($0)", to: "user-\($0 % 8)", coins: 1) })
            let answers = await writer.post((0..<8).map { Spend.sample("spend-\($0)", by: "user-\($0)", coins: 3) })
            #expect(answers.map { $0.answer?.spent?.coins } == Array(repeating: 3, count: 8))
            #expect(answers.map { $0.answer?.spent?.balance.user.rawValue } == (0..<8).map { "user-\($0)" })
            await writer.close()
            let largest = """
                SELECT max(lots) FROM (
                    SELECT count(*) AS lots FROM lot_movement JOIN journal_entry AS entry ON entry.id = journal_entry_id
                    GROUP BY entry.transaction_id
                ) AS batch
                """
            #expect(try await test.number(largest) == 3)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a batch reads no more lots than it may change, and is divided when they do not suffice`() async throws {
        try await TestLedger.withDatabase { test in
            var limits = LotLimits()
            limits.act = 12
            limits.batch = 20
            let writer = try await test.writer(lotLimits: limits)
            _ = await writer.post((0..<60).map { Grant.sample("ann-\($0)", coins: 1) })
            _ = await writer.post((0..<5).map { Grant.sample("bob-\($0)", to: "bob", coins: 1) })
            let acts: [any Act] =
                (0..<3).map { Spend.sample("ann-spend-\($0)", coins: 12) } + [
                    Spend.sample("bob-spend", by: "bob", coins: 5)
                ]
            let store = try await test.batchStore(limits)
            let plan = try await store.plan(acts, ids: RecordIDs())
            try await store.rollBack()
            await store.connection.close()
            // Eight for each of ann's acts, and bob's. Her third act needs more.
            #expect(plan.lots.read == 29 && plan.isTooLarge)
            #expect(plan.lotsChanged == [12, 12, 12, 5])
            #expect(await writer.post(acts).map { $0.answer?.spent?.coins } == [12, 12, 12, 5])
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `an act that takes too long fails alone, after its neighbours are done`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute(
                """
                CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'the time limit' USING ERRCODE = 'query_canceled'; END $$;
                CREATE TRIGGER dawdle BEFORE INSERT ON idempotency FOR EACH ROW WHEN (NEW.key = 'slow')
                    EXECUTE FUNCTION dawdle()
                """)
            let writer = try await test.writer()
            _ = await writer.post((0..<16).map { Grant.sample("grant-\($0)", to: "user-\($0 % 8)") })
            // It changes two lots, and the others one.
            let answers = await writer.post(
                (0..<8).map { number in
                    number == 2
                        ? Spend.sample("slow", by: "user-2", coins: 10)
                        : Spend.sample("spend-\(number)", by: "user-\(number)", coins: 5)
                })
            #expect(answers.count { $0.answer?.spent?.coins == 5 } == 7)
            #expect(answers[2].failure?.code == .unavailable)
            #expect(await writer.post([Spend.sample("after", by: "user-2", coins: 10)]).first?.answer?.spent != nil)
            await writer.close()
            try await Audit.expectSound(test)
        }
    }
}

extension TestLedger {
    /// What a writer plans with, on a connection of its own.
    fileprivate func batchStore(_ limits: LotLimits) async throws -> BatchStore {
        let owner = try await connectAsOwner()
        let chart = try await SystemChart.load(from: owner)
        await owner.close()
        return BatchStore(
            connection: try await connectAsWriter(), chart: chart, leaseHolder: nil, lotOrdering: .standard,
            vatSettings: .off, coinDays: .exact, lotLimits: limits)
    }
}
