import LedgerTestSupport
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

    /// How many coins are left, or nil when these are counted.
    private func count(
        _ coins: Int64, _ key: CallerKey, in ledger: Ledger, on day: String = "2026-01-31", within limit: Int64
    ) async throws -> Int64? {
        let coins = try #require(Coins(coins))
        return try await ledger.grantCounts.count(coins, under: key, on: day, within: limit)
    }

    @Test func `a day's sum holds across processes, and each caller has its own`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            let left = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for number in 0..<60 {
                    let ledger = number.isMultiple(of: 2) ? first : second
                    group.addTask { try await count(10, key(number), in: ledger, within: 305) }
                }
                return try await group.reduce(into: [Int64?]()) { $0.append($1) }
            }
            #expect(left.count { $0 == nil } == 30)
            #expect(left.compactMap(\.self).allSatisfy { $0 == 5 })
            #expect(try await test.number("SELECT coins FROM grant_day") == 300)
            let last = try await count(5, key(100), in: second, within: 305)
            #expect(last == nil)
            let another = try await count(10, key(101, of: "another"), in: first, within: 305)
            #expect(another == nil)
            let tomorrow = try await count(10, key(102), in: first, on: "2026-02-01", within: 305)
            #expect(tomorrow == nil)
            await second.close()
        }
    }

    @Test func `the same key is counted once, also when it was refused before`() async throws {
        try await TestLedger.with { ledger, test in
            for _ in 0..<3 {
                let counted = try await count(60, key(1), in: ledger, within: 100)
                #expect(counted == nil)
                let refused = try await count(60, key(2), in: ledger, within: 100)
                #expect(refused == 40)
            }
            let tooMuch = try await count(101, key(3), in: ledger, on: "2026-01-30", within: 100)
            #expect(tooMuch == 100)
            #expect(try await test.number("SELECT coins FROM grant_day") == 60)
            let later = try await count(60, key(2), in: ledger, on: "2026-02-01", within: 100)
            #expect(later == nil)
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
