import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ShownPaymentsTests {
    @Test func `a payment's order, products and claims are the same, asked for together or each alone`() async throws {
        try await TestLedger.with { ledger, _ in
            let draft = ProductDraft(
                code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)))
            let product = try await ledger.products.add(draft)
            let order = try #require(
                try await ledger.orders.make(
                    OrderDraft(
                        user: .named("ann"), merchantUID: "order_1", gateway: "portone-v1", product: product,
                        lifetime: .seconds(3600), idempotencyKey: nil)))
            _ = try await ledger.products.change("coins_100") { $0.price = sure(Price(won: 1200)) }
            for user in ["bob", "max"] {
                _ = try await ledger.retries.keep(
                    .sample(2), of: .named(user), because: "awaiting_payment", askAgainAfter: .seconds(60))
            }
            let facts = try await together(30) { number in
                let name = "order_\(number % 3 + 1)"
                return try await ledger.shownPayments.facts(
                    of: .sample(number % 3 + 1), presentedAs: name, soldSince: order.createdAt)
            }
            let products = try await ledger.products.list(since: order.createdAt)
            #expect(products.map(\.price.amount) == [1000, 1200])
            for (number, found) in facts.enumerated() {
                #expect(found.order == (number % 3 == 0 ? order : nil))
                #expect(found.products == products)
                let claimants: [UserID] = number % 3 == 1 ? [.named("bob"), .named("max")] : []
                #expect(found.claims.map(\.user) == claimants)
            }
        }
    }
}
