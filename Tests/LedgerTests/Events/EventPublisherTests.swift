import Foundation
import LedgerTestSupport
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// Commits come in any order; events come in that of each account.
@Suite(.timeLimit(.minutes(20))) struct EventPublisherTests {
    private static let rounds = Effort.count(3, upTo: 12)

    @Test(arguments: [3, EventPublisher.batchLimit])
    func `16 clients of two processes, and publishers that take turns: every account's history is in order`(
        batchLimit: Int
    ) async throws {
        try await TestLedger.with(writers: 2) { first, test in
            let second = try await test.open(writers: 2)
            let isDone = Flag()
            let publishing = Task {
                _ = try await together(2) { number in
                    var publisher = (number % 2 == 0 ? first : second).events.publisher
                    publisher.batchLimit = batchLimit
                    while !isDone.isSet { try await publisher.publish() }
                }
            }
            _ = try await together(16) { client in
                for round in 0..<Self.rounds { try await act(client, round, on: client % 2 == 0 ? first : second) }
            }
            isDone.set()
            try await publishing.value
            try await first.events.publisher.publish()
            let events = try await first.events.everything(limit: 1000)
            #expect(events.count == Int(try await test.number("SELECT count(*) FROM journal_entry")))
            for (user, balance) in expectContinuous(events) {
                #expect(try await first.balances.find(of: user) == balance)
            }
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    /// Acts of few users, so that clients wait for each other's accounts.
    private func act(_ client: Int, _ round: Int, on ledger: Ledger) async throws {
        let key = "\(client)-\(round)"
        let user = "user-\((client * 7 + round) % 5)"
        _ = try await ledger.credit(.sample(client * 100 + round, by: user))
        _ = try await ledger.submit(Spend.sample("spend-\(key)", by: user, coins: 3))
        guard let hold = try await ledger.submit(PlaceHold.sample("hold-\(key)", by: user, coins: 2)).placed else {
            return
        }
        _ = try await ledger.submit(VoidHold.sample("void-\(key)", of: hold.hold.id, by: user))
    }

    /// Transactions begin and commit in random orders, and some are rolled back.
    @Test(arguments: Effort.seeds(upTo: 5))
    func `whatever the order of commits, each event is numbered once and none is missed`(seed: UInt64) async throws {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: seed)
            var open: [(connection: PostgresConnection, name: Int)] = []
            var committed: Set<String> = []
            for name in 0..<60 {
                let connection = try await test.connectAsOwner()
                try await connection.execute("BEGIN; \(Self.occurrence("subject-\(name)"))")
                open.append((connection, name))
                while !open.isEmpty && (open.count > 6 || Bool.random(using: &random)) {
                    let (ended, name) = open.remove(at: Int.random(in: 0..<open.count, using: &random))
                    let isKept = Int.random(in: 0..<4, using: &random) > 0
                    try await ended.execute(isKept ? "COMMIT" : "ROLLBACK")
                    if isKept { committed.insert("subject-\(name)") }
                    await ended.close()
                    if Bool.random(using: &random) { try await ledger.events.publisher.publish() }
                }
            }
            for (connection, name) in open {
                try await connection.execute("COMMIT")
                committed.insert("subject-\(name)")
                await connection.close()
            }
            try await ledger.events.publisher.publish()
            let listed = try await ledger.events.everything().compactMap { $0.occurrence?.subject }
            #expect(listed.count == committed.count)
            #expect(Set(listed) == committed)
            try await Audit.expectSound(test)
        }
    }

    /// Of a kind that tells of no row of the books: the doctor would miss it.
    private static func occurrence(_ subject: String) -> String {
        "INSERT INTO occurrence (type, subject, detail) VALUES ('receipt.refused', '\(subject)', '{}')"
    }

    @Test func `a transaction that stays open holds nothing up, and is listed when it ends`() async throws {
        try await TestLedger.with { ledger, test in
            let late = try await test.connectAsOwner()
            try await late.execute("BEGIN; \(Self.occurrence("late"))")
            _ = try await ledger.credit(.sample())
            #expect(try await ledger.events.publisher.publish() == 1)
            try await late.execute("COMMIT")
            await late.close()
            #expect(try await ledger.events.publisher.publish() == 1)
            #expect(try await ledger.events.everything().last?.occurrence?.subject == "late")
            try await Audit.expectSound(test)
        }
    }

    @Test func `a backlog is numbered in parts, and a part that is interrupted goes on`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 0..<40 { _ = try await ledger.credit(.sample(number, by: "user-\(number % 3)")) }
            var publisher = ledger.events.publisher
            publisher.batchLimit = 7
            let interrupted = Task { [publisher] in
                withUnsafeCurrentTask { $0?.cancel() }
                return try? await publisher.publish()
            }
            _ = await interrupted.value
            _ = try await ledger.credit(.sample(41, by: "user-1"))
            try await publisher.publish()
            #expect(try await test.number("SELECT count(*) FROM event") == 41)
            #expect(try await test.number("SELECT count(*) FROM event WHERE snapshot IS NOT NULL") < 5)
            expectContinuous(try await ledger.events.everything())
            try await Audit.expectSound(test)
        }
    }

    /// The statement is planned while the tables are empty, and its plan is kept.
    @Test func `a backlog on a database without statistics is read once, not once for each event`() async throws {
        try await TestLedger.withDatabase { test in
            let ledger = try await test.open()
            try await ledger.events.publisher.publish()
            let backlog = Effort.count(6000, upTo: 60_000)
            try await test.execute(
                """
                INSERT INTO occurrence (recorded_at, type, subject, detail)
                SELECT '2026-01-01Z'::timestamptz + n * interval '1 ms', 'seal.made', 'subject-' || n, '{}'
                FROM generate_series(1, \(backlog)) AS n
                """)
            let rows = try await test.rowsRead {
                let published = try await ledger.events.publisher.publish()
                #expect(published == backlog)
                await ledger.close()
            }
            #expect(rows < 200 * backlog, "\(rows) rows were read")
        }
    }

    /// What is compared in memory counts as no row read: a nested loop would compare each new event with each other one.
    @Test func `new events are joined by hash on a database without statistics`() async throws {
        try await TestLedger.withDatabase { test in
            let configuration = try PostgresConfiguration(url: test.serviceURL).forPublishing
            try await PostgresConnection.with(configuration) { connection in
                let plan = try await connection.explain(EventBatch.publish(upTo: 1000, inOrder: []))
                let joins = plan.filter { $0.contains("Join") && !$0.contains("Join Filter") }
                #expect(joins.count { $0.contains("Semi Join") && !$0.contains("Nested Loop") } == 1, "\(plan)")
                // The last event and its snapshot are one row.
                #expect(joins.count { $0.contains("Nested Loop") } == 1, "\(plan)")
            }
        }
    }

    /// As after the server's clock was set back: the ids of two processes do not tell the order.
    @Test func `entries of the same time are in the order of their accounts`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            for (id, seq) in [(9_000_300, 2), (9_000_100, 3), (9_000_200, 4)] {
                try await test.execute(
                    """
                    SET LOCAL session_replication_role = replica;
                    INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                    SELECT \(id), stripe, 'spend', 'test', now(), '2030-01-01' FROM account WHERE code = 'wallet:ann:paid';
                    INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
                    SELECT id, \(seq), \(id), stripe, 1, 100, currency, 'D' FROM account WHERE code = 'wallet:ann:paid'
                    """)
            }
            try await ledger.events.publisher.publish()
            let ids = try await ledger.events.everything().dropFirst().compactMap { $0.entry?.id }
            #expect(ids == [9_000_300, 9_000_100, 9_000_200])
        }
    }

    @Test func `an order of the same time keeps every account's, and is by id otherwise`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            let accounts = Int.random(in: 1...4, using: &random)
            var last = [Int64](repeating: 0, count: accounts)
            let ids = (1...8).shuffled(using: &random)
            let lines = ids.map { id in
                let touched = (0..<accounts).filter { _ in Bool.random(using: &random) }
                let postings = touched.map { account in
                    last[account] += 1
                    return EventOrder.Posting(account: Int64(account), seq: last[account])
                }
                return EventOrder.Line(id: Int64(id), recordedAt: 0, postings: postings)
            }
            let order = EventOrder.order(lines.shuffled(using: &random))
            #expect(order.sorted() == (1...8).map(Int64.init))
            let byID = Dictionary(uniqueKeysWithValues: lines.map { ($0.id, $0) })
            var seen = [Int64](repeating: 0, count: accounts)
            for id in order {
                for posting in byID[id]?.postings ?? [] {
                    #expect(posting.seq == seen[Int(posting.account)] + 1)
                    seen[Int(posting.account)] = posting.seq
                }
            }
        }
        let alone = [5, 3, 4].map { EventOrder.Line(id: $0, recordedAt: 0) }
        #expect(EventOrder.order(alone) == [3, 4, 5])
    }

    @Test func `the database refuses an event that does not follow the last`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            try await ledger.events.publisher.publish()
            let service = try await test.connectAsService()
            for seq in ["0", "3", "2), (4"] {
                let values = seq.split(separator: "), (").map { "(\($0), -\($0)7, 'seal.made')" }
                let insertion = "INSERT INTO event (seq, id, type) VALUES \(values.joined(separator: ", "))"
                #expect(await service.refusal(of: insertion)?.constraint == "event_follows", "\(seq)")
            }
            await service.close()
        }
    }
}

/// Set once, by another task.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}
