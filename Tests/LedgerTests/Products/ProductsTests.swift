import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(15))) struct ProductsTests {
    @Test func `products are added, changed and retired, and each version is kept`() async throws {
        try await TestLedger.with { ledger, test in
            let shop = ledger.products
            let first = try await shop.add(Self.draft("coins_100", won: 1000))
            _ = try await shop.add(Self.draft("coins_50", won: 500))
            #expect(try await shop.list().map(\.code) == ["coins_50", "coins_100"])
            let changed = try await shop.change("coins_100") { $0.price = sure(Price(won: 1200)) }
            #expect(changed.price.amount == 1200 && changed.activeUntil == nil)
            let since = try await shop.list(since: first.activeFrom)
            #expect(since.filter { $0.code == "coins_100" }.map(\.price.amount) == [1000, 1200])
            #expect(try await shop.list(since: changed.activeFrom).map(\.price.amount).sorted() == [500, 1200])
            #expect(try await shop.retire("coins_100").activeUntil != nil)
            #expect(try await shop.list().map(\.code) == ["coins_50"])
            #expect(try await shop.list(since: changed.activeFrom).count == 2)
            #expect(try await test.number("SELECT count(*) FROM product") == 3)
            #expect(try await shop.add(Self.draft("coins_100", won: 1000)).code == "coins_100")
        }
    }

    @Test func `what contradicts what is on sale is told as the caller's mistake`() async throws {
        try await TestLedger.with { ledger, _ in
            let shop = ledger.products
            _ = try await shop.add(Self.draft("a", won: 1000))
            _ = try await shop.add(Self.draft("b", won: 2000))
            await Self.expectInvalid("code") { _ = try await shop.add(Self.draft("a", won: 3000)) }
            await Self.expectInvalid("price") { _ = try await shop.add(Self.draft("c", won: 1000)) }
            await Self.expectInvalid("price") { _ = try await shop.change("b") { $0.price = sure(Price(won: 1000)) } }
            await Self.expectInvalid("code") { _ = try await shop.add(Self.draft("no spaces", won: 1)) }
            await Self.expectInvalid("title") { _ = try await shop.add(Self.draft("d", title: "", won: 1)) }
            await Self.expectInvalid("none") { _ = try await shop.change("none") { _ in } }
            await Self.expectInvalid("none") { _ = try await shop.retire("none") }
            #expect(try await shop.list().map(\.price.amount) == [1000, 2000])
        }
    }

    private static func draft(_ code: String, title: String = "Coins", won: Int64) -> ProductDraft {
        ProductDraft(code: code, title: title, price: sure(Price(won: won)), coins: sure(Coins(won / 10 + 1)))
    }

    private static func expectInvalid(_ word: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it was taken")
        } catch {
            let error = error as? LedgerError
            #expect(error?.code == .invalid && error?.message.contains(word) == true, "\(String(describing: error))")
        }
    }
}
