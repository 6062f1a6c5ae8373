import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct BuyingTests {
    @Test func `products are read without a token, what waits is credited, and lists have pages`() async throws {
        try await Shop.open { shop in
            try await `products need no token`(shop.anew())
            try await `a payment that is not made yet waits, and is credited when it is`(shop.anew())
            try await `a list is the same in pages of any size`(shop.anew())
        }
    }

    @Test func `an app buys what is on sale and reads what came of it`() async throws {
        try await Shop.open { shop in
            let app = shop.app()
            let products = try await app.products()
            #expect(products.map(\.code) == ["coins_100", "coins_500"] && products.map(\.bonusCoins) == [0, 50])
            let order = try await app.order("coins_500", key: "first")
            #expect(order.amount == 5000 && order.status == "open" && order.purchaseID == nil)
            #expect(try await app.order("coins_500", key: "first") == order)

            let payment = try await shop.gateway.pay(
                "5000", as: Payment(impUID: Payment.unmade().impUID, merchantUID: order.merchantUID))
            let credited = sure(try await app.present(payment.request).credited)
            #expect(credited.purchase?.product == "coins_500" && credited.purchase?.merchantUID == order.merchantUID)
            #expect(credited.balance.total == 550 && credited.balance.bonus == 50 && credited.balance.user == "ann")
            #expect(try await app.present(payment.request).credited == credited)

            let paid = try await app.order(order.id)
            #expect(paid.status == "paid" && paid.purchaseID == credited.purchase?.id)
            #expect(try await app.orders().page().items == [paid])
            let purchase = try await app.me.purchase(sure(credited.purchase).id)
            #expect(purchase.id == sure(credited.purchase).id && purchase.amount == 5000 && purchase.refunds == [])
            #expect(try await app.me.purchases().page().items == [purchase])
            #expect(try await app.me.balance() == credited.balance)
            let entries = try await app.me.statement().page().items
            #expect(entries.map(\.kind) == ["purchase"] && entries.map(\.coins) == [550])
            #expect(try await app.me.balance(at: entries[0].recordedAt) == credited.balance)
            #expect(try await app.me.balance(at: entries[0].effectiveAt.addingTimeInterval(-3600)).total == 0)
            #expect(try await app.me.lots().page().items.map(\.kind).sorted() == ["bonus", "paid"])
            #expect(try await app.me.lots(expiringBefore: Date()).page().items.isEmpty)
            #expect(try await app.me.holds().page().items.isEmpty)
        }
    }

    private func `products need no token`(_ shop: Shop) async throws {
        let client = LedgerClient(url: shop.relay.url) { _ in throw CocoaError(.userCancelled) }
        let products = try await client.products()
        #expect(products.count == 2)
        #expect(!sure(shop.relay.requests.first).contains("Authorization"))
    }

    private func `a payment that is not made yet waits, and is credited when it is`(_ shop: Shop) async throws {
        let payment = try await shop.gateway.pay("1000", #", "status": "ready", "pay_method": "vbank""#)
        let waiting = sure(try await shop.app().present(payment.request).waiting)
        #expect(waiting.code == "awaiting_payment" && waiting.retryable)
        try await shop.gateway.change(payment, to: "paid")
        #expect(try await shop.app().present(payment.request).credited?.balance.total == 100)
    }

    private func `a list is the same in pages of any size`(_ shop: Shop) async throws {
        for number in 1...7 {
            _ = try await shop.other().grant(
                GrantRequest(coins: Int64(number), reason: "page"), to: "cat", key: "\(number)")
        }
        let before = shop.relay.requests.count
        var coins: [Int64] = []
        for try await entry in shop.app(of: "cat").me.statement(pageSize: 3) { coins.append(entry.coins) }
        #expect(coins == [7, 6, 5, 4, 3, 2, 1])
        #expect(shop.relay.requests.count - before == 3)
        coins = []
        for try await entry in shop.app(of: "cat").me.statement(pageSize: 7) { coins.append(entry.coins) }
        #expect(coins == [7, 6, 5, 4, 3, 2, 1])

        let first = try await shop.app(of: "cat").me.lots(pageSize: 5).page()
        let second = try await shop.app(of: "cat").me.lots(pageSize: 5).page(after: first.nextCursor)
        #expect(first.items.count == 5 && second.items.count == 2 && second.nextCursor == nil)
        let wrong = await failure { try await shop.app(of: "cat").me.lots().page(after: "nonsense") }
        #expect(wrong?.code == "invalid_request")
    }
}
