import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What is stored of deliveries, and who may store it.
@Suite(.timeLimit(.minutes(20))) struct DeliveriesTests {
    /// Numbers events of these users; an empty name is nobody.
    private func tell(_ users: [String], type: String = "coins.granted", in test: TestLedger) async throws {
        let names = users.map { $0.isEmpty ? "NULL" : "'\($0)'" }
        try await test.execute(
            """
            INSERT INTO event (seq, id, type, user_id)
            SELECT (SELECT coalesce(max(seq), 0) FROM event) + place, nextval('record_id'), '\(type)', name
            FROM unnest(ARRAY[\(names.joined(separator: ", "))]::text[]) WITH ORDINALITY AS one (name, place)
            ORDER BY place
            """)
    }

    private func create(
        _ filter: EndpointFilter = EndpointFilter(), in ledger: Ledger, key: String = "k"
    ) async throws -> Endpoint {
        let draft = EndpointDraft(
            url: "https://hooks.example.com/", description: "", filter: filter, after: 0,
            secret: SecretSeed(keyID: "a", salt: Array(repeating: 1, count: 16)), key: .named(key))
        guard case .done(let endpoint) = try await ledger.endpoints.create(draft) else {
            throw DidNotHappen(description: "the endpoint was not created")
        }
        return endpoint
    }

    private func begin(
        _ endpoint: Endpoint, in ledger: Ledger
    ) async throws -> (turn: DeliveryTurn, reader: DeliveryReader) {
        let turn = try #require(try await ledger.deliveries.begin(endpoint.id))
        return (turn, try #require(turn.readers.first))
    }

    private func waiting(_ lane: String, _ seq: Int64, of reader: DeliveryReader, attempts: Int64 = 1) -> WaitingLane {
        WaitingLane(readerID: reader.id, lane: lane, seq: seq, attempts: attempts, nextAttemptAt: Date() - 1)
    }

    @Test func `the backlog has the wanted events that are new, those that wait, and those given up`() async throws {
        try await TestLedger.with { ledger, test in
            let endpoint = try await create(
                EndpointFilter(types: ["coins.granted"], users: ["ann", "bob"]), in: ledger)
            let empty = try #require(try await ledger.endpoints.backlog(of: endpoint.id))
            #expect(empty.events == 0 && empty.since == nil && empty.waitingUsers == 0 && empty.givenUp == 0)
            try await tell(["ann", "bob", "", "ann", "zoe"], in: test)
            try await tell(["ann"], type: "coins.spent", in: test)
            #expect(try await ledger.endpoints.backlog(of: endpoint.id)?.events == 3)
            let (turn, reader) = try await begin(endpoint, in: ledger)
            var progress = DeliveryProgress()
            progress.waiting = [waiting("ann", 1, of: reader)]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            try await test.execute("INSERT INTO endpoint_failure (endpoint_id, seq) VALUES (\(endpoint.id), 2)")
            let backlog = try #require(try await ledger.endpoints.backlog(of: endpoint.id))
            #expect(backlog.events == 1 && backlog.waitingUsers == 1 && backlog.givenUp == 1 && !backlog.hasMore)
            #expect(backlog.waitingSince != nil)
            try await tell(Array(repeating: "bob", count: 1000), in: test)
            let long = try #require(try await ledger.endpoints.backlog(of: endpoint.id))
            #expect(long.hasMore && long.events > 900)
            #expect(try await ledger.endpoints.backlog(of: 77) == nil)
        }
    }

    @Test func `a window leaves out lanes that wait, and ends where the events end`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann", "bob", "", "ann", "bob"], in: test)
            let endpoint = try await create(in: ledger)
            let (turn, reader) = try await begin(endpoint, in: ledger)
            let all = try await ledger.deliveries.window(of: reader, after: 0, EndpointFilter(), limit: 10)
            #expect(all.events.map(\.lane) == ["ann", "bob", "", "ann", "bob"] && all.through == 5)
            let part = try await ledger.deliveries.window(of: reader, after: 0, EndpointFilter(), limit: 2)
            #expect(part.events.map(\.seq) == [1, 2] && part.through == 2)

            var progress = DeliveryProgress()
            progress.waiting = [waiting("ann", 1, of: reader), waiting("", 3, of: reader)]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            let rest = try await ledger.deliveries.window(of: reader, after: 0, EndpointFilter(), limit: 10)
            #expect(rest.events.map(\.seq) == [2, 5] && rest.through == 5)
            let due = try await ledger.deliveries.dueLanes(of: reader, besides: ["ann"], limit: 10)
            #expect(due.map(\.lane) == [""])
            let owed = try await ledger.deliveries.owed(
                in: waiting("ann", 1, of: reader), of: reader, through: 4, EndpointFilter(), limit: 10)
            #expect(owed.map(\.seq) == [1, 4])
            let nobody = try await ledger.deliveries.owed(
                in: waiting("", 1, of: reader), of: reader, through: 5, EndpointFilter(), limit: 10)
            #expect(nobody.map(\.seq) == [3])
        }
    }

    @Test func `a filter chooses by type and user`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann", "bob", ""], in: test)
            try await tell(["ann", "bob", ""], type: "coins.spent", in: test)
            let reader = try await begin(try await create(in: ledger), in: ledger).reader
            for (filter, seqs) in [
                (EndpointFilter(types: ["coins.spent"]), [4, 5, 6]),
                (EndpointFilter(users: ["bob", "carol"]), [2, 5]),
                (EndpointFilter(types: ["coins.spent"], users: ["ann"]), [4]),
                (EndpointFilter(types: ["lot.expired"]), []),
            ] as [(EndpointFilter, [Int64])] {
                let window = try await ledger.deliveries.window(of: reader, after: 0, filter, limit: 10)
                #expect(window.events.map(\.seq) == seqs && window.through == 6)
                for (seq, name) in [(Int64(2), "bob"), (4, "ann")] {
                    let type = seq < 4 ? "coins.granted" : "coins.spent"
                    #expect(filter.matches(type: type, user: name) == seqs.contains(seq))
                }
            }
        }
    }

    @Test func `a lane ends only when nothing is left that the reader looked at`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann", "bob", "ann"], in: test)
            let (turn, reader) = try await begin(try await create(in: ledger), in: ledger)
            var progress = DeliveryProgress()
            progress.waiting = [waiting("ann", 1, of: reader), waiting("bob", 2, of: reader)]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            progress = DeliveryProgress()
            // Ann's first event is delivered, and her second one was looked at; nothing of bob's is left.
            progress.caughtUp = [
                waiting("ann", 2, of: reader, attempts: 0), waiting("bob", 3, of: reader, attempts: 0),
            ]
            progress.looked = [reader.id: 3]
            progress.positions = [reader.id: 3]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            #expect(try await test.number("SELECT count(*) FROM endpoint_lane") == 1)
            #expect(try await test.number("SELECT seq FROM endpoint_lane WHERE lane = 'ann'") == 2)
        }
    }

    @Test func `successes share a row, failures have their own, and both are listed`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann", "bob", "carol"], in: test)
            let endpoint = try await create(in: ledger)
            let (turn, _) = try await begin(endpoint, in: ledger)
            func attempt(_ seq: Int64, _ outcome: String, _ answer: String? = nil) -> DeliveryAttempt {
                DeliveryAttempt(
                    seq: seq, attemptedAt: Date(), outcome: outcome, status: outcome == "timeout" ? nil : 200,
                    latency: seq,
                    answer: answer)
            }
            var progress = DeliveryProgress()
            progress.attempts = [attempt(1, "delivered"), attempt(2, "timeout", "late"), attempt(3, "delivered")]
            progress.givenUp = [2]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            #expect(try await test.number("SELECT count(*) FROM endpoint_attempt") == 2)
            let page = try await ledger.endpoints.attempts(at: endpoint.id, limit: 2)
            let rest = try await ledger.endpoints.attempts(at: endpoint.id, after: page.next, limit: 2)
            let all = page.elements + rest.elements
            #expect(all.map(\.seq).sorted() == [1, 2, 3] && rest.next == nil)
            #expect(all.first { $0.seq == 2 }?.status == nil && all.first { $0.seq == 2 }?.answer == "late")
            let failed = try await ledger.endpoints.attempts(at: endpoint.id, onlyFailed: true, limit: 9)
            #expect(failed.elements.map(\.seq) == [2])
            #expect(try await test.number("SELECT seq FROM endpoint_failure") == 2)
            progress = DeliveryProgress()
            progress.attempts = [attempt(2, "delivered")]
            #expect(try await ledger.deliveries.store(progress, of: turn))
            #expect(try await test.number("SELECT count(*) FROM endpoint_failure") == 0)
        }
    }

    @Test func `a process whose turn was taken over stores nothing`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann"], in: test)
            let endpoint = try await create(in: ledger)
            let (old, reader) = try await begin(endpoint, in: ledger)
            _ = try await begin(endpoint, in: ledger)
            var progress = DeliveryProgress()
            progress.positions = [reader.id: 1]
            #expect(try await !ledger.deliveries.store(progress, of: old))
            #expect(try await test.number("SELECT position FROM endpoint_reader") == 0)
        }
    }

    @Test func `a turn ends when its endpoint is changed, and what it did is kept`() async throws {
        try await TestLedger.with { ledger, test in
            try await tell(["ann"], in: test)
            let endpoint = try await create(in: ledger)
            let (turn, reader) = try await begin(endpoint, in: ledger)
            _ = try await ledger.endpoints.change(endpoint.id, EndpointChange(isEnabled: false))
            var progress = DeliveryProgress()
            progress.positions = [reader.id: 1]
            #expect(try await !ledger.deliveries.store(progress, of: turn))
            #expect(try await test.number("SELECT position FROM endpoint_reader") == 1)
            #expect(try await ledger.deliveries.begin(endpoint.id) == nil)
        }
    }

    @Test func `a lock is one process's, and ends with its connection`() async throws {
        try await TestLedger.with { ledger, _ in
            let ids = [Int64(1), 2, 3]
            try await ledger.deliveries.withLocks { first in
                #expect(try await first.take(ids).sorted() == ids)
                try await ledger.deliveries.withLocks { second in
                    #expect(try await second.take(ids).isEmpty)
                    try await first.giveBack([2])
                    #expect(try await second.take(ids) == [2])
                }
                // PostgreSQL notices a moment later that the connection ended.
                try await eventually("the lock is free") { try await first.take([2]) == [2] }
            }
            try await ledger.deliveries.withLocks { third in
                let taken = try await third.take(ids)
                #expect(taken.count == 3)
            }
        }
    }

    @Test func `old attempts are deleted, young ones are not`() async throws {
        try await TestLedger.with { ledger, test in
            let endpoint = try await create(in: ledger)
            try await test.execute(
                """
                INSERT INTO endpoint_attempt (endpoint_id, recorded_at, outcome, seqs, statuses, latencies)
                SELECT \(endpoint.id), now() - days * interval '1 day', 'delivered', '{1}', '{200}', '{5}'
                FROM unnest(ARRAY[0, 29, 31, 60]) AS days
                """)
            #expect(try await ledger.endpoints.purgeAttempts(limit: 100) == 2)
            #expect(try await test.number("SELECT count(*) FROM endpoint_attempt") == 2)
        }
    }
}
