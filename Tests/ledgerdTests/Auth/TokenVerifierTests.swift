import Foundation
import JWTKit
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct TokenVerifierTests {
    private let now = Date(timeIntervalSince1970: 1_709_256_000)
    private let future = 1_709_256_060

    /// Any header and claims, signed with HS256 whatever the header says.
    private func token(
        _ claims: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#, secret: String = TestHouse.secret
    )
        async throws -> String
    {
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let key = try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).getKey()
        return input + "." + Base64URL.encode(try key.sign(Data(input.utf8)))
    }

    private func verify(_ token: String, rules: TokenVerifier.Rules = .init()) async throws -> Principal {
        try await TestHouse.verifier(rules: rules).verify(token, now: now)
    }

    private func problem(_ token: String, rules: TokenVerifier.Rules = .init()) async throws -> Problem {
        let verifier = try await TestHouse.verifier(rules: rules)
        return try #require(throws: Problem.self) { try verifier.verify(token, now: now) }
    }

    @Test(
        arguments: [
            (#""scope":"service finance unknown""#, Scope([.service, .finance]), Principal.Kind.service),
            (#""scope":["finance","user"]"#, [.finance, .user], .finance),
            (#""aud":"x""#, .user, .user),
            (#""scope":"""#, [], .unprivileged),
            (#""scope":"admin""#, [], .unprivileged),
            (#""scope":"service:read service:grant""#, [.serviceRead, .serviceGrant], .service),
            (#""scope":"finance:write""#, .financeWrite, .finance),
            (#""scope":"service:all finance:""#, [], .unprivileged),
        ] as [(String, Scope, Principal.Kind)])
    func `a valid token says who asks and what they may`(
        claims: String, scopes: Scope, kind: Principal.Kind
    ) async throws {
        let principal = try await verify(try await token(#"{"sub":"u1","exp":\#(future),\#(claims)}"#))
        #expect(principal == Principal(subject: "u1", scopes: scopes))
        #expect(principal.kind == kind)
    }

    /// Each text of a token is kept once it verified, so a token must have one only (docs/decisions/0114).
    @Test func `a token has one text, and no other spelling of its signature is taken`() async throws {
        let good = try await token(#"{"sub":"u1","exp":\#(future)}"#)
        let verifier = try await TestHouse.verifier()
        #expect(try verifier.verify(good, now: now).subject == "u1")
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/="
        let spellings = digits.map { good.dropLast() + String($0) } + ["=", "A", ".", "\n", " "].map { good[...] + $0 }
        for spelling in spellings where spelling != good {
            #expect(throws: Problem.self, "\(spelling.suffix(2))") { try verifier.verify(spelling, now: now) }
        }
        #expect(verifier.known.count == 1)
    }

    @Test(arguments: [
        (#""user_id":"ann","sub":"idp|7""#, "ann"), (#""user_id":4711"#, "4711"), (#""sub":"ann""#, nil),
        (#""user_id":"","sub":"ann""#, nil), (#""user_id":null,"sub":"ann""#, nil),
        (#""user_id":[1],"sub":"ann""#, nil), (#""user_id":1.5,"sub":"ann""#, nil),
        (#""scope":"service","sub":"robot""#, "robot"), (#""scope":"service user","sub":"robot""#, nil),
    ])
    func `a token names its user by the configured claim, as a text or a number`(
        claims: String, subject: String?
    ) async throws {
        let token = try await token(#"{"exp":\#(future),\#(claims)}"#)
        let rules = TokenVerifier.Rules(userClaim: "user_id")
        if let subject {
            #expect(try await verify(token, rules: rules).subject == subject)
        } else {
            #expect(try await problem(token, rules: rules).code == .tokenInvalid)
        }
    }

    @Test func `a token is believed again, from the header remembered`() async throws {
        let verifier = try await TestHouse.verifier()
        for subject in ["a", "b"] {
            let token = try await token(#"{"sub":"\#(subject)","exp":\#(future)}"#)
            #expect(try verifier.verify(token, now: now).subject == subject)
        }
    }

    @Test(arguments: ["none", "None", "NONE", ""])
    func `a token of alg none is refused, signed or not`(alg: String) async throws {
        let header = #"{"alg":"\#(alg)"}"#
        let signed = try await token(#"{"sub":"u","exp":\#(future)}"#, header: header)
        let unsigned = signed[...(signed.lastIndex(of: ".") ?? signed.startIndex)]
        #expect(try await problem(signed).code == .tokenInvalid)
        #expect(try await problem(String(unsigned)).code == .tokenInvalid)
    }

    @Test func `a token whose signature is wrong is refused`() async throws {
        let claims = #"{"sub":"u","exp":\#(future)}"#
        let good = try await token(claims)
        let other = try await token(claims, secret: "another secret of at least 32 bytes")
        let forged = try await token(#"{"sub":"v","exp":\#(future)}"#)
        let parts = good.split(separator: ".").map(String.init)
        let stranger = forged.split(separator: ".").map(String.init)
        #expect(try await problem(other).code == .tokenInvalid)
        #expect(try await problem([parts[0], stranger[1], parts[2]].joined(separator: ".")).code == .tokenInvalid)
        #expect(try await problem([parts[0], parts[1], ""].joined(separator: ".")).code == .tokenInvalid)
        #expect(try await problem(good + "=").code == .tokenInvalid)
        #expect(try await problem(good + ".x").code == .tokenInvalid)
    }

    @Test(arguments: ["HS384", "HS512", "RS256", "hs256"])
    func `a token that says another algorithm of the same secret is refused`(alg: String) async throws {
        let token = try await token(#"{"sub":"u","exp":\#(future)}"#, header: #"{"alg":"\#(alg)"}"#)
        #expect(try await problem(token).code == .tokenInvalid)
    }

    @Test func `a token that demands an extension is refused`() async throws {
        let token = try await token(#"{"sub":"u","exp":\#(future)}"#, header: #"{"alg":"HS256","crit":["b64"]}"#)
        #expect(try await problem(token).code == .tokenInvalid)
    }

    @Test func `a token expires to the second, and never lives for ever`() async throws {
        let seconds = Int(now.timeIntervalSince1970)
        #expect(try await problem(try await token(#"{"sub":"u","exp":\#(seconds)}"#)).code == .tokenExpired)
        #expect(try await problem(try await token(#"{"sub":"u","exp":\#(seconds - 100)}"#)).code == .tokenExpired)
        #expect(try await problem(try await token(#"{"sub":"u"}"#)).code == .tokenInvalid)
        #expect(try await problem(try await token(#"{"sub":"u","exp":"\#(future)"}"#)).code == .tokenInvalid)
        #expect(try await verify(try await token(#"{"sub":"u","exp":\#(seconds).5}"#)).subject == "u")
    }

    @Test func `a token of the future is refused, unless the issuer's clock is a little ahead`() async throws {
        let seconds = Int(now.timeIntervalSince1970)
        let near = try await token(#"{"sub":"u","exp":\#(future),"nbf":\#(seconds + 30)}"#)
        let far = try await token(#"{"sub":"u","exp":\#(future),"nbf":\#(seconds + 31)}"#)
        #expect(try await verify(near).subject == "u")
        #expect(try await problem(far).code == .tokenInvalid)
    }

    @Test func `a token of another issuer or audience is refused where they are configured`() async throws {
        let rules = TokenVerifier.Rules(issuer: "id", audience: "coins")
        for claims in [
            #""iss":"other","aud":"coins""#, #""aud":"coins""#, #""iss":"id","aud":"other""#, #""iss":"id""#,
            #""iss":"id","aud":[]"#,
        ] {
            let token = try await token(#"{"sub":"u","exp":\#(future),\#(claims)}"#)
            #expect(try await problem(token, rules: rules).code == .tokenInvalid)
        }
        for audience in [#""coins""#, #"["other","coins"]"#] {
            let token = try await token(#"{"sub":"u","exp":\#(future),"iss":"id","aud":\#(audience)}"#)
            #expect(try await verify(token, rules: rules).subject == "u")
        }
    }

    @Test(arguments: [
        #""sub":"""#, #""sub":null"#, #""iat":1"#, #""sub":"a\u0000b""#, #""sub":"a\nb""#, #""sub":5"#,
        #""sub":"\#(String(repeating: "x", count: 129))""#,
    ])
    func `a subject has 1 to 128 bytes without control characters`(claim: String) async throws {
        #expect(try await problem(try await token(#"{\#(claim),"exp":\#(future)}"#)).code == .tokenInvalid)
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b.c", "e30.e30.", "e30.e30.e30", "🪙.🪙.🪙", "eyJhbGciOiJIUzI1NiJ9..",
        "eyJhbGciOjF9.e30.e30",
        String(repeating: "A", count: 100_000),
    ])
    func `garbage is no token`(token: String) async throws {
        #expect(try await problem(token).code == .tokenInvalid)
    }

    @Test func `a refused token never shows its content`() async throws {
        let token = try await token(#"{"sub":"very-secret"}"#)
        let problem = try await problem(token)
        #expect(!"\(problem)".contains("very-secret") && !"\(problem)".contains(token))
    }

    @Test func `a secret shorter than 32 bytes is refused at start-up, without being shown`() async throws {
        let error = await #expect(throws: TokenKeysError.self) {
            try await TokenKeys.hs256(secret: "too-short-a-secret")
        }
        #expect(error?.description.contains("32 bytes") == true)
        #expect(error?.description.contains("too-short") == false)
    }
}
