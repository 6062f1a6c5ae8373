import Crypto
import Foundation
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct VerifiedTokensTests {
    private static let secret = TestHouse.secret

    private func token(sub: String = "ann", until expiry: Int64, secret: String = secret) async throws -> String {
        try await TokenMinter(secret: secret).mint(.init(sub: sub, scope: "user", iat: 0, exp: expiry))
    }

    @Test func `a token that was verified ends at once with its key`() async throws {
        let tokens = try await TestHouse.verifier()
        let token = try await token(until: .max / 2)
        for _ in 0..<3 { #expect(try tokens.verify(token).subject == "ann") }
        #expect(tokens.known.count == 1)
        tokens.replaceKeys(by: try await .hs256(secret: "another secret of at least 32 bytes"))
        #expect(tokens.known == (0, 0))
        let problem = try #require(throws: Problem.self) { try tokens.verify(token) }
        #expect(problem.code == .tokenInvalid)
        #expect(tokens.known.count == 0)
        tokens.replaceKeys(by: try await .hs256(secret: Self.secret))
        #expect(try tokens.verify(token).subject == "ann")
    }

    @Test func `a token that was verified is held to the clock each time`() async throws {
        let tokens = try await TestHouse.verifier()
        let token = try await token(until: 1000)
        func code(at seconds: Double) -> Problem.Code? {
            do throws(Problem) {
                _ = try tokens.verify(token, now: Date(timeIntervalSince1970: seconds))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(at: 999.9) == nil && tokens.known.count == 1)
        #expect(code(at: 1000) == .tokenExpired)
        #expect(tokens.known == (0, 0), "what has expired is not kept")
        #expect(code(at: 5000) == .tokenExpired && tokens.known.count == 0)
        #expect(code(at: 500) == nil)
    }

    @Test func `what is not verified is not kept, and is not taken for what is`() async throws {
        let tokens = try await TestHouse.verifier()
        let token = try await token(until: .max / 2)
        _ = try tokens.verify(token)
        for forged in [String(token.dropLast()), token + "A", token + "=", "x." + token] {
            #expect(throws: Problem.self) { try tokens.verify(forged) }
        }
        for number in 0..<200 {
            let stranger = try await self.token(
                sub: "u\(number)", until: .max / 2, secret: "another secret of at least 32 bytes")
            #expect(throws: Problem.self) { try tokens.verify(stranger) }
        }
        #expect(tokens.known.count == 1)
    }

    @Test func `as much is kept as may be, and what is asked for again stays`() {
        for (entries, bytes, subject) in [(100, 1 << 20, "u"), (10_000, 20_000, String(repeating: "x", count: 128))] {
            var tokens = VerifiedTokens(maxEntries: entries, maxBytes: bytes)
            let favourite = SHA256.hash(data: Data("favourite".utf8))
            tokens.keep(entry(subject), as: favourite)
            for number in 0..<Effort.count(500, upTo: 5_000) {
                let name = SHA256.hash(data: Data("\(number)".utf8))
                #expect(tokens.entry(name) == nil)
                tokens.keep(entry(subject), as: name)
                #expect(tokens.entry(favourite)?.principal.subject == subject)
                #expect(tokens.count <= entries && tokens.size <= bytes)
            }
            #expect(tokens.count > 20)
            #expect(tokens.entry(SHA256.hash(data: Data("0".utf8))) == nil)
            tokens.forget(favourite)
            #expect(tokens.entry(favourite) == nil)
        }
    }

    @Test func `nothing that is kept could be presented`() async throws {
        let tokens = try await TestHouse.verifier()
        let token = try await token(until: .max / 2)
        _ = try tokens.verify(token)
        var text = ""
        dump(tokens.known, to: &text)
        let parts = token.split(separator: ".")
        #expect(!text.contains(parts[1]) && !text.contains(parts[2]))
    }

    private func entry(_ subject: String) -> VerifiedTokens.Entry {
        .init(principal: Principal(subject: subject, scopes: .user), notBefore: nil, expiry: 1)
    }
}
