import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What the products of stores are of ours, and whom the tokens of purchases name.
@Suite(.timeLimit(.minutes(20))) struct StoresTests {
    private static let name = StoreProductName(store: "app-store", app: "com.example.coins", productID: "c100")

    private static func sell(_ code: String, coins: Int64, won: Int64, in ledger: Ledger) async throws {
        _ = try await ledger.products.add(
            ProductDraft(code: code, title: code, price: sure(Price(won: won)), coins: sure(Coins(coins))))
    }

    @Test func `a purchase is of the product that the store's was then, or else of the last one`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.sell("coins_100", coins: 100, won: 1000, in: ledger)
            try await Self.sell("coins_120", coins: 120, won: 1100, in: ledger)
            let stores = ledger.stores
            #expect(try await stores.product(soldAs: Self.name, at: Date()) == nil)
            #expect(try await stores.set(Self.name, to: "coins_900", by: "kim") == nil)
            #expect(try await stores.products().isEmpty)

            let first = try #require(try await stores.set(Self.name, to: "coins_100", by: "kim"))
            #expect(first.product == "coins_100" && first.setBy == "kim")
            #expect(try await stores.set(Self.name, to: "coins_100", by: "lee") == first, "a repeat changes nothing")
            let second = try #require(try await stores.set(Self.name, to: "coins_120", by: "lee"))
            #expect(try await stores.products() == [second] && second.setAt > first.setAt)
            #expect(try await test.number("SELECT count(*) FROM store_product") == 2)

            for (moment, code) in [
                (Date(timeIntervalSince1970: 0), "coins_120"), (first.setAt, "coins_100"), (second.setAt, "coins_120"),
                (.distantFuture, "coins_120"),
            ] {
                #expect(try await stores.product(soldAs: Self.name, at: moment)?.code == code, "\(moment)")
            }
            for other in [
                StoreProductName(store: "google-play", app: Self.name.app, productID: Self.name.productID),
                StoreProductName(store: Self.name.store, app: "com.example.other", productID: Self.name.productID),
                StoreProductName(store: Self.name.store, app: Self.name.app, productID: "C100"),
            ] {
                #expect(try await stores.product(soldAs: other, at: Date()) == nil, "\(other)")
            }
        }
    }

    @Test func `sales of a period are those of the store with an order, and of which something is left`() async throws {
        try await TestLedger.with { ledger, _ in
            func payment(_ number: Int, order: String?) -> PaymentIdentity {
                PaymentIdentity(
                    gateway: "google-play", paymentID: "token-\(number)", merchantUID: "google-play:\(number)",
                    merchantPaymentID: order)
            }
            let whole = payment(1, order: "GPA.1")
            let parted = payment(2, order: "GPA.2")
            let gone = payment(3, order: "GPA.3")
            let other = CreditPurchase.sample(5, payment: .sampleInStore(5))
            for (number, sold) in [whole, parted, gone, payment(4, order: nil)].enumerated() {
                _ = try await ledger.buy(.sample(number + 1, payment: sold, paidAt: other.paidAt))
            }
            _ = try await ledger.buy(other)
            for (payment, amount) in [(parted, 400), (gone, 1000)] {
                _ = try await ledger.submit(
                    ClawBack(user: .named("ann"), payment: payment, cancelledAmount: Int64(amount)))
            }
            let period = other.paidAt - 60..<other.paidAt + 1
            let found = try await ledger.stores.sold(by: "google-play", in: period, after: 0)
            #expect(Set(found.map(\.payment)) == [whole, parted])
            #expect(found.first { $0.payment == parted }?.refunded == 400)
            #expect(found.first { $0.payment == whole }?.refunded == 0)
            let later = other.paidAt + 1..<other.paidAt + 60
            #expect(try await ledger.stores.sold(by: "google-play", in: later, after: 0).isEmpty)

            // Page by page, although all were paid at the same time.
            var (paged, since, last) = ([StoreSaleOfPeriod](), period.lowerBound, Int64(0))
            while let sale = try await ledger.stores.sold(
                by: "google-play", in: since..<period.upperBound, after: last, limit: 1
            ).first, paged.count < 3 {
                paged.append(sale)
                (since, last) = (sale.paidAt, sale.id)
            }
            #expect(paged == found)
        }
    }

    /// The store sells a product also when we no longer do: whoever has paid gets the coins of then.
    @Test func `of our product, the version of then counts, or else the nearest one`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.sell("coins_100", coins: 100, won: 1000, in: ledger)
            _ = try await ledger.stores.set(Self.name, to: "coins_100", by: "kim")
            let changed = try await ledger.products.change("coins_100") { $0.coins = sure(Coins(110)) }
            _ = try await ledger.products.retire("coins_100")
            func coins(at moment: Date) async throws -> Int64? {
                try await ledger.stores.product(soldAs: Self.name, at: moment)?.coins.count
            }
            #expect(try await coins(at: Date(timeIntervalSince1970: 0)) == 100)
            #expect(try await coins(at: changed.activeFrom) == 110)
            #expect(try await coins(at: .distantFuture) == 110)
        }
    }

    @Test func `a token names its user, also after a merge, and nobody when it is unknown`() async throws {
        try await TestLedger.with { ledger, test in
            let stores = ledger.stores
            let token = try await stores.token(of: .named("ann"))
            #expect(try await stores.token(of: .named("ann")) == token)
            let other = try await stores.token(of: .named("cid"))
            #expect(other != token)
            #expect(try await stores.user(of: token) == .named("ann"))
            #expect(try await stores.user(of: UUID()) == nil)

            _ = try await ledger.submit(Grant.sample(to: "ann", coins: 5))
            _ = try await ledger.submit(Grant.sample("grant-2", to: "cid", coins: 5))
            _ = try #require(try await ledger.submit(MergeUsers.sample(into: "cid")).success)
            for known in [token, other] { #expect(try await stores.user(of: known) == .named("cid")) }
            #expect(try await stores.token(of: .named("cid")) == token, "the oldest one")
            // One that the app asked for under the old id just then.
            try await test.execute("INSERT INTO store_account (token, user_id) VALUES ('\(UUID())', 'ann')")
            #expect(try await stores.user(of: stores.token(of: .named("ann"))) == .named("cid"))
        }
    }

    @Test func `a delivery knows how often in a row it was postponed for its reason`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, payment: .sampleInStore(1)))
            func take() async throws -> StoreDelivery {
                try await test.execute("UPDATE store_delivery SET next_attempt_at = now()")
                return try #require(try await ledger.storeDeliveries.takeDue(limit: 1, lease: .seconds(60)).first)
            }
            var seen: [String] = []
            for reason in ["refused", "refused", "server_error", "refused", "refused", "refused"] {
                let delivery = try await take()
                seen.append("\(delivery.reason) \(delivery.inARow)")
                try await ledger.storeDeliveries.postpone(delivery, because: reason, by: .seconds(60))
            }
            #expect(
                seen == ["credited 0", "refused 1", "refused 2", "server_error 1", "refused 1", "refused 2"])
            #expect(try await take().inARow == 3)
        }
    }

    @Test func `first calls at once make tokens that all name the user, of whom one is told from then on`() async throws
    {
        try await TestLedger.with { ledger, _ in
            let tokens = try await withThrowingTaskGroup(of: UUID.self) { group in
                for _ in 1...20 { group.addTask { try await ledger.stores.token(of: .named("ann")) } }
                return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
            }
            for token in tokens { #expect(try await ledger.stores.user(of: token) == .named("ann")) }
            let told = try await ledger.stores.token(of: .named("ann"))
            #expect(try await ledger.stores.token(of: .named("ann")) == told)
        }
    }
}
