import EndToEndSupport
import Foundation
import TestSupport
import Testing

@testable import LedgerClient

@Suite(.serialized, .timeLimit(.minutes(20))) struct RetryTests {
    @Test func `calls are tried again as long as their policy and the service say`() async throws {
        try await Shop.open { shop in
            try await `the service says how long to wait`(shop.anew())
            try await `attempts have an end`(shop.anew())
            try await `silence has an end, and is tried again`(shop.anew())
            try await `a call that is cancelled ends at once`(shop.anew())
            try await `calls that are cancelled while their answers come end, too`(shop.anew())
            try await `an act whose answer got lost is done once, under one key`(shop.anew())
        }
    }

    private func `an act whose answer got lost is done once, under one key`(_ shop: Shop) async throws {
        _ = try await shop.other().grant(GrantRequest(coins: 50, reason: "x"), to: "ann", key: "g")
        let before = shop.relay.requests.count
        shop.relay.next(.loseAnswer, .lose, .loseAnswer)
        let spent = try await shop.other().spend(SpendRequest(coins: 20), of: "ann", key: "s")
        #expect(spent.balance.total == 30)
        let sent = shop.relay.requests.dropFirst(before)
        #expect(sent.count >= 4 && sent.allSatisfy { $0.contains("Idempotency-Key: s\r\n") })
        #expect(try await shop.other().wallet(of: "ann").balance().total == 30)

        shop.relay.next(.loseAnswer)
        _ = try await shop.other().spend(SpendRequest(coins: 20), of: "ann", key: .random())
        shop.relay.next(.loseAnswer)
        _ = try await shop.app().order("coins_100")
        #expect(try await shop.house.books.count(#"SELECT count(*) FROM "order""#) == 1)
        #expect(try await shop.other().wallet(of: "ann").balance().total == 10)
        try await shop.house.expectSound()
    }

    private func `the service says how long to wait`(_ shop: Shop) async throws {
        shop.relay.next(.answer(Self.overloaded(retryAfter: 2)))
        let start = Date()
        _ = try await shop.app().me.balance()
        #expect(Date().timeIntervalSince(start) >= 2)
        #expect(shop.relay.requests.count == 2)

        shop.relay.next(.answer(Self.overloaded(retryAfter: 100)))
        let error = await failure { try await shop.app().me.balance() }
        #expect(error?.code == "overloaded" && error?.isRetryable == true)
        #expect(shop.relay.requests.count == 3, "longer than the patience is not waited at all")
    }

    private func `attempts have an end`(_ shop: Shop) async throws {
        shop.relay.next(.lose, .lose, .lose, .lose, .lose, .lose, .lose, .lose, .lose, .lose)
        let app = shop.app(retries: RetryPolicy(attempts: 3, patience: 60, firstPause: 0.01))
        guard case .transport = await failure(of: { try await app.me.balance() }) else {
            Issue.record("an answer came back over a broken connection")
            return
        }
        // A connection may break before the relay has read what was asked over it.
        #expect((1...4).contains(shop.relay.requests.count))
    }

    private func `silence has an end, and is tried again`(_ shop: Shop) async throws {
        shop.relay.next(.hold)
        // On a busy machine further attempts may take longer than that too.
        let retries = RetryPolicy(attempts: 100, patience: 600, firstPause: 0.01)
        let app = shop.client(Token.user("ann"), timeout: 2, retries: retries)
        let balance = try await app.me.balance()
        #expect(balance.total == 0 && shop.relay.requests.count >= 2)
    }

    private func `a call that is cancelled ends at once`(_ shop: Shop) async throws {
        let app = shop.client(Token.user("ann"), timeout: 60)
        shop.relay.next(.hold)
        let waiting = Task { try await app.me.balance() }
        try await eventually("it is asked") { shop.relay.requests.count == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }

        shop.relay.next(.answer(Self.overloaded(retryAfter: 50)))
        let pausing = Task { try await app.me.balance() }
        try await eventually("it is asked again") { shop.relay.requests.count == 2 }
        pausing.cancel()
        await #expect(throws: CancellationError.self) { try await pausing.value }
    }

    private func `calls that are cancelled while their answers come end, too`(_ shop: Shop) async throws {
        let app = shop.client(Token.user("ann"), timeout: 60)
        let tries = Effort.count(60, upTo: 300)
        for number in 0..<tries {
            let before = (asked: shop.relay.requests.count, answered: shop.relay.answered)
            let call = Task { try await app.me.balance() }
            switch number % 3 {
            case 0: break
            case 1: while shop.relay.requests.count == before.asked { await Task.yield() }
            default: while shop.relay.answered == before.answered { await Task.yield() }
            }
            // The moment of the answer is met by trying many.
            for _ in 0..<(20 * number) { await Task.yield() }
            call.cancel()
            _ = await call.result
        }
    }

    @Test func `pauses double, are spread, and stay within the patience`() {
        let policy = RetryPolicy(attempts: 9, patience: 30, firstPause: 1)
        for (made, range) in [(1, 0.5...1), (2, 1...2), (4, 4...8), (8, 4...8)] as [(Int, ClosedRange<Double>)] {
            let pauses = (0..<200).compactMap { _ in policy.pause(after: made, elapsed: 0, asked: nil) }
            #expect(pauses.count == 200 && pauses.allSatisfy(range.contains) && Set(pauses).count > 100)
        }
        #expect(policy.pause(after: 9, elapsed: 0, asked: nil) == nil)
        #expect(policy.pause(after: 1, elapsed: 30, asked: nil) == nil)
        #expect(policy.pause(after: 1, elapsed: 0, asked: 20) == 20)
        #expect(policy.pause(after: 1, elapsed: 11, asked: 20) == nil)
        #expect(RetryPolicy.never.pause(after: 1, elapsed: 0, asked: nil) == nil)
    }

    private static func overloaded(retryAfter: Int) -> String {
        let body =
            #"{"type":"urn:ledgerd:problem:overloaded","title":"t","status":503,"code":"overloaded","#
            + #""request_id":"r","retryable":true}"#
        return """
            HTTP/1.1 503 Service Unavailable\r
            Content-Type: application/problem+json\r
            Retry-After: \(retryAfter)\r
            Connection: close\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }
}
