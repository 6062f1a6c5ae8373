import CivilTime
import Foundation
import LedgerTestSupport
import Logging
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// What is answered as done outlives a failover: with a synchronous standby, it waits for that standby.
@Suite(.timeLimit(.minutes(20))) struct SynchronousStandbyTests {
    @Test func `a commit whose wait for its standby is cancelled is answered when the standby is done with`()
        async throws
    {
        try await StandbyServer.withoutStandby { server, ledger, admin in
            let answered = Mutex(false)
            let grant = Task {
                let answer = try await ledger.submit(Grant.sample("key-2", coins: 7))
                answered.withLock { $0 = true }
                return answer
            }
            // Each cancelled wait is followed by another one, of the commit that is to confirm it.
            for _ in 0..<3 { try await server.cancelWait(admin) }
            try await eventually("the writer waits again") { try await server.waits(admin) }
            let isAnswered = answered.withLock { $0 }
            #expect(!isAnswered)
            try await server.requireStandby(false, admin)
            #expect(try await grant.value.granted?.balance.total == 12)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 12)
        }
    }

    @Test func `a statement is not done when the wait of its commit for a standby is cancelled`() async throws {
        try await StandbyServer.withoutStandby { server, _, admin in
            for isPipeline in [true, false] {
                let unconfirmed = Task {
                    try await PostgresConnection.with(server.superuser) { connection in
                        if isPipeline {
                            _ = try await connection.pipeline([PostgresQuery<Int>.affected("CREATE TABLE answered ()")])
                        } else {
                            try await connection.execute("DROP TABLE answered")
                        }
                    }
                }
                try await server.cancelWait(admin)
                let error = await #expect(throws: PostgresError.self) { try await unconfirmed.value }
                #expect(error?.code == .unconfirmed, "\(isPipeline)")
            }
        }
    }

    @Test func `a repeat is answered when the standby has what it repeats`() async throws {
        try await StandbyServer.withoutStandby { server, ledger, admin in
            let answered = Mutex(false)
            let repeated = Task {
                let answer = try await ledger.submit(Grant.sample(coins: 5))
                answered.withLock { $0 = true }
                return answer
            }
            try await eventually("the repeat waits for the standby") { try await server.waits(admin) }
            let isAnswered = answered.withLock { $0 }
            #expect(!isAnswered)
            try await server.requireStandby(false, admin)
            let answer = try await repeated.value
            #expect(answer.isRepeat && answer.granted?.coins == 5)
        }
    }

    @Test func `a known event, a repeated order and a decided refund are answered when the standby has them`()
        async throws
    {
        try await StandbyServer.withoutStandby { server, ledger, admin in
            try await server.requireStandby(false, admin)
            let event = WebhookRecordDraft(
                gateway: "portone-v2", eventID: "event-1", type: "Transaction.Paid", paymentID: nil, merchantUID: nil,
                merchantPaymentID: "order-1")
            let key = sure(CallerKey("order-1", of: .named("ann")))
            let product = Product(
                code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
                bonusCoins: nil, activeFrom: Date(), activeUntil: nil)
            let order = OrderDraft(
                user: .named("ann"), merchantUID: "order-2", gateway: "portone-v1", product: product,
                lifetime: .seconds(60), idempotencyKey: key)
            #expect(try await ledger.webhooks.store(event) == .stored)
            #expect(try await ledger.orders.make(order) != nil)
            let refund = try await ledger.refused(.sample(1))
            try await server.requireStandby(true, admin)

            try await server.answersLate(admin) { try await ledger.webhooks.store(event) == .known }
            try await server.answersLate(admin) { try await ledger.orders.find(under: key) != nil }
            try await server.answersLate(admin) { try await ledger.refunds.find(refund)?.status == .refused }
        }
    }

    @Test func `a person's session is used while a standby is missing`() async throws {
        try await StandbyServer.withoutStandby { server, ledger, admin in
            try await server.requireStandby(false, admin)
            let token = [UInt8](repeating: 7, count: 32)
            let ann = try #require(Person(subject: "ann", name: "Ann", role: .finance))
            try await ledger.sessions.begin(token, of: ann, lasting: .seconds(86_400))
            try await admin.execute("UPDATE console_session SET seen_at = now() - interval '1 hour'")
            try await server.requireStandby(true, admin)
            #expect(try await ledger.sessions.use(token, idle: .seconds(43_200))?.person == ann)
            let seen = "SELECT count(*) FROM console_session WHERE seen_at > now() - interval '30 minutes'"
            #expect(try await admin.run(PostgresQuery<Int64>.one(seen) { try $0[0] }) == 1)
            #expect(try await server.countWaiting(admin) == 0)
            // Nor is one refused whose use can't be stored.
            try await server.requireStandby(false, admin)
            try await admin.execute("UPDATE console_session SET seen_at = now() - interval '1 hour'")
            try await admin.execute(
                """
                ALTER TABLE console_session
                    ADD CONSTRAINT refused CHECK (seen_at < now() - interval '30 minutes') NOT VALID
                """)
            #expect(try await ledger.sessions.use(token, idle: .seconds(43_200))?.person == ann)
        }
    }

    @Test func `reads are answered while all writes wait for the standby`() async throws {
        try await StandbyServer.withoutStandby { server, ledger, admin in
            let writes = Task {
                await withTaskGroup { group in
                    for number in 0..<20 {
                        let payment = PaymentIdentity(
                            gateway: "portone-v1", paymentID: "imp-\(number)", merchantUID: "order-\(number)")
                        group.addTask {
                            _ = try? await ledger.retries.keep(
                                payment, of: .named("user-\(number)"), because: "gateway_unavailable",
                                askAgainAfter: .seconds(60))
                        }
                        group.addTask {
                            try? await ledger.findings.note(
                                .amountMismatch, payment, of: nil, amount: 1, currency: "KRW", paidAt: nil)
                        }
                        group.addTask { _ = try? await ledger.submit(Grant.sample("key-\(number)-w", coins: 1)) }
                    }
                }
            }
            let writing = LedgerConfiguration.writeConnections + LedgerConfiguration.workConnections + 1
            try await eventually("every connection that writes waits for the standby") {
                try await server.countWaiting(admin) == writing
            }
            #expect(try await ledger.balances.find(of: .named("ann")).total == 5)
            #expect(try await ledger.purchases.list(of: .named("ann"), limit: 20).elements.isEmpty)
            #expect(try await ledger.statements.list(of: .named("ann"), limit: 20).elements.count == 1)
            #expect(try await ledger.orders.find(named: "order") == nil)
            let books = try await ledger.accountDays.upToDate(
                from: CivilDate(daysSince1970: 0), to: CivilDate(daysSince1970: 40_000), in: .gmt, at: Date())
            #expect(books.totals.contains { $0.account.name == "wallet:bonus" && $0.moved.credits >= 5 })
            #expect(try await server.countWaiting(admin) == writing, "the reads waited for none of them")
            try await server.requireStandby(false, admin)
            await writes.value
        }
    }
}

