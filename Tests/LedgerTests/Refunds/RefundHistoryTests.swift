import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Refunds among all that happens to coins, at random, beside a gateway that remembers what it gave back.
@Suite(.timeLimit(.minutes(20))) struct RefundHistoryTests {
    @Test(arguments: Effort.seeds(upTo: 3))
    func `after random acts the books are sound and agree with the gateway`(seed: UInt64) async throws {
        try await TestLedger.with { ledger, test in
            var history = History(seed: seed)
            for step in 1...250 {
                try await history.step(step, ledger)
                if step.isMultiple(of: 50) { try await Audit.expectSound(test) }
            }
            try await history.settle(ledger)
            try await Audit.expectSound(test)
            for (id, cancelled) in history.cancelled {
                let purchase = try #require(try await ledger.purchases.find(id))
                #expect(purchase.refundedAmount == cancelled, "\(purchase)")
            }
            #expect(history.completed > 5 && history.released > 2 && history.clawedBack > 5)
        }
    }
}

private struct History {
    private var random: SplitMix64
    private var purchases: [Purchase] = []
    private var pending: [Refund] = []
    /// What the gateway has cancelled, by purchase.
    private(set) var cancelled: [Int64: Int64] = [:]
    private(set) var completed = 0
    private(set) var released = 0
    private(set) var clawedBack = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func step(_ number: Int, _ ledger: Ledger) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: try await buy(number, ledger)
        case 2: _ = try await ledger.submit(Spend.sample("spend-\(number)", coins: some(60)))
        case 3: _ = try await ledger.submit(PlaceHold.sample("hold-\(number)", coins: some(30)))
        case 4: _ = try await ledger.submit(Grant.sample("grant-\(number)", coins: some(80)))
        case 5: try await cancelInConsole(ledger)
        case 6, 7, 8: try await begin(number, ledger)
        default: try await decide(ledger)
        }
    }

    /// Decides what is pending, and hears of everything that the gateway cancelled.
    mutating func settle(_ ledger: Ledger) async throws {
        while !pending.isEmpty { try await decide(ledger) }
        for purchase in purchases { try await hear(purchase, ledger) }
    }

    private mutating func buy(_ number: Int, _ ledger: Ledger) async throws {
        let purchase = try await ledger.buy(
            .sample(number, coins: some(150), bonus: some(20) - 1, won: some(3000)))
        purchases.append(purchase)
        cancelled[purchase.id] = 0
    }

    private mutating func begin(_ number: Int, _ ledger: Ledger) async throws {
        guard let purchase = purchases.randomElement(using: &random) else { return }
        let fee = [0, 0, 7, 50].randomElement(using: &random) ?? 0
        let coins = Bool.random(using: &random) ? some(80) : nil
        let answer = try await ledger.submit(
            BeginRefund.sample("refund-\(number)", of: purchase.id, coins: coins, feePercent: Int64(fee)))
        if let refund = answer.begun { pending.append(refund) }
    }

    /// The gateway carries a refund out if it finds the balance that we believed in, and now and then refuses it.
    private mutating func decide(_ ledger: Ledger) async throws {
        guard let place = pending.indices.randomElement(using: &random) else { return }
        let refund = pending.remove(at: place)
        let purchase = try #require(purchases.first { $0.id == refund.purchaseID })
        let before = sure(cancelled[purchase.id])
        if purchase.amount - before == refund.believedBalance, Int.random(in: 0..<4, using: &random) > 0 {
            try #require(before + refund.amount <= purchase.amount)
            cancelled[purchase.id] = before + refund.amount
            if Bool.random(using: &random) { try await hear(purchase, ledger) }
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            completed += 1
        } else {
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            released += 1
        }
        try await hear(purchase, ledger)
    }

    private mutating func cancelInConsole(_ ledger: Ledger) async throws {
        guard let purchase = purchases.randomElement(using: &random), let before = cancelled[purchase.id],
            before < purchase.amount
        else { return }
        let isWhole = Int.random(in: 0..<4, using: &random) == 0
        let amount =
            isWhole ? purchase.amount - before : Int64.random(in: 1...(purchase.amount - before), using: &random)
        cancelled[purchase.id] = before + amount
        if Bool.random(using: &random) { try await hear(purchase, ledger) }
    }

    private mutating func hear(_ purchase: Purchase, _ ledger: Ledger) async throws {
        if try await !ledger.clawBack(purchase, sure(cancelled[purchase.id])).isRepeat { clawedBack += 1 }
    }

    private mutating func some(_ most: Int64) -> Int64 { .random(in: 1...most, using: &random) }
}
