import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// The list of voided purchases.
@Suite(.timeLimit(.minutes(20))) struct VoidedPurchasesTests {
    private static let path = "purchases/voidedpurchases"

    /// Buys and refunds, a second apart, and returns the order ids.
    private static func refund(_ count: Int, _ store: StoreUnderTest) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count {
            let bought = try await store.play()
            _ = try await store.playChange(bought["purchase_token"].text, #""act": "refund""#)
            ids.append(bought["order_id"].text)
            store.clock.advance(by: 1)
        }
        return ids
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer["voidedPurchases"].elements.map { $0["orderId"].text }
    }

    @Test func `a voided purchase has its members`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""purchased_at": 1699999000"#)
            _ = try await store.playChange(bought["purchase_token"].text, #""act": "refund", "reason": 1, "source": 0"#)
            let expected: [String: JSONValue] = [
                "kind": .string("androidpublisher#voidedPurchase"), "purchaseToken": bought["purchase_token"],
                "orderId": bought["order_id"], "purchaseTimeMillis": .string("1699999000000"),
                "voidedTimeMillis": .string("1700000000000"), "voidedReason": .int(1), "voidedSource": .int(0),
            ]
            let answer = try await store.google(.get, Self.path)
            #expect(answer.json == .object(["voidedPurchases": .array([.object(expected)])]))
        }
    }

    @Test func `pages follow one another, also when more is voided meanwhile`() async throws {
        try await StoreUnderTest.run { store in
            #expect(try await store.google(.get, Self.path).json == .object([:]))
            let ids = try await Self.refund(5, store)
            var found: [String] = []
            var page = try await store.google(.get, Self.path + "?maxResults=2")
            while true {
                found += Self.ids(page)
                guard case .string(let token) = page["tokenPagination"]["nextPageToken"] else { break }
                #expect(Self.ids(page).count == 2)
                // What comes after the first page isn't in its times.
                store.clock.advance(by: 1)
                _ = try await Self.refund(1, store)
                page = try await store.google(.get, Self.path + "?maxResults=2&token=\(token)")
            }
            #expect(found == ids)
            #expect(try await store.google(.get, Self.path + "?token=x").status == 400)
        }
    }

    @Test func `parts are listed only where they are asked for`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play(#""quantity": 2"#)
            _ = try await store.playChange(bought["purchase_token"].text, #""act": "refund", "quantity": 1"#)
            #expect(Self.ids(try await store.google(.get, Self.path)).isEmpty)
            #expect(
                Self.ids(try await store.google(.get, Self.path + "?includeQuantityBasedPartialRefund=false")).isEmpty)
            let all = try await store.google(.get, Self.path + "?includeQuantityBasedPartialRefund=true")
            #expect(all["voidedPurchases"].elements.map { $0["voidedQuantity"] } == [.int(1)])
        }
    }

    @Test func `the filter is by when Google saw it, and goes back thirty days`() async throws {
        try await StoreUnderTest.run { store in
            let bought = try await store.play()
            // What was voided two months ago is seen only now.
            _ = try await store.playChange(
                bought["purchase_token"].text, #""act": "refund", "voided_at": 1694800000"#)
            func count(_ query: String) async throws -> Int? {
                let answer = try await store.google(.get, Self.path + query)
                return answer.status == 200 ? Self.ids(answer).count : nil
            }
            #expect(try await count("") == 1)
            #expect(try await count("?startTime=1700000000000&endTime=1700000000000") == 1)
            #expect(try await count("?startTime=1699999999000&endTime=1699999999999") == 0)
            #expect(try await count("?startTime=1697408000000") == 1)
            #expect(try await count("?startTime=1697407999999") == nil)
            #expect(try await count("?endTime=1700000000001") == nil)
            #expect(try await count("?maxResults=1001") == nil)
            #expect(try await count("?type=2") == nil)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 2592000}"#)
            #expect(try await count("") == 1)
            _ = try await store.control(.put, "clock", #"{"advance_seconds": 1}"#)
            #expect(try await count("") == 0)
        }
    }

    @Test func `thirty requests are allowed in half a minute`() async throws {
        try await StoreUnderTest.run { store in
            // A window begins.
            store.clock.advance(by: 10)
            for _ in 1...30 { #expect(try await store.google(.get, Self.path).status == 200) }
            let refused = try await store.google(.get, Self.path)
            #expect(refused.status == 429 && PlayPurchaseTests.reason(refused) == "rateLimitExceeded")
            store.clock.advance(by: 30)
            #expect(try await store.google(.get, Self.path).status == 200)
        }
    }

    @Test func `the quota of a day can be lowered, and reset`() async throws {
        try await StoreUnderTest.run { store in
            _ = try await store.control(.put, "google/limits", #"{"per_day": 1}"#)
            #expect(try await store.google(.get, Self.path).status == 200)
            store.clock.advance(by: 30)
            #expect(try await store.google(.get, Self.path).status == 429)
            store.clock.advance(by: 86_400)
            #expect(try await store.google(.get, Self.path).status == 200)
            _ = try await store.control(.put, "google/limits", "{}")
            #expect(try await store.google(.get, Self.path).status == 200)
        }
    }
}
