import LedgerTestSupport
import Testing

@testable import ledgerd_bench

/// A figure counts only what is in the books.
@Suite(.timeLimit(.minutes(20))) struct ConservationTests {
    @Test func `what is acknowledged and in the books is no problem`() async throws {
        let problems = try await Self.problems { books in
            try await Engine.purchase(40, in: books, users: 5, tag: "a")
        }
        #expect(problems == [])
    }

    @Test func `spends and holds are compared too`() async throws {
        let scale = Scale(seconds: 0.2)
        try await TestLedger.withDatabase { books in
            try await Engine.fortunes(of: 5, in: books)
            for act in [Engine.Workload.spends, .holds] {
                let (rate, problems) = try await Conservation.observing(books) {
                    try await Engine.measure(act, in: books, .init(batch: 4), users: 5, tag: "b", scale)
                }
                #expect(rate > 0 && problems == [])
            }
        }
    }

    @Test func `an acknowledged act that is not in the books is found`() async throws {
        let problems = try await Self.problems { books in
            try await Engine.purchase(40, in: books, users: 5, tag: "a")
                + Acknowledged(purchases: ["order_lost"], keys: ["lost"])
        }
        #expect(problems.contains("2 of 42 acknowledged acts are not in the books"))
    }

    @Test func `an act that was acknowledged twice is found`() async throws {
        let problems = try await Self.problems { books in
            let done = try await Engine.purchase(40, in: books, users: 5, tag: "a")
            return done + Acknowledged(purchases: Array(done.purchases.prefix(1)))
        }
        #expect(problems.contains("1 of 41 acknowledged acts are not in the books"))
    }

    @Test func `an act in the books that nobody acknowledged is found`() async throws {
        let problems = try await Self.problems { books in
            var done = try await Engine.purchase(40, in: books, users: 5, tag: "a")
            done.purchases.removeLast()
            return done
        }
        #expect(problems.contains("40 journal entries for 39 acknowledged acts"))
        #expect(problems.contains("40 purchases for 39 acknowledged ones"))
    }

    @Test func `what was in the books before does not count`() async throws {
        try await TestLedger.withDatabase { books in
            let before = try await Engine.purchase(10, in: books, users: 5, tag: "before")
            let (_, problems) = try await Conservation.observing(books) { ((), before) }
            #expect(problems.contains("10 of 10 acknowledged acts are not in the books"))
        }
    }

    @Test(arguments: [
        ("UPDATE account SET debits = debits + 1, credits = credits + 1 WHERE code = 'bank/0'", "totals in KRW"),
        ("UPDATE account SET debits = debits + 1 WHERE code = 'bank/0'", "trial balance in KRW is not zero"),
    ])
    func `totals that nothing posted are found`(change: String, said: String) async throws {
        let problems = try await Self.problems { books in
            let done = try await Engine.purchase(40, in: books, users: 5, tag: "a")
            try await books.execute("SET session_replication_role = replica; " + change)
            return done
        }
        #expect(problems.contains { $0.contains(said) }, "\(problems)")
    }

    private static func problems(
        _ body: (TestLedger) async throws -> Acknowledged
    ) async throws -> [String] {
        try await TestLedger.withDatabase { books in
            try await Conservation.observing(books) { ((), try await body(books)) }.problems
        }
    }
}
