import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct GrantCountsTests {
    private func key(_ number: Int, of caller: String = "robot") -> CallerKey {
        sureKey("key-\(number)", caller)
    }

    private func sureKey(_ text: String, _ caller: String) -> CallerKey {
        guard let key = CallerKey(text, of: .named(caller)) else { preconditionFailure("\(text) is a key") }
        return key
    }

    /// Counts coins under a key.
    private func count(
        _ coins: Int64, _ key: CallerKey, in ledger: Ledger, on day: String = "2026-01-31", within limit: Int64
    ) async throws -> GrantCounts.Counted {
        let coins = try #require(Coins(coins))
        return try await ledger.grantCounts.count(coins, under: key, on: day, within: limit)
    }

    @Test func `a day's sum holds across processes, and each caller has its own`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            let counts = try await withThrowingTaskGroup(of: GrantCounts.Counted.self) { group in
                for number in 0..<60 {
                    let ledger = number.isMultiple(of: 2) ? first : second
                    group.addTask { try await count(10, key(number), in: ledger, within: 305) }
                }
                return try await group.reduce(into: [GrantCounts.Counted]()) { $0.append($1) }
            }
            #expect(counts.count { $0 == .counted } == 30)
            #expect(counts.allSatisfy { $0 == .counted || $0 == .tooMany(available: 5) })
            #expect(try await test.number("SELECT coins FROM grant_day") == 300)
            let last = try await count(5, key(100), in: second, within: 305)
            #expect(last == .counted)
            let another = try await count(10, key(101, of: "another"), in: first, within: 305)
            #expect(another == .counted)
            let tomorrow = try await count(10, key(102), in: first, on: "2026-02-01", within: 305)
            #expect(tomorrow == .counted)
            await second.close()
        }
    }

    @Test func `the same key is counted once, also when it was refused before`() async throws {
        try await TestLedger.with { ledger, test in
            for _ in 0..<3 {
                let counted = try await count(60, key(1), in: ledger, within: 100)
                #expect(counted == .counted)
                let refused = try await count(60, key(2), in: ledger, within: 100)
                #expect(refused == .tooMany(available: 40))
            }
            let tooMuch = try await count(101, key(3), in: ledger, on: "2026-01-30", within: 100)
            #expect(tooMuch == .tooMany(available: 100))
            #expect(try await test.number("SELECT coins FROM grant_day") == 60)
            let later = try await count(60, key(2), in: ledger, on: "2026-02-01", within: 100)
            #expect(later == .counted)
        }
    }

    @Test func `a key that was counted with one coin grants no other number`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            // As when a request ended between the count and the grant, and another one comes under its key.
            #expect(try await count(1, key(1), in: first, within: 100) == .counted)
            #expect(try await count(100, key(1), in: second, within: 100) == .keyReused)
            #expect(try await count(100, key(1), in: second, on: "2026-02-01", within: 100) == .keyReused)
            #expect(try await count(1, key(1), in: second, within: 100) == .counted)
            let raced = try await together(20) { number in
                try await count(Int64(number + 1), key(2), in: number.isMultiple(of: 2) ? first : second, within: 100)
            }
            #expect(raced.count { $0 == .counted } == 1 && raced.count { $0 == .keyReused } == 19, "\(raced)")
            #expect(
                try await test.number("SELECT coins FROM grant_day")
                    == test.number("SELECT sum(coins)::int8 FROM grant_counted"))
            await second.close()
        }
    }

    @Test func `an account whose totals have grown too large refuses, and others go on`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample())
            let full = Account.fullTotal + 1
            // Nothing but a hand in the tables brings an account there.
            try await test.execute(
                "UPDATE account SET debits = \(full), credits = \(full) + 5 WHERE code = 'wallet:ann:bonus'")
            let refused = try await ledger.submit(Grant.sample("key-2"))
            #expect(refused.refusal == .accountFull)
            #expect(try await ledger.submit(Grant.sample("key-3", to: "bob")).granted != nil)
            try await test.execute("UPDATE account SET debits = 0, credits = 5 WHERE code = 'wallet:ann:bonus'")
            #expect(try await ledger.submit(Grant.sample("key-2")).granted != nil)
        }
    }
}
