import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct SupportTests {
    @Test func `support finds purchases, orders and receipts`() async throws {
        try await Shop.open { shop in
            let payment = try await shop.gateway.pay()
            let purchase = try #require(try await shop.app().present(payment.request).credited?.purchase)
            let order = try await shop.app().order("coins_500")
            try await shop.gateway.fail(#"{"path": "/payments", "kind": "status", "status": 500, "times": 50}"#)
            let undecided = try await shop.gateway.pay()
            _ = try await shop.app().present(undecided.request)

            let client = shop.support()
            let found = try await client.purchases(impUID: payment.impUID)
            #expect(found.map(\.id) == [purchase.id] && found.first?.user == "ann" && found.first?.refunds == [])
            #expect(try await client.purchases(merchantUID: payment.merchantUID) == found)
            #expect(try await client.purchase(purchase.id) == found.first)
            #expect(try await client.purchases(impUID: undecided.impUID).isEmpty)
            #expect(try await client.orders(of: "ann", status: "open").page().items.map(\.id) == [order.id])
            let waiting = try await client.receipts(of: "ann", status: "waiting").page().items
            #expect(waiting.map(\.impUID) == [undecided.impUID] && waiting.first?.reason == "gateway_unavailable")
            #expect(waiting.first?.decidedAt == nil && waiting.first?.nextAttemptAt != nil)

            let held = String(decoding: try await client.export(of: "ann"), as: UTF8.self).split(separator: "\n")
            #expect(held.contains { $0.contains(payment.impUID) } && held.last == "{\"rows\": \(held.count - 1)}")
            #expect(try await client.export(of: "bob") == Data("{\"rows\": 0}\n".utf8))
            let refused = await failure { try await shop.app().export(of: "ann") }
            #expect(refused?.code == .forbidden)
        }
    }
}
