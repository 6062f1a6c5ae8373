import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// The connection breaks when it hurts most.
@Suite(.timeLimit(.minutes(20))) struct UnknownCommitTests {
    /// The bytes of a connection's first batch are cut off after ever more of them, statement by statement.
    @Test(arguments: [true, false])
    func `a batch that is cut off anywhere on its way is done once`(isOfPurchases: Bool) async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy)
                var fired = 0
                // A batch of purchases is one statement, which is shorter.
                let steps =
                    isOfPurchases
                    ? stride(from: 100, through: 2860, by: 138) : stride(from: 100, through: 8000, by: 395)
                for (number, bytes) in steps.enumerated() {
                    await writer.close()
                    proxy.arm(.cut, when: .clientHasSent(bytes: bytes))
                    let commands: [any Act] = [
                        CreditPurchase.sample(number),
                        isOfPurchases ? CreditPurchase.sample(100 + number) : Grant.sample("key-\(number)"),
                    ]
                    let results = await writer.post(commands)
                    // Cut off before its session is set up it has not connected: definite, and not tried again.
                    let isDefinite = results.allSatisfy { $0.failure?.code == .unavailable }
                    #expect(isDefinite || results.allSatisfy { $0.answer != nil }, "\(bytes): \(results)")
                    #expect(!isDefinite || bytes < 1200, "\(bytes)")
                    if isDefinite { _ = await writer.post(commands) }
                    fired = proxy.firedFaults
                }
                #expect(fired >= (isOfPurchases ? 8 : 14), "the cuts missed the batch: \(fired)")
                await writer.close()
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == (isOfPurchases ? 42 : 21))
            #expect(try await test.number("SELECT count(*) FROM idempotency") == (isOfPurchases ? 0 : 21))
            try await Audit.expectSound(test)
        }
    }

    @Test func `what never reached the server is written by the next attempt`() async throws {
        try await TestLedger.withProxy { ledger, test, proxy in
            proxy.arm(.cut, when: .clientSends("credit_purchase"))
            let answer = try await ledger.credit(.sample())
            #expect(proxy.firedFaults == 1 && answer.credited != nil && !answer.isRepeat)
            #expect(try await test.number("SELECT count(*) FROM purchase") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `many callers of a batch whose reply is lost all get their own purchase`() async throws {
        try await TestLedger.withDatabase { test in
            var rounds = 0
            try await FaultProxy.with(test.database.server) { proxy in
                let ledger = try await test.open(url: test.serviceURL(through: proxy), writers: 2, batchLimit: 8)
                _ = try await ledger.credit(.sample(1_000_000))
                var outcomes: [Answer<Credited>] = []
                while proxy.firedFaults < 2 && rounds < 20 {
                    proxy.arm(.cut, when: .serverSends("COMMIT"))
                    let first = rounds * 200
                    outcomes += try await together(200) {
                        try await ledger.credit(.sample(first + $0, by: "user-\($0 % 20)"))
                    }
                    rounds += 1
                }
                #expect(Set(outcomes.compactMap { $0.credited?.purchase.id }).count == 200 * rounds)
                #expect(proxy.firedFaults >= 2)
                await ledger.close()
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == Int64(200 * rounds + 1))
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [FaultProxy.Fault.Trigger.serverSends("COMMIT"), .clientSends("credit_purchase")])
    func `a connection that falls silent is given up after three seconds`(
        trigger: FaultProxy.Fault.Trigger
    ) async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let ledger = try await test.open(url: test.serviceURL(through: proxy), writers: 1)
                _ = try await ledger.credit(.sample(1))
                // The text of a statement is sent once a connection.
                await ledger.close()
                let again = try await test.open(url: test.serviceURL(through: proxy), writers: 1)
                proxy.arm(.silence, when: trigger)
                let start = ContinuousClock.now
                let answer = try await again.credit(.sample(2))
                let waited = ContinuousClock.now - start
                #expect(proxy.firedFaults == 1 && answer.credited != nil)
                // `DeadlineTests` has the upper limit; without any this would not end.
                #expect(waited >= .seconds(2), "\(waited)")
                await again.close()
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == 2)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a database that is away is reported, and used again when it is back`() async throws {
        try await TestLedger.withProxy { ledger, _, proxy in
            _ = try await ledger.credit(.sample(1))
            proxy.refuse()
            proxy.cutAll()
            #expect(await ledger.result(CreditPurchase.sample(2)).failure?.code == .unavailable)
            await #expect { _ = try await ledger.balances.find(of: .named("ann")) } throws: {
                ($0 as? LedgerError)?.code == .unavailable
            }
            try proxy.accept()
            let second = try await ledger.credit(.sample(2))
            #expect(second.credited != nil && !second.isRepeat)
            #expect(try await ledger.balances.find(of: .named("ann")).paid == 200)
        }
    }

    @Test(arguments: [FaultProxy.Fault.Effect.cut, .stall])
    func `a database that stays away after the commit was sent leaves the outcome unknown`(
        effect: FaultProxy.Fault.Effect
    ) async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy, patience: .seconds(1)) {
                    $0.replyTimeout = .seconds(1)
                }
                _ = await writer.post([CreditPurchase.sample(1)])
                proxy.refuse()
                proxy.arm(effect, when: .serverSends("COMMIT"))
                let results = await writer.post([CreditPurchase.sample(2), Grant.sample()])
                #expect(results.map { $0.failure?.code } == [.outcomeUnknown, .outcomeUnknown])
                proxy.resume()
                try proxy.accept()
                let again = await writer.post([CreditPurchase.sample(2), Grant.sample()])
                #expect(again.map { $0.answer?.name } == ["credited again", "granted again"])
                await writer.close()
            }
            try await Audit.expectSound(test)
        }
    }

    /// The attempt that finds the acts has nothing to write, and its own failure says nothing of them.
    @Test func `acts that are found committed are not called undone when their repeat fails`() async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy)
                _ = await writer.post([CreditPurchase.sample(1)])
                // A repeat waits for the standbys by a message; other acts do so by what they write.
                let message = "EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text)"
                let superuser = try await test.database.connect()
                // Servers from 17 on have a parameter more.
                let isLong = try await test.number(
                    "SELECT count(*) FROM pg_proc WHERE proname = 'pg_logical_emit_message' AND pronargs = 4")
                let right = isLong == 0 ? message : message.replacing("text)", with: "text, boolean)")
                try await superuser.execute("REVOKE \(right) FROM PUBLIC")
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let results = await writer.post([CreditPurchase.sample(2), Grant.sample()])
                #expect(proxy.firedFaults == 1)
                #expect(results.map { $0.failure?.code } == [.outcomeUnknown, .outcomeUnknown])
                try await superuser.execute("GRANT \(right) TO PUBLIC")
                await superuser.close()
                let again = await writer.post([CreditPurchase.sample(2), Grant.sample()])
                #expect(again.map { $0.answer?.name } == ["credited again", "granted again"])
                await writer.close()
            }
            try await Audit.expectSound(test)
        }
    }

    /// The silence alone is longer than the writer's patience, which begins with it.
    @Test func `a commit that was answered too late is looked up, not given up`() async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy, patience: .milliseconds(1000)) {
                    $0.replyTimeout = .milliseconds(1500)
                }
                _ = await writer.post([CreditPurchase.sample(1)])
                proxy.arm(.stall, when: .serverSends("COMMIT"))
                let connections = proxy.acceptedConnections
                let back = Task {
                    // It does so after it has waited for the answer, and asked on another connection whether it comes.
                    try await eventually("the writer connects again", every: .milliseconds(1)) {
                        proxy.acceptedConnections > connections + 1
                    }
                    proxy.resume()
                }
                let results = await writer.post([CreditPurchase.sample(2)])
                try await back.value
                #expect(results.map { $0.answer?.name } == ["credited again"])
                await writer.close()
            }
        }
    }

    /// The old session still holds the accounts' locks: whether it commits is open, so nothing may be called definite.
    @Test func `an outcome stays unknown while the session that may commit it lives`() async throws {
        try await TestLedger.withDatabase { test in
            try await FaultProxy.with(test.database.server) { proxy in
                let writer = try await test.writer(through: proxy, patience: .milliseconds(800)) {
                    $0.lockTimeout = .milliseconds(200)
                }
                _ = await writer.post([CreditPurchase.sample(1)])
                // What keeps the locks is here a session of the test's, for the proxy can't cut one side alone.
                let other = try await test.connectAsOwner()
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                // Who is cut off connects again only when the locks are taken.
                proxy.refuse()
                let posting = Task {
                    await writer.post([
                        CreditPurchase.sample(2), CreditPurchase.sample(3), CreditPurchase.sample(4),
                    ])
                }
                try await eventually("the connection is cut", every: .milliseconds(1)) { proxy.firedFaults > 0 }
                try await other.execute("BEGIN; SELECT FROM account FOR UPDATE")
                try proxy.accept()
                let results = await posting.value
                #expect(results.map { $0.failure?.code } == [.outcomeUnknown, .outcomeUnknown, .outcomeUnknown])
                try await other.execute("ROLLBACK")
                await other.close()
                #expect(await writer.post([CreditPurchase.sample(2)]).map { $0.answer?.name } == ["credited again"])
                await writer.close()
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == 4)
        }
    }
}
