import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Random terms, captures, reversals and payouts, beside a model that only multiplies and adds.
@Suite(.timeLimit(.minutes(20))) struct ProviderHistoryTests {
    @Test(arguments: Effort.seeds(upTo: 2))
    func `six hundred random acts leave what the model says, and the doctor finds nothing`(seed: UInt64) async throws {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: seed)
            var model = Model()
            for number in 0..<6 {
                _ = try await ledger.credit(
                    .sample(number, by: "user-\(number)", coins: 100_000, bonus: 500, won: 777_777))
            }
            for step in 0..<600 {
                try await act(step, &model, &random, on: ledger)
                if step.isMultiple(of: 150) { try await Audit.expectSound(test) }
            }
            for provider in Model.providers {
                #expect(try await ledger.owed(provider) == model.owed(provider), "\(provider)")
            }
            #expect(try await test.balance(of: .commission) == model.commission)
            #expect(try await test.balance(of: .providerCosts) == model.cost)
            #expect(try await test.balance(of: .bank) == -model.paid)
            #expect(!model.repaid.isEmpty && model.paid > 0 && model.commission > 0 && model.cost > 0)
            try await Audit.expectSound(test)
        }
    }

    private func act(
        _ step: Int, _ model: inout Model, _ random: inout SplitMix64, on ledger: Ledger
    ) async throws {
        let provider = sure(Model.providers.randomElement(using: &random))
        let product = Bool.random(using: &random) ? ["song", "video", "letter"].randomElement(using: &random) : nil
        switch Int.random(in: 0..<22, using: &random) {
        case 20...21:
            let won = Int64.random(in: 1...3000, using: &random)
            let repaid = try await ledger.repay(won, "repayment-\(step)", by: provider).repaid
            #expect((repaid != nil) == (won <= -model.owed(provider)))
            if repaid != nil { model.repaid[provider, default: 0] += won }
        case 0:
            let terms = Model.Terms(
                share: .random(in: 0...10_000, using: &random), isAgent: .random(using: &random))
            let product = model.terms[provider] == nil ? nil : product
            try await ledger.setTerms(provider, terms.share, terms.isAgent ? .agent : .principal, item: product)
            model.terms[provider, default: [:]][product] = terms
        case 1...11:
            let coins = Int64.random(in: 1...700, using: &random)
            let captured = try await ledger.capture(
                "capture-\(step)", of: "user-\(Int.random(in: 0..<6, using: &random))", coins, for: provider,
                item: product)
            model.capture(captured, for: provider, product)
        case 12...16:
            guard let index = model.captures.indices.randomElement(using: &random) else { return }
            let capture = model.captures[index]
            let coins = Bool.random(using: &random) ? Coins(.random(in: 1...500, using: &random)) : nil
            let back = try await ledger.submit(
                ReverseRedemption.sample("back-\(step)", of: capture.redemption, coins: coins?.count))
            if let reversed = back.reversed { model.captures[index].won -= reversed.lots.amount }
        default:
            let named = Bool.random(using: &random) ? [provider] : nil
            guard let payout = try await ledger.propose("payout-\(step)", to: named).payout else { return }
            if Int.random(in: 0..<3, using: &random) == 0 {
                _ = try await ledger.payouts.withdraw(payout.id, by: "lee", because: nil)
                return
            }
            _ = try await ledger.payouts.approve(payout.id, by: "lee")
            let before = model.unpaid
            let paid = try await ledger.pay(payout, "payment-\(step)").payoutPaid
            // Claims stay; whoever is owed something gets all of it.
            let due = before.filter { $0.value > 0 && named?.contains($0.key) ?? true }
            #expect(paid?.amount == due.values.reduce(0, +))
            for (provider, amount) in due { model.paidOut[provider, default: 0] += amount }
        }
    }

    /// What is owed, by multiplication.
    private struct Model {
        static let providers = ["agnes", "bert", "carl"]

        struct Terms {
            let share: Int64
            let isAgent: Bool
        }

        struct Capture {
            let redemption: Redemption
            let provider: String
            let terms: Terms?
            /// The won that did not come back.
            var won: Int64

            var share: Int64 { terms.map { won * $0.share / 10_000 } ?? 0 }
        }

        /// By provider and product; nil: all others.
        var terms: [String: [String?: Terms]] = [:]
        var captures: [Capture] = []
        var paidOut: [String: Int64] = [:]
        var repaid: [String: Int64] = [:]

        mutating func capture(_ redemption: Redemption, for provider: String, _ product: String?) {
            let found = terms[provider].flatMap { $0[product] ?? $0[nil] }
            captures.append(
                Capture(redemption: redemption, provider: provider, terms: found, won: redemption.left.amount))
        }

        func owed(_ provider: String) -> Int64 {
            captures.filter { $0.provider == provider }.reduce(0) { $0 + $1.share } - paidOut[provider, default: 0]
                + repaid[provider, default: 0]
        }

        var unpaid: [String: Int64] {
            Dictionary(uniqueKeysWithValues: Self.providers.map { ($0, owed($0)) })
        }
        var paid: Int64 { paidOut.values.reduce(0, +) - repaid.values.reduce(0, +) }
        var commission: Int64 {
            captures.filter { $0.terms?.isAgent == true }.reduce(0) { $0 + $1.won - $1.share }
        }
        var cost: Int64 { captures.filter { $0.terms?.isAgent == false }.reduce(0) { $0 + $1.share } }
    }
}
