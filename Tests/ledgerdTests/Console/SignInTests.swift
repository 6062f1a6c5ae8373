import Crypto
import Foundation
import OutboundHTTP
import Testing
import WireFormats

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// The parts of a sign-in that need neither a provider nor a browser.
@Suite(.timeLimit(.minutes(20))) struct SignInTests {
    @Test func `state, nonce and verifier of an attempt are three secrets, and the cookie has them all`() throws {
        let attempt = SignInAttempt(destination: "/console?q=ann")
        #expect(Set([attempt.secret, attempt.state, attempt.nonce, attempt.verifier, attempt.challenge]).count == 5)
        #expect(SignInAttempt(cookie: attempt.cookie) == attempt)
        #expect(attempt.verifier.utf8.count == 43)  // RFC 7636 wants 43 to 128
        let hash = Data(SHA256.hash(data: Data(attempt.verifier.utf8)))
        #expect(attempt.challenge == Base64URL.encode(hash))
        #expect(SignInAttempt(destination: "/console").state != attempt.state)
        for text in ["", ".", "short.AA", attempt.secret, attempt.secret + ".!", attempt.secret + "=.AA"] {
            #expect(SignInAttempt(cookie: text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ("/console", "/console"), ("/console?q=a", "/console?q=a"),
        ("/console/customers/a%20b", "/console/customers/a%20b"),
        ("", "/console"), ("//evil.example", "/console"), ("https://evil.example/console", "/console"),
        ("/consolex", "/console"), ("/console/\\evil", "/console"), ("/console/\r\nSet-Cookie: a=b", "/console"),
        ("/console/sign-in", "/console"), ("/console/callback?code=1", "/console"), ("/console/ü", "/console"),
    ])
    func `only pages of the console are gone to`(text: String, path: String) {
        #expect(ConsolePath.own(text) == path)
    }

    private let roles = RoleClaim(
        name: "roles",
        values: [.viewer: ["viewer"], .support: ["support", "cs"], .finance: ["finance"], .administrator: ["admin"]])

    @Test(arguments: [
        (#"{"roles": ["viewer"]}"#, Person.Role?.some(.viewer)), (#"{"roles": "cs"}"#, .support),
        (#"{"roles": ["support", "finance", "viewer"]}"#, .finance), (#"{"roles": ["x", "admin"]}"#, .administrator),
        (#"{"roles": []}"#, nil), (#"{"roles": ["Admin"]}"#, nil), (#"{"roles": {"admin": true}}"#, nil),
        (#"{"roles": null}"#, nil), (#"{"role": "admin"}"#, nil), (#"["admin"]"#, nil),
    ])
    func `a claim gives the role with the most rights`(json: String, role: Person.Role?) throws {
        #expect(roles.role(of: try JSONParser.parse(Array(json.utf8))) == role)
    }

    @Test func `a claim can be in an object, or have dots in its name`() throws {
        let nested = RoleClaim(name: "realm_access.roles", values: [.viewer: ["viewer"]])
        let url = RoleClaim(name: "https://a.example/roles", values: [.viewer: ["viewer"]])
        #expect(nested.role(of: try JSONParser.parse(Array(#"{"realm_access":{"roles":["viewer"]}}"#.utf8))) == .viewer)
        #expect(url.role(of: try JSONParser.parse(Array(#"{"https://a.example/roles":["viewer"]}"#.utf8))) == .viewer)
        #expect(nested.role(of: try JSONParser.parse(Array(#"{"realm_access":"viewer"}"#.utf8))) == nil)
    }

    private let key = P256.Signing.PrivateKey()

    private func token(_ claims: String, alg: String = "ES256", header: String = "") throws -> String {
        let head = #"{"alg":"\#(alg)","kid":"k"\#(header)}"#
        let signed = [head, claims].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
        return signed + "." + Base64URL.encode(signature)
    }

    private func keys(of key: P256.Signing.PrivateKey) async throws -> TokenKeys {
        try await .jwks(Data(Self.document(of: key).utf8))
    }

    private static func document(of key: P256.Signing.PrivateKey) -> String {
        let point = key.publicKey.rawRepresentation
        return """
            {"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "k",
                "x": "\(Base64URL.encode(point.prefix(32)))", "y": "\(Base64URL.encode(point.suffix(32)))"}]}
            """
    }

    @Test func `an ID token is read only if its key signed it, with an algorithm of the list`() async throws {
        let keys = try await keys(of: key)
        let good = try token(#"{"sub":"a"}"#)
        #expect(try #require(IDToken(good)).isSigned(by: keys))
        #expect(try await !#require(IDToken(good)).isSigned(by: self.keys(of: P256.Signing.PrivateKey())))
        var forged = good.split(separator: ".").map(String.init)
        forged[1] = Base64URL.encode(#"{"sub":"b"}"#.utf8)
        #expect(try !#require(IDToken(forged.joined(separator: "."))).isSigned(by: keys))
        for alg in ["none", "HS256", "RS512", "ES384", ""] {
            #expect(try IDToken(token("{}", alg: alg)) == nil, "\(alg)")
        }
        #expect(try IDToken(token("{}", header: #","crit":["b64"]"#)) == nil)
        #expect(try IDToken(token(#"{"sub":"a","sub":"b"}"#)) == nil)
        for text in ["", ".", "..", "a.b.c", good + ".", String(good.dropLast(2))] {
            #expect(IDToken(text).map { $0.isSigned(by: keys) } != true, "\(text)")
        }
    }

    @Test func `a token that another key signed signs nobody in`() async throws {
        let attempt = SignInAttempt(destination: "/console")
        let configuration = try #require(
            try ConsoleConfiguration(
                SettingValues(environment: [
                    "LEDGERD_CONSOLE_ISSUER": "https://id.example", "LEDGERD_CONSOLE_CLIENT_ID": "me",
                    "LEDGERD_CONSOLE_URL": "https://console.example", "LEDGERD_ADMIN_LISTEN": "127.0.0.1:8082",
                ])))
        let signed = try token(
            #"{"iss":"https://id.example","aud":"me","sub":"a","exp":1300,"iat":1000,"nonce":"\#(attempt.nonce)"}"#)
        for (signer, isOwn) in [(key, true), (P256.Signing.PrivateKey(), false)] {
            let transport = ProviderTransport(token: signed, keys: Self.document(of: signer))
            let provider = OpenIDProvider(configuration, transport: transport, logger: LogCapture().logger())
            let claims = try? await provider.claims(for: "code", of: attempt, at: Date(timeIntervalSince1970: 1000))
            #expect(claims?["sub"]?.text == (isOwn ? "a" : nil))
        }
    }

    @Test(arguments: [
        ("", nil), (#""iss":"https://other.example""#, "issuer"), (#""aud":"other""#, "client"),
        (#""aud":["me","you"]"#, "several"), (#""aud":["me","you"],"azp":"me""#, nil), (#""azp":"you""#, "party"),
        (#""exp":939"#, "expired"), (#""exp":941"#, nil), (#""exp":"2000""#, "expired"), (#""iat":1061"#, "future"),
        (#""nonce":"m""#, "another sign-in"), (#""nonce":null"#, "another sign-in"),
    ])
    func `each claim is checked`(changed: String, rule: String?) throws {
        var members = [
            "iss": "\"https://id.example\"", "aud": "\"me\"", "exp": "1300", "iat": "1000", "nonce": "\"n\"",
        ]
        for member in changed.matches(of: #/"([a-z]+)":("[^"]*"|\[[^\]]*\]|[0-9a-z]+)/#) {
            members[String(member.1)] = String(member.2)
        }
        let text = "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        let rules = IDToken.Rules(issuer: "https://id.example", clientID: "me", nonce: "n")
        let broken = rules.broken(
            by: try JSONParser.parse(Array(text.utf8)), at: Date(timeIntervalSince1970: 1000))
        if let rule { #expect(broken?.contains(rule) == true, "\(broken ?? "valid")") } else { #expect(broken == nil) }
    }
}

/// A provider's documents, and the token that it gives for every code.
private struct ProviderTransport: HTTPTransport {
    let token: String
    let keys: String

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let url = "\(request.url)"
        let body =
            if url.hasSuffix("/openid-configuration") {
                """
                {"issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
                    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys"}
                """
            } else if url.hasSuffix("/token") {
                #"{"id_token": "\#(token)"}"#
            } else {
                keys
            }
        return HTTPResponse(status: 200, body: Array(body.utf8))
    }
}
