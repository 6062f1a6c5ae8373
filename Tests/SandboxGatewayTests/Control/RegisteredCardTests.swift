import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

private let path = "/subscribe/payments/again"

/// Charges of registered cards, without a payment window.
@Suite(.timeLimit(.minutes(20))) struct RegisteredCardTests {
    @Test func `V1 charges a card, tells the card, and charges an order once`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let paid = try await sandbox.call(.post, path, json: Self.v1("card-1", "order-1"))
            #expect(paid["response"]["status"] == .string("paid"))
            #expect(paid["response"]["customer_uid"] == .string("card-1"))
            #expect(paid["response"]["customer_uid_usage"] == .string("payment"))
            #expect(!paid.text.contains("billing_key"))
            let again = try await sandbox.call(.post, path, json: Self.v1("card-1", "order-1"))
            #expect(again.status == 200 && again.code == .int(1))
            let failed = try await sandbox.call(.post, path, json: Self.v1("declined", "order-2"))
            #expect(failed.code == .int(0) && failed["response"]["status"] == .string("failed"))
            let none = try await sandbox.call(.post, path, json: Self.v1("deleted", "order-3"))
            #expect(none.status == 200 && none.code == .int(1))
        }
    }

    @Test func `V2 charges a billing key, which is not the customer's id`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let paid = try await sandbox.callV2(.post, "/payments/order-1/billing-key", json: Self.v2("card-1"))
            #expect(paid.status == 200, "\(paid.text)")
            let found = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(found["pgTxId"] == paid["payment"]["pgTxId"] && found["billingKey"] == .string("card-1"))
            #expect(found["customer"]["id"] == .null && found["amount"]["taxFree"] == .int(300))
            let attempts = try await sandbox.callV2(.get, "/payments/order-1/transactions")
            #expect(attempts["items"].elements.map { $0["billingKey"].text } == ["card-1"])
            let again = try await sandbox.callV2(.post, "/payments/order-1/billing-key", json: Self.v2("card-1"))
            #expect(again.status == 409 && again["type"] == .string("ALREADY_PAID"))
            let failed = try await sandbox.callV2(.post, "/payments/order-2/billing-key", json: Self.v2("declined"))
            #expect(failed.status == 502 && failed["type"] == .string("PG_PROVIDER"))
            #expect(try await sandbox.callV2(.get, "/payments/order-2")["status"] == .string("FAILED"))
            let none = try await sandbox.callV2(.post, "/payments/order-3/billing-key", json: Self.v2("deleted"))
            #expect(none.status == 404 && none["type"] == .string("BILLING_KEY_NOT_FOUND"))
        }
    }

    private static func v1(_ card: String, _ order: String) -> String {
        #"{"customer_uid": "\#(card)", "merchant_uid": "\#(order)", "amount": 1000, "name": "coins"}"#
    }

    private static func v2(_ card: String) -> String {
        #"""
        {"billingKey": "\#(card)", "orderName": "coins", "currency": "KRW", "amount": {"total": 1000, "taxFree": 300}}
        """#
    }
}
