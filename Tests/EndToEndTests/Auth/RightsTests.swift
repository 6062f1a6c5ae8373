import Foundation
import OutboundHTTP
import TestSupport
import Testing

@testable import LedgerServer

/// What a token's scopes let its bearer do, and how much it may give.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RightsTests {
    /// OperationRightsTests says who should be let in; this asks the whole service, whose handlers run then.
    @Test func `every scope opens its operations and no others`() async throws {
        try await House.open { _, _, service in
            let scopes = Scope.allNames.split(separator: ", ").map(String.init)
            for operation in LedgerServer.Operation.all where ![.anyone, .appUser].contains(operation.callers) {
                let path = operation.path.replacing("{user}", with: "ann").replacing(/\{\w+\}/, with: "7")
                for (number, group) in Self.groups(of: scopes, for: operation.callers).enumerated() {
                    let answer = try await service.send(
                        sure(.init(rawValue: operation.method.rawValue)), path,
                        as: Token.make(sub: "a-\(number)", scope: group.joined(separator: " ")),
                        headers: [("Content-Type", "application/json"), ("Idempotency-Key", "k-\(operation.id)")],
                        body: operation.body == nil ? "" : "{}")
                    let isOpen = operation.callers.missing(from: Scope(names: group)) == nil
                    #expect((answer.code != "forbidden") == isOpen, "\(operation.id) as \(group): \(answer)")
                    if !isOpen { #expect(answer.status == 403 && answer.json["required_scope"].text != nil) }
                }
            }
        }
    }

    /// Each scope that opens an operation alone, and all others together: if one of them opened it, they would.
    ///
    /// Where two scopes are needed at once, each is alone.
    private static func groups(of scopes: [String], for callers: Callers) -> [[String]] {
        func opens(_ group: [String]) -> Bool { callers.missing(from: Scope(names: group)) == nil }
        let others = scopes.filter { !opens([$0]) }
        return scopes.filter { opens([$0]) }.map { [$0] } + (opens(others) ? others.map { [$0] } : [others])
    }

    /// What an endpoint gets is what its maker could read with the scope `events`.
    @Test func `no endpoint gets events by a token that may not read events`() async throws {
        try await House.open(HookReceiver.settings) { house, _, service in
            func send(
                _ method: HTTPRequest.Method, _ path: String, _ body: String, _ scope: String, key: String = "k"
            ) async throws -> Answer {
                try await service.send(
                    method, "/v1/endpoints" + path, as: Token.make(sub: "an-integrator", scope: scope),
                    headers: [("Content-Type", "application/json"), ("Idempotency-Key", key)], body: body)
            }
            let body =
                #"{"url": "https://hooks.example.com/a", "types": ["coins.spent", "coins.granted"], "users": ["ann"]}"#
            for (scope, missing) in [("endpoints", "events"), ("events", "endpoints")] {
                let refused = try await send(.post, "", body, scope)
                #expect(refused.status == 403 && refused.json["required_scope"].text == missing, "\(refused)")
            }
            #expect(try await house.books.count("SELECT count(*) FROM endpoint") == 0)
            let created = try await send(.post, "", body, "endpoints events")
            let path = "/\(sure(created.json["id"].integer))"
            let both = "endpoints events"
            // In this order: each change, whether it widens what the endpoint gets, and who may make it.
            for (change, widens) in [
                (#"{"description": "a game"}"#, false), (#"{"url": "https://hooks.example.com/a"}"#, false),
                (#"{"types": ["coins.granted", "coins.spent"]}"#, false), (#"{"types": ["coins.spent"]}"#, false),
                (#"{"url": "https://hooks.example.com/b"}"#, true), (#"{"types": []}"#, true),
                (#"{"types": ["coins.spent", "debt.paid"]}"#, true),
                (#"{"types": ["coins.spent", "coins.granted"]}"#, true), (#"{"users": ["ann", "bob"]}"#, true),
                (#"{"users": ["bob"]}"#, true), (#"{"users": []}"#, true), (#"{"enabled": true}"#, false),
                (#"{"enabled": false}"#, false), (#"{"enabled": true}"#, true),
            ] {
                let alone = try await send(.patch, path, change, "endpoints")
                #expect((alone.status == 403) == widens && (alone.status == 200) != widens, "\(change): \(alone)")
                if widens { #expect(alone.json["required_scope"] == "events", "\(change): \(alone)") }
                let allowed = try await send(.patch, path, change, both)
                #expect(allowed.status == 200, "\(change): \(allowed)")
                // As it was, except that it stays as the narrow changes left it.
                let before = #"{"url": "https://hooks.example.com/a", "types": ["coins.spent"], "users": ["ann"]}"#
                if widens { _ = try await send(.patch, path, before, both) }
            }
            let replay = #"{"after": 0}"#
            let refused = try await send(.post, path + "/replay", replay, "endpoints", key: "r")
            #expect(refused.status == 403 && refused.json["required_scope"] == "events", "\(refused)")
            #expect(try await house.books.count("SELECT count(*) FROM endpoint_reader WHERE until IS NOT NULL") == 0)
            #expect(try await send(.post, path + "/replay", replay, both, key: "r").status == 202)
            #expect(try await send(.post, path + "/rotate-secret", "", "endpoints", key: "s").status == 200)
            #expect(try await send(.delete, path, "", "endpoints").status == 204)
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
            let reused = try await services[0].post(
                "/v1/users/ann/grants", #"{"coins": 51, "reason": "x"}"#, key: "g",
                as: Token.make(sub: "another", scope: "service:grant"))
            #expect(reused.code == "idempotency_key_reused" && reused.json["used_for"] == "grant", "\(reused)")
            #expect(reused.json["used_at"].text?.hasSuffix("Z") == true, "\(reused)")
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
