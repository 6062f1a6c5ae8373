import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Available coins that cross a threshold are events.
@Suite(.timeLimit(.minutes(20))) struct BalanceCrossingTests {
    /// A crossing, as an event tells it or as it follows from the balances of the events of entries.
    private struct Crossing: Decodable, Equatable, CustomStringConvertible {
        let threshold: Int64
        let before: Int64
        let available: Int64
        let entry: Int64

        enum CodingKeys: String, CodingKey {
            case threshold, before, available
            case entry = "journal_entry_id"
        }

        /// Whether coins fell, which decides the type.
        var isFall: Bool { available < before }
        var description: String { "\(before) to \(available) over \(threshold)" }

        init(_ threshold: Int64, _ before: Int64, _ available: Int64, entry: Int64 = 0) {
            (self.threshold, self.before, self.available, self.entry) = (threshold, before, available, entry)
        }

        /// The thresholds that a change crosses, in the order in which it meets them.
        static func of(_ before: Int64, _ after: Int64, below: [Int64], above: [Int64], entry: Int64) -> [Crossing] {
            let falls = below.filter { before >= $0 && after < $0 }.sorted(by: >)
            let rises = above.filter { before <= $0 && after > $0 }.sorted()
            return (falls + rises).map { Crossing($0, before, after, entry: entry) }
        }
    }

    /// All crossings that events tell, by user, in the events' order; each comes after its entry.
    private static func told(_ events: [Event]) throws -> [UserID: [Crossing]] {
        var seen: Set<Int64> = []
        var told: [UserID: [Crossing]] = [:]
        for event in events {
            if let entry = event.entry { seen.insert(entry.id) }
            guard case .occurrence(let occurrence) = event.content, event.type.rawValue.hasPrefix("balance.") else {
                continue
            }
            let crossing = try occurrence.decode(Crossing.self)
            #expect(event.type == (crossing.isFall ? .balanceFellBelow : .balanceRoseAbove))
            #expect(seen.contains(crossing.entry), "event \(event.seq) comes before its entry")
            let user = try #require(event.user)
            #expect(occurrence.subject == "user:\(user.rawValue)")
            told[user, default: []].append(crossing)
        }
        return told
    }

    private static func coins(_ counts: Int64...) -> [Coins] { counts.map { sure(Coins($0)) } }

    /// The events of ann, without their entries.
    private static func toldOfAnn(by ledger: Ledger) async throws -> [Crossing] {
        try await ledger.events.publisher.publish()
        let told = try Self.told(try await ledger.events.everything(limit: 1000))
        return (told[.named("ann")] ?? []).map { Crossing($0.threshold, $0.before, $0.available) }
    }

    @Test func `a crossing is told once, and to reach a threshold is none`() async throws {
        try await TestLedger.with { ledger, test in
            let set = try await ledger.balanceAlerts.set(
                below: Self.coins(50, 50), above: Self.coins(100), of: .ledger, by: "shop")
            #expect(set.below == [50] && set.above == [100] && set.setBy == "shop")
            _ = try await ledger.credit(.sample(1))  // 110
            _ = try await ledger.submit(Spend.sample("a", coins: 60))  // 50
            _ = try await ledger.submit(Spend.sample("b", coins: 1))  // 49
            _ = try await ledger.submit(Spend.sample("b", coins: 1))
            _ = try await ledger.submit(Grant.sample("c", coins: 51))  // 100
            let placed = try await ledger.submit(PlaceHold.sample("d", coins: 60)).placed  // 40
            _ = try await ledger.submit(VoidHold.sample(of: sure(placed).hold.id))  // 100
            _ = try await ledger.submit(Grant.sample("e", coins: 1))  // 101
            _ = try await ledger.submit(Spend.sample("f", coins: 500))
            #expect(
                try await Self.toldOfAnn(by: ledger) == [
                    Crossing(100, 0, 110), Crossing(50, 50, 49), Crossing(50, 100, 40), Crossing(100, 100, 101),
                ])
            try await Audit.expectSound(test)
        }
    }

    @Test func `whatever moves coins, the crossings are those of the balances that its events tell`() async throws {
        let (below, above): ([Int64], [Int64]) = ([1, 30, 60, 90], [5, 40, 70, 100])
        try await TestLedger.with { ledger, test in
            _ = try await ledger.balanceAlerts.set(
                below: below.map { sure(Coins($0)) }, above: above.map { sure(Coins($0)) }, of: .ledger, by: "shop")
            try await ledger.liveThroughEverything()
            try await ledger.events.publisher.publish()
            let events = try await ledger.events.everything(limit: 1000)
            var available: [UserID: Int64] = [:]
            var expected: [UserID: [Crossing]] = [:]
            for event in events {
                guard let user = event.user, let entry = event.entry, let balance = entry.balance else { continue }
                expected[user, default: []] += Crossing.of(
                    available[user] ?? 0, balance.available, below: below, above: above, entry: entry.id)
                available[user] = balance.available
            }
            let told = try Self.told(events)
            #expect(told == expected.filter { !$0.value.isEmpty })
            #expect(told.values.joined().contains { $0.isFall } && told.values.joined().contains { !$0.isFall })
            try await Audit.expectSound(test)
        }
    }

    @Test func `many acts of a user at the same time cross each threshold once, one after the other`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample(coins: 100))
            let below = Self.coins(90, 50, 20, 10)
            _ = try await ledger.balanceAlerts.set(below: below, above: [], of: .user(.named("ann")), by: "shop")
            _ = try await together(20) { try await ledger.submit(Spend.sample("spend-\($0)", coins: 5)) }
            let told = try await Self.toldOfAnn(by: ledger)
            #expect(told.map(\.threshold) == [90, 50, 20, 10])
            #expect(told.allSatisfy { $0.before == $0.threshold && $0.available == $0.threshold - 5 }, "\(told)")
            try await Audit.expectSound(test)
        }
    }

    @Test func `each act of a batch is compared with the coins that it found`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.balanceAlerts.set(
                below: Self.coins(50), above: Self.coins(60), of: .ledger, by: "shop")
            let writer = try await test.writer()
            let results = await writer.post([
                Grant.sample("a", coins: 61), Grant.sample("b", to: "bob", coins: 50), Spend.sample("c", coins: 11),
                Spend.sample("d", by: "bob", coins: 1), Spend.sample("e", coins: 1), Grant.sample("f", coins: 12),
                Spend.sample("g", coins: 61),
            ])
            #expect(results.allSatisfy { $0.failure == nil })
            #expect(try await test.number("SELECT count(DISTINCT transaction_id) FROM journal_entry") == 1)
            try await ledger.events.publisher.publish()
            let told = try Self.told(try await ledger.events.everything(limit: 100))
            #expect(
                told.mapValues { $0.map { [$0.threshold, $0.before, $0.available] } } == [
                    .named("ann"): [[60, 0, 61], [50, 50, 49], [60, 49, 61], [50, 61, 0]],
                    .named("bob"): [[50, 50, 49]],
                ])
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that pay a debt at once were never available`() async throws {
        try await TestLedger.with { ledger, test in
            let bought = CreditPurchase.sample(1, bonus: 0)
            _ = try await ledger.credit(bought)
            _ = try await ledger.submit(Spend.sample("a", coins: 60))
            _ = try await ledger.balanceAlerts.set(
                below: Self.coins(40), above: Self.coins(30, 70), of: .ledger, by: "shop")
            _ = try await ledger.submit(ClawBack.sample(of: bought, 1000))  // 40 coins are gone, 60 are owed
            _ = try await ledger.credit(.sample(2, bonus: 0))
            #expect(try await Self.toldOfAnn(by: ledger) == [Crossing(40, 40, 0), Crossing(30, 0, 40)])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a user's own thresholds count in place of the ledger's, until they are removed`() async throws {
        try await TestLedger.with { ledger, test in
            let (alerts, ann) = (ledger.balanceAlerts, BalanceAlertOwner.user(.named("ann")))
            _ = try await alerts.set(below: [], above: Self.coins(10), of: .ledger, by: "shop")
            _ = try await alerts.set(below: [], above: Self.coins(7), of: ann, by: "crm")
            _ = try await ledger.submit(Grant.sample("a", coins: 11))
            _ = try await ledger.submit(Grant.sample("b", to: "bob", coins: 11))
            #expect(try await Self.toldOfAnn(by: ledger) == [Crossing(7, 0, 11)])
            _ = try await alerts.set(below: [], above: [], of: ann, by: "crm")
            _ = try await ledger.submit(Spend.sample("c", coins: 11))
            _ = try await ledger.submit(Grant.sample("d", coins: 11))
            #expect(try await Self.toldOfAnn(by: ledger).count == 1, "empty lists: nothing of her is told")
            #expect(try await alerts.find(of: ann)?.setBy == "crm")
            try await alerts.remove(of: ann)
            try await alerts.remove(of: ann)
            #expect(try await alerts.find(of: ann) == nil)
            _ = try await ledger.submit(Spend.sample("e", coins: 11))
            _ = try await ledger.submit(Grant.sample("f", coins: 11))
            #expect(try await Self.toldOfAnn(by: ledger) == [Crossing(7, 0, 11), Crossing(10, 0, 11)])
            #expect(
                try await test.number("SELECT count(*) FROM occurrence WHERE user_id = 'bob'") == 1, "by the ledger's")
            try await Audit.expectSound(test)
        }
    }
}
