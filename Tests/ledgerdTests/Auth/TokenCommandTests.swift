import ArgumentParser
import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct TokenCommandTests {
    private let environment = ["LEDGERD_JWT_SECRET": TestHouse.secret]

    private func mint(
        _ arguments: String..., environment: [String: String]? = nil, now: Date = Date()
    ) async throws -> String {
        let command = try TokenCommand.parse(arguments)
        return try await command.token(environment: environment ?? self.environment, now: now)
    }

    @Test func `the token command mints what the verifier believes`() async throws {
        let token = try await mint(
            "--sub", "svc", "--scope", "service,finance", "--ttl", "15m", "--issuer", "id", "--audience", "coins")
        let verifier = try await TestHouse.verifier(rules: .init(issuer: "id", audience: "coins"))
        #expect(try verifier.verify(token) == Principal(subject: "svc", scopes: [.service, .finance]))
        let later = Date().addingTimeInterval(901)
        #expect(throws: Problem.self) { try verifier.verify(token, now: later) }
    }

    @Test func `issuer and audience come from the settings, and a user's token lasts one hour`() async throws {
        let settings = environment.merging(["LEDGERD_JWT_ISSUER": "id", "LEDGERD_JWT_AUDIENCE": "coins"]) { $1 }
        let token = try await mint("--sub", "u", environment: settings)
        let verifier = try await TestHouse.verifier(rules: .init(issuer: "id", audience: "coins"))
        #expect(try verifier.verify(token).scopes == .user)
        #expect(try verifier.verify(token, now: Date().addingTimeInterval(3500)).subject == "u")
    }

    @Test func `tokens with another user claim and parts of the wide scopes are believed`() async throws {
        let settings = environment.merging(["LEDGERD_JWT_USER_CLAIM": "user_id"]) { $1 }
        let token = try await mint("--sub", "u", "--scope", "user,service:grant,service:read", environment: settings)
        let verifier = try await TestHouse.verifier(rules: .init(userClaim: "user_id"))
        #expect(try verifier.verify(token) == Principal(subject: "u", scopes: [.user, .serviceGrant, .serviceRead]))
        #expect(Scope([.service, .financeRead]).description == "service finance:read")
        #expect(Scope(names: ["finance:read", "finance:write"]).description == "finance")
    }

    @Test(arguments: [
        ["--sub", ""], ["--sub", "u", "--scope", "admin"], ["--sub", "u", "--scope", "user usr"],
        ["--sub", "u", "--ttl", "soon"], ["--sub", "u", "--ttl", "0s"], ["--sub", "u", "--scope", ""],
    ])
    func `options that would make a useless token are refused`(arguments: [String]) async throws {
        let command = try TokenCommand.parse(arguments)
        await #expect(throws: ValidationError.self) { try await command.token(environment: environment, now: Date()) }
    }

    @Test func `a secret that is long enough is needed`() async throws {
        await #expect(throws: ConfigurationError.self) { try await mint("--sub", "u", environment: [:]) }
        let error = await #expect(throws: ConfigurationError.self) {
            try await mint("--sub", "u", "--jwt-secret", "hush", environment: [:])
        }
        #expect(error?.description == "--jwt-secret (flag) must be at least 32 bytes, without a space at either end")
    }
}
