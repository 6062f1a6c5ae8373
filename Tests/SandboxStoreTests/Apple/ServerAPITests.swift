import Crypto
import FoundationEssentials
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// The App Store Server API.
@Suite(.timeLimit(.minutes(20))) struct ServerAPITests {
    private static let token = "6f1c0000-0000-4000-8000-00000000abcd"

    // MARK: Tokens

    /// A token with something wrong.
    struct BadToken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var header: [String: JSONValue] = [:]
        var claims: [String: JSONValue] = [:]
        var hasOtherKey = false
        var scheme: String? = "Bearer "

        static let all = [
            BadToken(testDescription: "kid", header: ["kid": .string("OTHER")]),
            BadToken(testDescription: "alg", header: ["alg": .string("HS256")]),
            BadToken(testDescription: "iss", claims: ["iss": .string("other")]),
            BadToken(testDescription: "bid", claims: ["bid": .string("com.example.other")]),
            BadToken(testDescription: "aud", claims: ["aud": .string("other")]),
            BadToken(testDescription: "expired", claims: ["exp": .int(1_700_000_000)]),
            BadToken(testDescription: "no exp", claims: ["exp": .null]),
            BadToken(testDescription: "key", hasOtherKey: true),
            BadToken(testDescription: "scheme", scheme: "Basic "), BadToken(testDescription: "none", scheme: nil),
        ]
    }

    @Test(arguments: BadToken.all)
    func `a token with anything wrong is answered with 401 and no body`(bad: BadToken) async throws {
        try await StoreUnderTest.run { store in
            let path = "/apple/production/inApps/v1/transactions/1"
            let token = try store.token(
                header: bad.header, claims: bad.claims, key: bad.hasOtherKey ? P256.Signing.PrivateKey() : nil)
            let answer = try await store.send(.get, path, authorization: bad.scheme.map { $0 + token })
            #expect(answer.status == 401 && answer.text.isEmpty && answer.contentType == nil)
        }
    }

    @Test func `a token is judged by the machine's time, not by the time that a test advanced`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 864000}"#)
            #expect(try await store.call(.get, "v1/transactions/1").status == 404)
            let old = try store.token()
            store.clock.advance(by: 300)
            let path = "/apple/production/inApps/v1/transactions/1"
            #expect(try await store.send(.get, path, authorization: "Bearer \(old)").status == 401)
        }
    }

    @Test func `the production of an app that was never released refuses every token`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "apple/app", #"{"is_released": false}"#)
            #expect(try await store.call(.get, "v1/transactions/1").status == 401)
            #expect(try await store.call(.post, "v1/notifications/test").status == 401)
            #expect(try await store.call(.get, "v1/transactions/1", .sandbox)["errorCode"] == .int(4_040_010))
        }
    }

    // MARK: Transactions

    @Test func `a transaction has its members, all times in milliseconds`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.buy(
                #""quantity": 3, "app_account_token": "\#(Self.token)", "purchased_at": 1699999000"#)
            let id = bought["transaction_id"].text
            let answer = try await store.call(.get, "v1/transactions/\(id)")
            #expect(answer.status == 200 && answer.contentType == "application/json")
            let payload = StoreUnderTest.payload(answer["signedTransactionInfo"])
            let expected: [String: JSONValue] = [
                "transactionId": .string(id), "originalTransactionId": .string(id),
                "bundleId": .string("com.example.coins"), "productId": .string("coins_100"),
                "type": .string("Consumable"), "quantity": .int(3), "price": .int(3_600_000),
                "currency": .string("KRW"), "storefront": .string("KOR"), "storefrontId": .string("143466"),
                "environment": .string("Production"), "inAppOwnershipType": .string("PURCHASED"),
                "purchaseDate": .int(1_699_999_000_000), "originalPurchaseDate": .int(1_699_999_000_000),
                "signedDate": .int(1_700_000_000_000), "transactionReason": .string("PURCHASE"),
                "appTransactionId": bought["app_transaction_id"], "appAccountToken": .string(Self.token),
            ]
            #expect(payload == .object(expected))
        }
    }

    @Test func `a transaction is of one environment, and malformed ids are refused`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy(#""environment": "Sandbox""#)["transaction_id"].text
            let elsewhere = try await store.call(.get, "v1/transactions/\(id)")
            #expect(elsewhere.status == 404 && elsewhere["errorCode"] == .int(4_040_010))
            #expect(elsewhere["errorMessage"] != .null && elsewhere.contentType == "application/json")
            #expect(try await store.call(.get, "v1/transactions/\(id)", .sandbox).status == 200)
            let malformed = try await store.call(.get, "v1/transactions/x1")
            #expect(malformed.status == 400 && malformed["errorCode"] == .int(4_000_006))
        }
    }

    @Test func `a late transaction is not found at first, with the code that says so`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy(#""late_lookups": 2"#)["transaction_id"].text
            for _ in 1...2 {
                let early = try await store.call(.get, "v1/transactions/\(id)")
                #expect(early.status == 404 && early["errorCode"] == .int(4_040_006))
            }
            #expect(try await store.call(.get, "v1/transactions/\(id)").status == 200)
        }
    }

    @Test func `the fault refusal is Apple's retryable error`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "faults", #"{"path": "/apple/production/*", "kind": "refusal"}"#)
            let refused = try await store.call(.get, "v1/transactions/1")
            #expect(refused.status == 500 && refused["errorCode"] == .int(5_000_001))
            #expect(try await store.call(.get, "v1/transactions/1").status == 404)
        }
    }

    @Test func `a finished transaction stays finished since the first time`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy()["transaction_id"].text
            let left = "apple/purchases?customer=customer-1&unfinished=true"
            #expect(try await store.control(.get, left)["purchases"].elements.count == 1)
            for _ in 1...2 {
                #expect(try await store.call(.post, "v1/transactions/\(id)/finish").status == 200)
                store.clock.advance(by: 60)
            }
            let shown = try await store.control(.get, "apple/purchases/\(id)")
            #expect(shown["finished_at"].text.hasPrefix("2023-11-14T22:13:20"))
            #expect(try await store.control(.get, left)["purchases"].elements.isEmpty)
        }
    }

    @Test func `an app account token is set or replaced, but not everywhere`() async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy()["transaction_id"].text
            let later = try await store.buy(#""original_transaction_id": "\#(id)""#)["transaction_id"].text
            let family = try await store.buy(#""ownership": "FAMILY_SHARED""#)["transaction_id"].text
            func set(_ id: String, _ token: String) async throws -> JSONValue {
                let body = #"{"appAccountToken": "\#(token)"}"#
                let answer = try await store.call(.put, "v1/transactions/\(id)/appAccountToken", json: body)
                return answer.status == 200 ? .int(200) : answer["errorCode"]
            }
            #expect(try await set(id, Self.token) == .int(200))
            let info = try await store.call(.get, "v1/transactions/\(id)")["signedTransactionInfo"]
            #expect(StoreUnderTest.payload(info)["appAccountToken"] == .string(Self.token))
            #expect(try await set(id, "x") == .int(4_000_183))
            #expect(try await set(family, Self.token) == .int(4_000_185))
            #expect(try await set(later, Self.token) == .int(4_000_187))
            #expect(try await set("1", Self.token) == .int(4_040_005))
        }
    }

    private static let consumption =
        #""customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED""#

    /// Bodies, and the status or the code of the answer.
    private static let consumptions: [(String, Int)] = [
        (#""customerConsented": false, "sampleContentProvided": false, "deliveryStatus": "DELIVERED""#, 4_000_035),
        (#""sampleContentProvided": false, "deliveryStatus": "DELIVERED""#, 4_000_035),
        (#""customerConsented": true, "deliveryStatus": "DELIVERED""#, 4_000_041),
        (#""customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "LOST""#, 4_000_036),
        (#"\#(consumption), "consumptionPercentage": 100001"#, 4_000_000),
        (#"\#(consumption), "refundPreference": "GRANT_PRORATED""#, 4_000_000),
        (#"\#(consumption), "refundPreference": "GRANT_PRORATED", "consumptionPercentage": 0"#, 4_000_000),
        (#"\#(consumption), "refundPreference": "PERHAPS""#, 4_000_000),
        (#"\#(consumption), "refundPreference": "DECLINE""#, 202),
        (#"\#(consumption), "refundPreference": "GRANT_PRORATED", "consumptionPercentage": 40000"#, 202),
        (consumption, 202),
    ]

    @Test(arguments: consumptions)
    func `what is said about consumption is checked and kept`(body: String, result: Int) async throws {
        try await StoreUnderTest.run { store in
            let id = try await store.buy()["transaction_id"].text
            let answer = try await store.call(.put, "v2/transactions/consumption/\(id)", json: "{\(body)}")
            #expect((answer.status == 202 ? .int(202) : answer["errorCode"]) == .int(result), "\(answer)")
            let kept = try await store.control(.get, "apple/purchases/\(id)")["consumption"].elements
            #expect(kept.count == (result == 202 ? 1 : 0))
            let other = try await store.buy(#""type": "Non-Renewing Subscription""#)["transaction_id"].text
            let unsupported = try await store.call(
                .put, "v2/transactions/consumption/\(other)", json: "{\(Self.consumption)}")
            #expect(unsupported["errorCode"] == .int(4_000_047))
        }
    }

    // MARK: Lists

    @Test func `a history is read in pages, and only version 2 has finished consumables`() async throws {
        try await StoreUnderTest.run { store in
            var ids: [String] = []
            for _ in 1...21 { ids.append(try await store.buy()["transaction_id"].text) }
            _ = try await store.buy(#""customer": "customer-2""#)
            let first = try await store.call(.get, "v2/history/\(ids[5])")
            #expect(Self.ids(first) == Array(ids.prefix(20)) && first["hasMore"] == .bool(true))
            #expect(first["bundleId"] == .string("com.example.coins") && first["appAppleId"] == .int(1_234_567_890))
            let revision = first["revision"].text
            let second = try await store.call(.get, "v2/history/\(ids[0])?revision=\(revision)")
            #expect(Self.ids(second) == [ids[20]] && second["hasMore"] == .bool(false))
            // What changes comes again, at the end.
            _ = try await store.call(.post, "v1/transactions/\(ids[3])/finish")
            let last = second["revision"].text
            #expect(Self.ids(try await store.call(.get, "v2/history/\(ids[0])?revision=\(last)")) == [ids[3]])
            let old = try await store.call(.get, "v1/history/\(ids[0])?revision=\(revision)")
            #expect(Self.ids(old) == [ids[20]])
            let descending = try await store.call(.get, "v2/history/\(ids[0])?sort=DESCENDING")
            #expect(Self.ids(descending).prefix(2) == [ids[3], ids[20]])
        }
    }

    @Test func `a history is filtered`() async throws {
        try await StoreUnderTest.run { store in
            let early = try await store.buy(#""purchased_at": 1600000000"#)["transaction_id"].text
            let other = try await store.buy(#""product_id": "x", "type": "Non-Consumable""#)["transaction_id"].text
            let refunded = try await store.buy(#""ownership": "FAMILY_SHARED""#)["transaction_id"].text
            _ = try await store.change(refunded, #""act": "refund""#)
            for (query, expected) in [
                ("productId=coins_100", [early, refunded]),
                ("productId=x&productId=coins_100", [early, other, refunded]),
                ("productType=NON_CONSUMABLE", [other]), ("revoked=True", [refunded]),
                ("revoked=false", [early, other]),
                ("inAppOwnershipType=FAMILY_SHARED", [refunded]), ("endDate=1600000001000", [early]),
                ("startDate=1600000001000", [other, refunded]),
            ] {
                let answer = try await store.call(.get, "v2/history/\(early)?\(query)")
                #expect(Self.ids(answer) == expected, "\(query): \(answer)")
            }
            for (query, code) in [
                ("revision=x", 4_000_005), ("startDate=x", 4_000_015), ("endDate=x", 4_000_016),
                ("startDate=2&endDate=1", 4_000_013), ("sort=UP", 4_000_021), ("productType=COIN", 4_000_022),
                ("inAppOwnershipType=LENT", 4_000_026), ("revoked=perhaps", 4_000_030),
            ] {
                let answer = try await store.call(.get, "v2/history/\(early)?\(query)")
                #expect(answer["errorCode"] == .int(code), "\(query)")
            }
        }
    }

    @Test func `refunds come in the order of their dates`() async throws {
        try await StoreUnderTest.run { store in
            var ids: [String] = []
            for _ in 1...3 { ids.append(try await store.buy()["transaction_id"].text) }
            for id in ids.reversed() { _ = try await store.change(id, #""act": "refund""#) }
            let all = try await store.call(.get, "v2/refund/lookup/\(ids[0])")
            #expect(Self.ids(all) == ids.reversed() && all["hasMore"] == .bool(false))
            _ = try await store.change(ids[1], #""act": "reverse_refund""#)
            #expect(Self.ids(try await store.call(.get, "v2/refund/lookup/\(ids[0])")) == [ids[2], ids[0]])
            let after = try await store.call(.get, "v2/refund/lookup/\(ids[0])?revision=\(all["revision"].text)")
            #expect(after["signedTransactions"] == .array([]))
        }
    }

    @Test func `an order is found by the id in the customer's mail`() async throws {
        try await StoreUnderTest.run { store in
            let one = try await store.buy(#""order_id": "MK5TTTVWJH""#)["transaction_id"].text
            let two = try await store.buy(#""order_id": "MK5TTTVWJH""#)["transaction_id"].text
            let found = try await store.call(.get, "v1/lookup/MK5TTTVWJH")
            #expect(found["status"] == .int(0) && Self.ids(found) == [one, two])
            let unknown = try await store.call(.get, "v1/lookup/MK5TTTVWJX")
            #expect(unknown.status == 200 && unknown["status"] == .int(1))
            #expect(try await store.call(.get, "v1/lookup/MK5TTTVWJH", .sandbox)["status"] == .int(1))
        }
    }

    // MARK: Limits

    @Test func `too many requests in an hour are refused until it ends, in milliseconds`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "apple/limits", #"{"call": "get_transaction_info", "per_hour": 2}"#)
            func status() async throws -> Answer { try await store.call(.get, "v1/transactions/1") }
            for _ in 1...2 { #expect(try await status().status == 404) }
            let refused = try await status()
            #expect(refused.status == 429 && refused["errorCode"] == .int(4_290_000))
            // The next whole hour after 1,700,000,000.
            #expect(refused.retryAfter == "1700002800000")
            #expect(try await store.call(.get, "v1/transactions/1", .sandbox).status == 404)
            #expect(try await store.call(.get, "v2/history/1").status == 404)
            store.clock.advance(by: 2800)
            #expect(try await status().status == 404)
        }
    }

    @Test func `the sandbox allows a tenth`() {
        #expect(AppleCall.transactionInfo.perHour(in: .production) == 180_000)
        #expect(AppleCall.transactionInfo.perHour(in: .sandbox) == 18_000)
        #expect(AppleCall.testNotification.perHour(in: .sandbox) == 360)
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer["signedTransactions"].elements.map { StoreUnderTest.payload($0)["transactionId"].text }
    }
}
