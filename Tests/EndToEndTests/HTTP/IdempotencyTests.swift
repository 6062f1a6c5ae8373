import Foundation
import Testing

/// What a repeated request is answered with.
@Suite(.serialized, .timeLimit(.minutes(20))) struct IdempotencyTests {
    @Test func `a key gets one answer`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let path = "/v1/users/ann/spends"

            let first = try await service.post(path, #"{"coins": 30, "reference": "song:1"}"#, key: "one")
            #expect(first.status == 201 && first.headers["Idempotent-Replayed"] == nil, "\(first)")
            #expect(first.json["balance"]["available"] == 70 && first.json["spend"]["amount"] == 300)
            let again = try await service.post(path, #"{"reference": "song:1", "coins": 30}"#, key: "one")
            #expect(again.status == 201 && again.json == first.json && again.headers["Idempotent-Replayed"] == "true")

            let other = try await service.post(path, #"{"coins": 31, "reference": "song:1"}"#, key: "one")
            #expect(other.status == 422 && other.code == "idempotency_key_reused", "another body: \(other)")
            let bobs = try await service.post(
                "/v1/users/bob/spends", #"{"coins": 30, "reference": "song:1"}"#, key: "one")
            #expect(bobs.status == 422 && bobs.code == "idempotency_key_reused", "another user: \(bobs)")
            let act = try await service.post("/v1/users/ann/holds", #"{"coins": 30}"#, key: "one")
            #expect(act.status == 422 && act.code == "idempotency_key_reused", "another act: \(act)")
            let caller = Token.make(sub: "another-service", scope: "service")
            let own = try await service.post(path, #"{"coins": 30, "reference": "song:1"}"#, key: "one", as: caller)
            #expect(own.status == 201 && own.json["balance"]["available"] == 40, "another caller: \(own)")

            let refused = try await service.post(path, #"{"coins": 41}"#, key: "two")
            #expect(refused.status == 402 && refused.code == "insufficient_coins", "\(refused)")
            #expect(refused.json["required"] == 41 && refused.json["available"] == 40 && refused.isProblem)
            #expect(try await service.present(try await gateway.pay()).status == 201)

            let restarted = try await Self.restart(service, house, gateway)
            let later = try await restarted.post(path, #"{"coins": 30, "reference": "song:1"}"#, key: "one")
            #expect(later.json == first.json && later.headers["Idempotent-Replayed"] == "true")
            let still = try await restarted.post(path, #"{"coins": 41}"#, key: "two")
            #expect(still.status == 402 && still.json["available"] == 40, "the first answer: \(still)")
            #expect(still.headers["Idempotent-Replayed"] == "true")
            #expect(try await restarted.coins() == 140)
            try await house.expectSound()
        }
    }

    private static func restart(_ service: Service, _ house: House, _ gateway: Gateway) async throws -> Service {
        try await service.end()
        return try await house.serve(at: gateway)
    }

    @Test func `an invalid key is refused before anything else`() async throws {
        try await House.open { _, _, service in
            for path in [
                "/v1/users/ann/spends", "/v1/users/ann/grants", "/v1/users/ann/holds", "/v1/holds/1/capture",
                "/v1/holds/1/void", "/v1/spends/1/reversals", "/v1/holds/1/captures/1/reversals",
            ] {
                let none = try await service.post(path, "not JSON", as: Token.service())
                #expect(none.status == 400 && none.code == "idempotency_key_missing", "\(path): \(none)")
                let long = try await service.post(path, "{}", key: String(repeating: "k", count: 256))
                #expect(long.status == 400 && long.json["member"] == "Idempotency-Key", "\(path): \(long)")
                let users = try await service.post(path, "{}", key: "k", as: Token.user("ann"))
                #expect(users.status == 403 && users.code == "forbidden", "\(path): \(users)")
            }
        }
    }

    @Test func `a repeat waits for the request that still runs`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            try await house.books.execute("BEGIN; SELECT FROM account WHERE code = 'wallet:ann:paid' FOR UPDATE")
            async let first = service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "slow")
            try await house.ledger.waitUntilBlocked()
            let second = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "slow")
            #expect(second.status == 409 && second.code == "request_in_progress", "\(second)")
            #expect(second.headers["Retry-After"] == "1" && second.json["retryable"] == true)
            try await house.books.execute("ROLLBACK")
            #expect(try await first.status == 201)
            let third = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "slow")
            #expect(third.status == 201 && third.headers["Idempotent-Replayed"] == "true")
            #expect(try await service.coins() == 99)
        }
    }

    @Test func `a request that can't be written is not recorded under its key`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            try await house.ledger.execute("ALTER TABLE lot_movement RENAME TO away")
            let failed = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "k")
            #expect(failed.status >= 500, "\(failed)")
            try await house.ledger.execute("ALTER TABLE away RENAME TO lot_movement")
            let done = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "k")
            #expect(done.status == 201 && done.headers["Idempotent-Replayed"] == nil, "\(done)")
            #expect(try await service.coins() == 99)
        }
    }
}
