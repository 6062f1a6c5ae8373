import Foundation
import HTTPTestSupport
import Hummingbird
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct BearerAuthenticationTests {
    private func house() async throws -> TestHouse {
        let verifier = try await TestHouse.verifier()
        return TestHouse { router in
            router.group("v1/me")
                .add(middleware: BearerAuthentication(verifier: verifier))
                .add(middleware: RequireScope(.user))
                .get("balance") { _, context in try context.requirePrincipal().subject }
            router.group("v1/store")
                .add(middleware: BearerAuthentication(verifier: verifier, allowsBareToken: true))
                .get("who") { _, context in try context.requirePrincipal().subject }
            router.get("open") { _, context in try context.requirePrincipal().subject }
        }
    }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER  "])
    func `a guarded route answers the bearer of a valid token`(scheme: String) async throws {
        let token = try await TestHouse.token()
        try await house().test { client in
            try await client.execute(
                uri: "/v1/me/balance", method: .get, headers: [.authorization: scheme + token]
            ) { #expect($0.text == "demo-user") }
        }
    }

    @Test(arguments: [nil, "", "Bearer", "Bearer ", "Basic dTpw", "Bearer a b", "x.y.z"])
    func `a guarded route wants a token`(header: String?) async throws {
        try await house().test { client in
            let headers: HTTPFields = header.map { [.authorization: $0] } ?? [:]
            try await client.execute(uri: "/v1/me/balance", method: .get, headers: headers) {
                #expect($0.status == .unauthorized)
                #expect($0.json["code"] as? String == "token_missing")
                #expect($0.headers[.wwwAuthenticate] == #"Bearer realm="ledgerd""#)
            }
        }
    }

    @Test(arguments: [
        ("x.y.z", "the header Authorization does not begin with Bearer; put it before the token"),
        ("Bearer", "the header Authorization has no token after Bearer"),
        ("Bearer a b", "the header Authorization has more than one token after Bearer"),
        ("Basic dTpw", "the header Authorization has another scheme than Bearer"), ("", nil), (nil, nil),
    ])
    func `what is wrong with the header is said, without a word of it`(header: String?, detail: String?) async throws {
        try await house().test { client in
            let headers: HTTPFields = header.map { [.authorization: $0] } ?? [:]
            try await client.execute(uri: "/v1/me/balance", method: .get, headers: headers) {
                #expect($0.json["detail"] as? String == detail)
            }
        }
    }

    @Test(arguments: [TestingSetup.router, .live])
    func `an expired token and a bad one get different answers`(setup: TestingSetup) async throws {
        let expired = try await TestHouse.token(lifetime: -10)
        try await house().test(setup) { client in
            try await client.execute(
                uri: "/v1/me/balance", method: .get, headers: [.authorization: "Bearer \(expired)"]
            ) {
                #expect($0.status == .unauthorized)
                #expect($0.json["code"] as? String == "token_expired")
                #expect($0.headers[.wwwAuthenticate]?.contains("expired") == true)
            }
            try await client.execute(uri: "/v1/me/balance", method: .get, headers: [.authorization: "Bearer nonsense"])
            {
                #expect($0.status == .unauthorized)
                #expect($0.json["code"] as? String == "token_invalid")
                #expect($0.headers[.wwwAuthenticate] == #"Bearer realm="ledgerd", error="invalid_token""#)
            }
        }
    }

    @Test func `a guarded route wants the scope`() async throws {
        let token = try await TestHouse.token(scope: "finance")
        try await house().test { client in
            try await client.execute(
                uri: "/v1/me/balance", method: .get, headers: [.authorization: "Bearer \(token)"]
            ) {
                #expect($0.status == .forbidden)
                #expect($0.json["code"] as? String == "forbidden")
                #expect($0.json["required_scope"] as? String == "user")
                #expect($0.headers[.wwwAuthenticate]?.contains(#"scope="user""#) == true)
            }
        }
    }

    @Test func `a bare token is accepted only where the apps send one`() async throws {
        let token = try await TestHouse.token()
        try await house().test { client in
            for header in [token, "Bearer \(token)"] {
                try await client.execute(uri: "/v1/store/who", method: .get, headers: [.authorization: header]) {
                    #expect($0.text == "demo-user")
                }
            }
            try await client.execute(uri: "/v1/store/who", method: .get, headers: [.authorization: "Bearer"]) {
                #expect($0.json["code"] as? String == "token_missing")
            }
        }
    }

    @Test func `outside the guard there is no principal to be mistaken for one`() async throws {
        let token = try await TestHouse.token()
        try await house().test { client in
            try await client.execute(uri: "/open", method: .get, headers: [.authorization: "Bearer \(token)"]) {
                #expect($0.json["code"] as? String == "token_missing")
            }
        }
    }
}
