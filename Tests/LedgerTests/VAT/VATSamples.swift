import Foundation
import LedgerTestSupport
import TestSupport

@testable import Ledger

extension Ledger {
    /// Sells under each rule, uses some of it, takes some back, pays a debt in won, settles a payment and lets coins
    /// expire, with VAT.
    func oweVAT() async throws {
        try await setTerms("vera", 8000)
        for (number, rule) in VATRule.allCases.enumerated() {
            let user = "vat-\(rule.rawValue)"
            let purchase = try await buy(.sample(100 + number, by: user, bonus: 0, won: 11_003, vat: rule))
            let spent = try await submit(Spend.sample("vat-spend-\(number)", by: user, coins: 21)).redeemed
            _ = try await submit(ReverseRedemption.sample("vat-back-\(number)", of: spent, coins: 7))
            let captured = try await capture("vat-capture-\(number)", of: user, 33, for: "vera")
            _ = try await submit(ReverseRedemption.sample("vat-undo-\(number)", of: captured, coins: 10))
            _ = try await submit(
                BeginRefund.sample(
                    "vat-refund-\(number)", of: purchase.id, by: user, coins: 10, feePercent: 10, method: .bankTransfer)
            )
        }
        let gone = try await buy(.sample(110, by: "vat-debtor", bonus: 0))
        _ = try await submit(Spend.sample("vat-gone", by: "vat-debtor", coins: 50))
        _ = try await submit(ClawBack.sample(of: gone, 1000))
        _ = try await submit(PayDebtByBank.sample("vat-debt", by: "vat-debtor", won: 500))
        _ = try await settlements.book(
            .sample([("imp_100", 11_003, 300, 30, "2026-11-20")], named: "vat.csv"), by: "kim")
        _ = try await buy(.sample(120, by: "vat-idler", bonus: 0, expiresAt: Date(timeIntervalSinceNow: -60)))
        try await expireLots(of: .named("vat-idler"))
    }
}

/// The won of an entry by account, debits positive.
typealias Won = [String: Int64]

extension TestLedger {
    /// The won that an entry posts, by account without the stripe; debits are positive.
    func won(of entry: Int64) async throws -> Won {
        try await postings(of: entry).filter { account, _ in
            ![
                "coins:issued", "coins:promotions", "coins:redeemed", "coins:expired", "coins:written-off",
                "clearing:coins",
            ].contains(
                account)
                && !["wallet:", "held:", "debt:", "earnings:"].contains { account.hasPrefix($0) }
        }
    }

    /// The last entry of a kind.
    func last(_ kind: String) async throws -> Won {
        // Not by its id: each process takes ids in blocks.
        try await won(
            of: number(
                "SELECT id FROM journal_entry WHERE kind = '\(kind)' ORDER BY recorded_at DESC, id DESC LIMIT 1"))
    }

    /// What is owed to the tax office, what of it was paid ahead, and what it owes.
    var taxes: [Int64] {
        get async throws {
            [
                try await balance(of: .vatPayable), try await balance(of: .vatDeferred),
                try await balance(of: .vatInput),
            ]
        }
    }
}
