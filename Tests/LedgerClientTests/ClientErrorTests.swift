import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientErrorTests {
    @Test func `what is refused, unreadable or without a token is reported as it is`() async throws {
        try await Shop.open { shop in
            try await `a refusal says what was required and what there is`(shop.anew())
            try await `every kind of refusal has its code`(shop.anew())
            try await `an answer that is none of the service's can't be read`(shop.anew())
            try await `a token that has expired is asked for again, once`(shop.anew())
            try await `what the token provider throws is reported as its error`(shop.anew())
        }
    }

    private func `a refusal says what was required and what there is`(_ shop: Shop) async throws {
        _ = try await shop.other().grant(GrantRequest(coins: 5, reason: "x"), to: "ann", key: "g")
        let before = shop.relay.requests.count
        let error = sure(
            await failure { try await shop.other().spend(SpendRequest(coins: 30), of: "ann", key: "s") })
        #expect(error.code == "insufficient_coins" && error.required == 30 && error.available == 5)
        #expect(!error.isRetryable && error.problem?.status == 402 && error.problem?.requestID.isEmpty == false)
        #expect("\(error)".contains("30 coins are required"))
        #expect(shop.relay.requests.count == before + 1, "what can't succeed is not tried again")
    }

    private func `every kind of refusal has its code`(_ shop: Shop) async throws {
        let (app, other) = (shop.app(), shop.other())
        func code(_ call: () async throws -> Any) async -> String? { await failure(of: call)?.code?.rawValue }
        #expect(await code { try await app.me.purchase(9) } == "not_found")
        #expect(await code { try await app.wallet(of: "bob").balance() } == "forbidden")
        #expect(await code { try await shop.client("nonsense").me.balance() } == "token_invalid")
        #expect(await code { try await app.order("coins_9") } == "product_not_found")
        #expect(await code { try await app.present(Payment.unmade().request) } == "payment_not_found")
        #expect(await code { try await app.present(.v1(impUID: "?", merchantUID: "m")) } == "invalid_request")
        #expect(await code { try await app.present(.v2(paymentID: "p")) } == "gateway_off")
        #expect(await code { try await other.balances(of: []) } == "invalid_request")
        #expect(await code { try await other.capture(9, key: "c") } == "not_found")
        _ = try await other.grant(GrantRequest(coins: 5, reason: "x"), to: "ann", key: "k")
        #expect(
            await code { try await other.spend(SpendRequest(coins: 5), of: "ann", key: "k") }
                == "idempotency_key_reused")
        #expect(
            await code { try await other.spend(SpendRequest(coins: 0), of: "ann", key: "z") } == "invalid_request")
        let wrongPrice = try await shop.gateway.pay("1234")
        #expect(await code { try await app.present(wrongPrice.request) } == "amount_mismatch")
    }

    @Test func `no answer is a transport error`() async throws {
        let silent = LedgerClient(url: sure(URL(string: "http://127.0.0.1:9")), retries: .never) { _ in "token" }
        guard case .transport = await failure(of: { try await silent.me.balance() }) else {
            Issue.record("a port where nobody listens answered")
            return
        }
    }

    private func `an answer that is none of the service's can't be read`(_ shop: Shop) async throws {
        let app = shop.app(retries: .never)
        for (answer, status, isRetryable) in [
            ("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno", 502, true),
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", 403, false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nwelcome", 200, false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, false),
            ("HTTP/1.1 400 X\r\nContent-Type: application/problem+json\r\nContent-Length: 2\r\n\r\n{}", 400, false),
            ("HTTP/1.1 302 Found\r\nLocation: /v1/products\r\nContent-Length: 0\r\n\r\n", 302, false),
        ] {
            let before = shop.relay.requests.count
            shop.relay.next(.answer(answer))
            let error = sure(await failure { try await app.me.balance() })
            guard case .undecodable(status, _) = error else {
                Issue.record("\(answer) became \(error)")
                continue
            }
            #expect(error.isRetryable == isRetryable, "\(answer)")
            #expect(shop.relay.requests.count == before + 1, "nobody is to be followed with a token")
        }
    }

    private func `a token that has expired is asked for again, once`(_ shop: Shop) async throws {
        let expired = Token.make(sub: "ann", scope: "user", lifetime: -10)
        let asked = Log<String?>()
        let renewing = LedgerClient(url: shop.relay.url) { token in
            asked.add(token)
            return token == nil ? expired : Token.user("ann")
        }
        let balance = try await renewing.me.balance()
        #expect(balance.user == "ann")
        #expect(asked.all == [nil, expired])

        let stuck = LedgerClient(url: shop.relay.url) { token in
            asked.add(token)
            return expired
        }
        #expect(await failure { try await stuck.me.balance() }?.code == "token_expired")
        #expect(asked.all == [nil, expired, nil, expired])
    }

    private func `what the token provider throws is reported as its error`(_ shop: Shop) async throws {
        let loggedOut = LedgerClient(url: shop.relay.url) { _ in throw CocoaError(.userCancelled) }
        guard case .token(let error) = await failure(of: { try await loggedOut.me.balance() }) else {
            Issue.record("no token, and yet")
            return
        }
        #expect(error is CocoaError)
        #expect(shop.relay.requests.isEmpty)
    }
}
