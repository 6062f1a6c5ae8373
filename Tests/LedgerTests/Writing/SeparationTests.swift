import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct SeparationTests {
    /// Another session commits what the batch is about to write, between its load and its store.
    @Test(arguments: [
        (
            "wallet",
            """
            INSERT INTO account (id, stripe, code, owner, currency, normal_side)
            VALUES (900000, 0, 'wallet:bob:paid', 'bob', 'COIN', 'C')
            """, "credited"
        ),
        (
            "payment of another user",
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            VALUES (900001, 0, 'purchase', 'purchase:900002', now(), now());
            INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency,
                coins, bonus_coins, paid_at, credited_at, journal_entry_id)
            VALUES (900002, 0, 'eve', 'credited', 'portone-v1', 'imp_1', 'order_1', 'p', 1000, 'KRW', 100, 10, now(),
                now(), 900001)
            """, "paymentBelongsToAnotherUser"
        ),
    ])
    func `what another transaction wrote first is read by the replay`(
        name: String, sql: String, outcome: String
    ) async throws {
        try await TestLedger.withDatabase { test in
            let stripe = Stripe(of: .named("bob"), among: 4).number
            // As superuser, for the rest of what belongs to the payment is not there to be judged.
            let other = try await test.database.connect()
            let fitting = String(sql.replacing("(900000, 0,", with: "(900000, \(stripe),"))
            try await other.execute("SET session_replication_role = replica; BEGIN; " + fitting)
            let writer = try await test.writer()
            let posting = Task {
                await writer.post([CreditPurchase.sample(1, by: "bob"), CreditPurchase.sample(2)])
            }
            try await test.waitUntilBlocked()
            try await other.execute("COMMIT")
            #expect(await posting.value.map { $0.answer?.name } == [outcome, "credited"])
            await other.close()
            await writer.close()
        }
    }

    @Test func `what another transaction wrote and took back is not in the way`() async throws {
        try await TestLedger.withDatabase { test in
            let other = try await test.connectAsOwner()
            try await other.execute(
                """
                BEGIN;
                INSERT INTO account (id, stripe, code, owner, currency, normal_side)
                VALUES (900000, 0, 'wallet:ann:paid', 'ann', 'COIN', 'C')
                """)
            let writer = try await test.writer()
            let posting = Task { await writer.post([CreditPurchase.sample()]) }
            try await test.waitUntilBlocked()
            try await other.execute("ROLLBACK")
            #expect(await posting.value.map { $0.answer?.name } == ["credited"])
            await other.close()
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a poisoned command fails alone among twenty neighbours`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute(Self.poison)
            let writer = try await test.writer()
            let results = await writer.post(
                (0..<21).map { CreditPurchase.sample($0, by: $0 == 10 ? "poison" : "user-\($0)") })
            #expect(results.filter { $0.answer?.credited != nil && $0.answer?.isRepeat == false }.count == 20)
            #expect(results[10].failure?.code == .fault)
            #expect(await writer.post([CreditPurchase.sample(99)]).first?.answer?.name == "credited")
            await writer.close()
            #expect(try await test.number("SELECT count(*) FROM purchase WHERE user_id = 'poison'") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a command that can't even be looked up fails alone`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            let results = await writer.post([
                CreditPurchase.sample(1), CreditPurchase.sample(2, paymentID: "imp\u{0}2"),
                CreditPurchase.sample(3),
            ])
            #expect(results.map { $0.answer?.name } == ["credited", nil, "credited"])
            #expect(results[1].failure?.code == .fault)
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    /// Before: neighbours were found as repeats; after the unknown commit the poisoned one is still definite.
    @Test func `separation after a lost reply finds what was committed and fails what was not`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute(Self.poison)
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy)
                _ = await writer.post([CreditPurchase.sample(0)])
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let results = await writer.post([
                    CreditPurchase.sample(1), CreditPurchase.sample(2, by: "poison"), CreditPurchase.sample(3),
                ])
                #expect(proxy.firedFaults == 1)
                #expect(results.map { $0.answer?.credited != nil } == [true, false, true])
                #expect(results[1].failure?.code == .fault)
                await writer.close()
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == 3)
        }
    }

    @Test func `an account that stays locked fails only those who need it`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer { $0.lockTimeout = .milliseconds(300) }
            _ = await writer.post((0..<21).map { CreditPurchase.sample($0, by: "user-\($0)") })
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; SELECT FROM account WHERE code = 'wallet:user-10:paid' FOR UPDATE")
            let results = await writer.post((0..<21).map { CreditPurchase.sample(100 + $0, by: "user-\($0)") })
            #expect(results.filter { $0.answer?.credited != nil && $0.answer?.isRepeat == false }.count == 20)
            #expect(results[10].failure?.code == .unavailable)
            await other.close()
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    /// One by one, each would wait for the lock: hours for a large batch, and all who come later wait behind it.
    @Test func `accounts that all commands need and that stay locked hold a batch up for a bounded time`() async throws
    {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer(patience: .seconds(1)) { $0.lockTimeout = .milliseconds(200) }
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; SELECT FROM account FOR UPDATE")
            let results = await writer.post((0..<100).map { CreditPurchase.sample($0, by: "user-\($0)") })
            #expect(results.allSatisfy { $0.failure?.code == .unavailable })
            // Each that is tried waits for 0.2 s, of twice the patience.
            let untried = results.count { $0.failure?.message.hasSuffix("and time ran out") == true }
            #expect(untried >= 85, "\(untried)")
            await other.close()
            await writer.close()
        }
    }

    @Test func `a unique key that stands in the way for good is a fault, not an outage`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute(
                """
                CREATE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'taken' USING ERRCODE = 'unique_violation'; END $$;
                CREATE TRIGGER clash BEFORE INSERT ON purchase FOR EACH ROW EXECUTE FUNCTION clash()
                """)
            let writer = try await test.writer()
            #expect(await writer.post([CreditPurchase.sample()]).first?.failure?.code == .fault)
            await writer.close()
        }
    }

    @Test func `a full queue refuses at once, and a closing one commits what it took`() async throws {
        try await TestLedger.withDatabase { test in
            let ledger = try await test.open(writers: 1)
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; SELECT FROM account FOR UPDATE")
            let first = Task { await ledger.result(Grant.sample("first")) }
            try await test.waitUntilBlocked()
            let waiting = Task {
                try await together(PostingQueue.capacity) {
                    await ledger.result(Grant.sample("key-\($0)", to: "user-\($0 % 50)"))
                }
            }
            try await eventually("the queue is full") { ledger.queueDepth == PostingQueue.capacity }
            #expect(await ledger.result(Grant.sample("late")).failure?.code == .overloaded)
            let closing = Task { await ledger.close() }
            while await ledger.result(Grant.sample("late")).failure?.code != .shuttingDown { await Task.yield() }
            try await other.execute("ROLLBACK")
            await closing.value
            #expect(await first.value.answer?.name == "granted")
            let results = try await waiting.value
            #expect(results.allSatisfy { $0.answer?.granted != nil && $0.answer?.isRepeat == false })
            #expect(try await test.number("SELECT count(*) FROM lot") == Int64(PostingQueue.capacity) + 1)
            await other.close()
        }
    }

    private static let poison = """
        CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$;
        CREATE TRIGGER refuse_poison BEFORE INSERT ON purchase FOR EACH ROW WHEN (NEW.user_id = 'poison')
            EXECUTE FUNCTION refuse_poison()
        """
}
