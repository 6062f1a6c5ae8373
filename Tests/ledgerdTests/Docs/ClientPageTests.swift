import Foundation
import LedgerWire
import Testing

@testable import LedgerServer

/// The browser's samples in docs/client.md.
@Suite(.timeLimit(.minutes(20))) struct ClientPageTests {
    private static func samples() throws -> [String] {
        try DocPage("docs/client.md").text.matches(of: /(?s)\n```html\n(.*?)\n```/).map { String($0.1) }
    }

    @Test func `the browser's samples present receipts, one of each version of PortOne`() throws {
        let presented = try Self.samples().map { sample in
            let members = try #require(sample.firstMatch(of: /present\(\{(.+?)\}\)/), "\(sample)").1
                .matches(of: /(\w+): [\w.]+/).map { "\"\($0.1)\": \"id\"" }
            return try JSONDecoder().decode(
                ReceiptRequest.self, from: Data("{\(members.joined(separator: ", "))}".utf8))
        }
        #expect(presented == [.v1(impUID: "id", merchantUID: "id"), .v2(paymentID: "id")])
    }

    @Test func `the browser's samples use members that an order has`() throws {
        let order = OrderBody(
            id: 7, merchantUID: "order-1", gateway: "portone-v1", product: "coins_100", amount: 1000, currency: "KRW",
            coins: 100, bonusCoins: 0, status: "open", createdAt: .now, expiresAt: .now, purchaseID: nil)
        let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(order))
        let members = Set(try #require(json as? [String: Any]).keys)
        for sample in try Self.samples() {
            let used = Set(sample.matches(of: /order\.(\w+)/).map { String($0.1) })
            #expect(used.isSuperset(of: ["merchant_uid", "amount"]) && used.isSubset(of: members), "\(used)")
        }
    }

    @Test func `what the page names of the API is there`() throws {
        let page = try DocPage("docs/client.md").section("PortOne's payment window").text
        let named = page.matches(of: /`(GET|POST) (\/v1\/[^`]+)`/).map { "\($0.1) \($0.2)" }
        let operations = Set(LedgerServer.Operation.all.map { "\($0.method.rawValue) \($0.path)" })
        #expect(named.count == 2 && operations.isSuperset(of: named), "\(named)")
    }
}