/// A server that waits for its standby.
private struct StandbyServer {
    let superuser: PostgresConfiguration

    /// Lends a server without the standby that it requires, a ledger of it in which ann has 5 coins, and a connection.
    static func withoutStandby(
        _ body: (StandbyServer, Ledger, _ admin: PostgresConnection) async throws -> Void
    ) async throws {
        try await TestCluster.with { cluster in
            let server = StandbyServer(superuser: try cluster.superuser)
            let ledger = try await server.ledger()
            try await PostgresConnection.with(server.superuser) { admin in
                _ = try await ledger.submit(Grant.sample(coins: 5))
                try await server.requireStandby(true, admin)
                try await body(server, ledger, admin)
            }
            await ledger.close()
        }
    }

    /// A ledger in the server's database, of its superuser: what it may do is not what is tested.
    func ledger() async throws -> Ledger {
        _ = try await Migrator(configuration: superuser).migrate()
        return try await Ledger.open(
            LedgerConfiguration(database: superuser),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Has commits wait for a standby that does not exist, or for none.
    func requireStandby(_ isRequired: Bool, _ admin: PostgresConnection) async throws {
        try await admin.execute("ALTER SYSTEM SET synchronous_standby_names = '\(isRequired ? "nobody" : "")'")
        try await admin.execute("SELECT pg_reload_conf()")
        try await eventually("the server knows it") {
            let names = try await admin.run(
                PostgresQuery<String>.one("SELECT current_setting('synchronous_standby_names')") { try $0[0] })
            return names.isEmpty != isRequired
        }
        if isRequired { try await eventually("a commit waits for the standby") { try await commitWaits(admin) } }
    }

    /// Whether a commit waits now.
    ///
    /// The setting is known to a session before the checkpointer tells all of them to wait, so only a commit shows it.
    private func commitWaits(_ admin: PostgresConnection) async throws -> Bool {
        try await PostgresConnection.with(superuser) { prober in
            let isCommitted = Mutex(false)
            let commit = Task {
                try await prober.execute("SELECT pg_logical_emit_message(true, 'probe', '')")
                isCommitted.withLock { $0 = true }
            }
            var hasWaited = false
            try await eventually("the commit waits or is done") {
                hasWaited = try await waits(admin)
                return hasWaited || isCommitted.withLock { $0 }
            }
            if hasWaited { try await cancelWait(admin) }
            _ = await commit.result
            return hasWaited
        }
    }

    /// Expects an answer only when no standby is required any more.
    func answersLate(
        _ admin: PostgresConnection, _ isAnswered: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let isEarly = Mutex(false)
        let answer = Task {
            let answer = try await isAnswered()
            isEarly.withLock { $0 = true }
            return answer
        }
        try await eventually("the answer waits for the standby") { try await waits(admin) }
        let wasEarly = isEarly.withLock { $0 }
        #expect(!wasEarly)
        try await requireStandby(false, admin)
        #expect(try await answer.value)
        try await requireStandby(true, admin)
    }

    func waits(_ admin: PostgresConnection) async throws -> Bool { try await countWaiting(admin) > 0 }

    /// Cancels the wait of the session that waits for the standby.
    func cancelWait(_ admin: PostgresConnection) async throws {
        try await eventually("a session waits for the standby") { try await waits(admin) }
        _ = try await admin.run(
            PostgresQuery<Int>.affected(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
    }

    func countWaiting(_ admin: PostgresConnection) async throws -> Int {
        try await admin.run(
            PostgresQuery<Int>.one("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") { row in
                Int(try row.decode(0, as: Int64.self))
            })
    }
}

extension Ledger {
    /// A refused refund of a purchase.
    fileprivate func refused(_ purchase: CreditPurchase) async throws -> Int64 {
        guard case .done(let credited) = try await submit(purchase).outcome,
            case .done(let begun) = try await submit(BeginRefund.sample(of: credited.purchase.id)).outcome
        else { throw LedgerError.unexpected("the refund was not begun") }
        let refusal = Refund.GatewayRefusal(reason: "refused_by_gateway", gatewayCode: nil)
        let act = ReleaseRefund(user: purchase.user, refundID: begun.refund.id, refusal: refusal)
        _ = try await submit(act)
        return begun.refund.id
    }
}
