import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// What a token's scopes let its bearer do, and how much it may give.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RightsTests {
    @Test func `a part of a scope opens its part of the routes`() async throws {
        try await House.open { _, _, service in
            let requests: [(method: HTTPRequest.Method, path: String, body: String, scope: String)] = [
                (.get, "/v1/users/ann/balance", "", "service:read"),
                (.post, "/v1/balances/query", #"{"users": ["ann"]}"#, "service:read"),
                (.get, "/v1/users/ann/statement", "", "service:read"),
                (.get, "/v1/holds/7", "", "service:read"),
                (.get, "/v1/refunds/7", "", "service:read"),
                (.get, "/v1/providers/p/earnings", "", "service:read"),
                (.post, "/v1/users/ann/spends", #"{"coins": 1}"#, "service:write"),
                (.post, "/v1/users/ann/holds", #"{"coins": 1}"#, "service:write"),
                (.post, "/v1/holds/7/void", "", "service:write"),
                (.post, "/v1/spends/7/reversals", "{}", "service:write"),
                (.post, "/v1/holds/7/captures/7/reversals", "{}", "service:write"),
                (.post, "/v1/purchases/7/refunds", #"{"reason": "x"}"#, "service:write"),
                (.get, "/v1/refunds/approved", "", "finance:read"),
                (.post, "/v1/refunds/7/payment", #"{"paid_at": "2026-11-20", "bank_reference": "x"}"#, "finance:write"),
                (.post, "/v1/refunds/7/reversal", #"{"reason": "x"}"#, "finance:write"),
                (
                    .post, "/v1/refunds/7/repayment", #"{"paid_at": "2026-11-20", "bank_reference": "x"}"#,
                    "finance:write"
                ),
                (
                    .post, "/v1/users/ann/debt/payments",
                    #"{"amount": 1, "paid_at": "2026-11-20", "bank_reference": "x"}"#, "finance:write"
                ),
                (.post, "/v1/users/ann/debt/write-offs", #"{"reason": "x"}"#, "finance:write"),
                (.post, "/v1/users/ann/grants", #"{"coins": 1, "reason": "x"}"#, "service:grant"),
                (.get, "/v1/findings", "", "finance:read"),
                (.get, "/v1/audit", "", "finance:read"),
                (.get, "/v1/disputes", "", "finance:read"),
                (.post, "/v1/disputes/7/decisions", #"{"outcome": "won", "reason": "x"}"#, "finance:write"),
                (.get, "/v1/settlements", "", "finance:read"),
                (.get, "/v1/providers", "", "finance:read"),
                (.get, "/v1/payouts", "", "finance:read"),
                (.put, "/v1/providers/p", #"{"share_basis_points": 1, "role": "agent"}"#, "finance:write"),
                (.post, "/v1/payouts/7/approval", "", "finance:write"),
                (
                    .post, "/v1/providers/p/repayments",
                    #"{"amount": 1, "paid_at": "2026-11-20", "bank_reference": "x"}"#, "finance:write"
                ),
                (.get, "/v1/exports/trial-balance", "", "finance:read"),
                (.get, "/v1/periods/checklist?until=2020-01-01", "", "finance:read"),
                (.get, "/v1/prepaid", "", "finance:read"),
                (.get, "/v1/adjustments", "", "finance:read"),
                (.get, "/v1/accounting-policies", "", "finance:read"),
                (.put, "/v1/accounting-policies/bonus/2020-01", #"{"method": "none"}"#, "finance:write"),
                (.post, "/v1/adjustments", "{}", "finance:write"),
                (.post, "/v1/custody-balances", "{}", "finance:write"),
                (.post, "/v1/periods/close", #"{"until": "2020-01-01"}"#, "finance:write"),
                (.post, "/v1/reconciliations", #"{"from": "2020-01-01", "to": "2020-01-02"}"#, "finance:write"),
                (.get, "/v1/events", "", "events"),
                (.get, "/v1/endpoints", "", "endpoints"),
                (.post, "/v1/endpoints/7/test", "", "endpoints"),
            ]
            let scopes = [
                "user", "service", "service:read", "service:write", "service:grant", "finance", "finance:read",
                "finance:write", "events", "endpoints", "refunds:approve",
            ]
            for (number, request) in requests.enumerated() {
                for scope in scopes {
                    let answer = try await service.send(
                        request.method, request.path, as: Token.make(sub: "a-\(scope)", scope: scope),
                        headers: [("Content-Type", "application/json"), ("Idempotency-Key", "k-\(number)")],
                        body: request.body)
                    let isOpen = scope == request.scope || request.scope.hasPrefix(scope + ":")
                    #expect(
                        (answer.status != 403) == isOpen, "\(request.method) \(request.path) as \(scope): \(answer)")
                    if !isOpen { #expect(answer.json["required_scope"].text == request.scope, "\(answer)") }
                }
            }
        }
    }

    @Test func `a caller grants no more than its limit, even through two services`() async throws {
        try await House.with { house in
            let limits = ["LEDGERD_GRANT_LIMIT": "100", "LEDGERD_GRANT_DAILY_LIMIT": "250"]
            let services = [try await house.serve(limits), try await house.serve(limits)]
            let much = try await services[0].post(
                "/v1/users/ann/grants", #"{"coins": 101, "reason": "x"}"#, key: "much")
            #expect(much.status == 403 && much.code == "grant_limit_exceeded", "\(much)")
            #expect(much.json["required"] == 101 && much.json["available"] == 100)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await services[number % 2].post(
                            "/v1/users/u-\(number)/grants", #"{"coins": 50, "reason": "x"}"#, key: "g-\(number)"
                        ).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 5 && statuses.count { $0 == 403 } == 7, "\(statuses)")
            let another = try await services[1].post(
                "/v1/users/ann/grants", #"{"coins": 50, "reason": "x"}"#, key: "g",
                as: Token.make(sub: "another", scope: "service:grant"))
            #expect(another.status == 201)
            #expect(try await house.books.count("SELECT sum(coins)::bigint FROM lot") == 300)
            try await house.expectSound()
        }
    }

    @Test func `users are named by the configured claim`() async throws {
        try await House.with { house in
            let service = try await house.serve(["LEDGERD_JWT_USER_CLAIM": "user_id"])
            let minted = try await house.run(
                "token", "--sub", "ann",
                with: ["LEDGERD_JWT_SECRET": Token.secret, "LEDGERD_JWT_USER_CLAIM": "user_id"])
            let answer = try await service.get("/v1/me/balance", as: String(minted.output.dropLast()))
            #expect(answer.status == 200 && answer.json["user"] == "ann", "\(answer)")
            // The claim that meant the user before means nobody now.
            #expect(try await service.get("/v1/me/balance", as: Token.user("ann")).status == 401)
        }
    }

    @Test func `no secret of a connection is written to a file that the environment names`() async throws {
        try await House.with { house in
            let file = house.directory.appending(path: "keys.log").path
            let settings = house.settings().merging(["SSLKEYLOGFILE": file]) { $1 }
            let ended = try await house.run("verify", "--imp-uid", "imp_1", "--merchant-uid", "order-1", with: settings)
            #expect(ended.exit != .code(64), "\(ended)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
