import Crypto
import Foundation
import OutboundHTTP
import Testing
import WireFormats

@testable import Console
@testable import LedgerServer

/// `ledgerd check` says what keeps people from signing in to the console.
///
/// Each case is one provider. Its checks are `ok`, but for those that the case names.
@Suite(.timeLimit(.minutes(20))) struct SignInChecksTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var settings: [String: String] = [:]
        var provider = CheckedProvider()
        /// What each check finds: its result, with a part of what is found or of the advice.
        var findings: [String: (result: CheckResult.Outcome, says: String)]
    }

    private static let unusable: [String: (result: CheckResult.Outcome, says: String)] = [
        "console keys": (.skipped, "can't be used"), "console sign-in": (.skipped, "can't be used"),
        "console client": (.skipped, "can't be used"),
    ]

    private static func document(_ name: String, _ document: String, says: String) -> Case {
        Case(
            testDescription: name, provider: CheckedProvider(document: (200, document)),
            findings: unusable.merging(["console provider": (.failed, says)]) { $1 })
    }

    private static func client(
        _ name: String, _ status: Int, _ body: String, _ result: CheckResult.Outcome, says: String
    ) -> Case {
        Case(
            testDescription: name, provider: CheckedProvider(token: (status, body)),
            findings: ["console client": (result, says)])
    }

    private static func signIn(
        _ name: String, _ status: Int, to location: String? = nil, _ result: CheckResult.Outcome, says: String
    ) -> Case {
        Case(
            testDescription: name, provider: CheckedProvider(authorize: (status, location)),
            findings: ["console sign-in": (result, says)])
    }

    private static let cases: [Case] = [
        Case(testDescription: "a good provider", findings: [:]),
        Case(
            testDescription: "a client without a secret", settings: ["LEDGERD_CONSOLE_CLIENT_SECRET": ""],
            findings: ["console client": (.ok, "me without a secret")]),
        Case(
            testDescription: "an address of this machine", settings: ["LEDGERD_CONSOLE_URL": "http://127.0.0.1:8082"],
            findings: ["console address": (.warning, "LEDGERD_CONSOLE_URL")]),
        Case(
            testDescription: "a provider that is not there",
            provider: CheckedProvider(failure: TransportError(.unreachable, "no connection")),
            findings: unusable.merging(["console provider": (.failed, "LEDGERD_CONSOLE_ISSUER is right")]) { $1 }),
        Case(
            testDescription: "a certificate of nobody",
            provider: CheckedProvider(failure: TransportError(.untrusted, "self-signed")),
            findings: unusable.merging(["console provider": (.failed, "LEDGERD_GATEWAY_CA_FILE")]) { $1 }),
        Case(
            testDescription: "a wrong path", provider: CheckedProvider(document: (404, "{}")),
            findings: unusable.merging([
                "console provider": (.failed, "https://id.example/.well-known/openid-configuration")
            ]) { $1 }),
        document("a page", "<html>", says: "not JSON"),
        document(
            "a slash too much", CheckedProvider.document(["issuer": "https://id.example/"]),
            says: "set LEDGERD_CONSOLE_ISSUER to https://id.example/, exactly"),
        document("no issuer", CheckedProvider.document(["issuer": nil]), says: "the issuer that the provider's tokens"),
        document(
            "no tokens", CheckedProvider.document(["token_endpoint": nil]), says: "lacks token_endpoint"),
        document(
            "keys in the open", CheckedProvider.document(["jwks_uri": "http://id.example/keys"]), says: "lacks jwks_uri"
        ),
        document(
            "a sign-in in the open", CheckedProvider.document(["authorization_endpoint": "http://id.example/"]),
            says: "lacks authorization_endpoint"),
        Case(
            testDescription: "tokens that are signed with a shared secret",
            provider: CheckedProvider(
                document: (200, CheckedProvider.document([:], #""id_token_signing_alg_values_supported": ["HS256"]"#))),
            findings: ["console provider": (.failed, "ES256, EdDSA, RS256")]),
        Case(
            testDescription: "no PKCE",
            provider: CheckedProvider(
                document: (200, CheckedProvider.document([:], #""code_challenge_methods_supported": ["plain"]"#))),
            findings: ["console provider": (.warning, "PKCE")]),
        Case(
            testDescription: "keys for other algorithms", provider: CheckedProvider(keys: (200, CheckedProvider.p384)),
            findings: ["console keys": (.failed, "none of the provider's keys")]),
        Case(
            testDescription: "no keys", provider: CheckedProvider(keys: (200, #"{"keys": []}"#)),
            findings: ["console keys": (.failed, "no signing key")]),
        Case(
            testDescription: "keys that are not there", provider: CheckedProvider(keys: (500, "")),
            findings: ["console keys": (.failed, "status 500")]),
        signIn("an unknown redirect", 400, .failed, says: "register https://console.example/console/callback"),
        signIn(
            "an unknown scope", 302, to: "https://console.example/console/callback?error=invalid_scope&state=s",
            .failed,
            says: "invalid_scope"),
        signIn("the page of a sign-in", 200, .ok, says: "takes requests"),
        signIn(
            "another page of the provider", 303, to: "https://id.example/login?error=none", .ok, says: "takes requests"),
        signIn("a firewall against programs", 403, .warning, says: "with a browser"),
        client("a wrong secret", 401, #"{"error": "invalid_client"}"#, .failed, says: "LEDGERD_CONSOLE_CLIENT_SECRET"),
        client(
            "a wrong secret, at Keycloak", 401, #"{"error": "unauthorized_client"}"#, .failed,
            says: "unauthorized_client"),
        client("a wrong secret, without a reason", 401, "", .failed, says: "status 401"),
        client("a wrong secret, with 400", 400, #"{"error": "invalid_client"}"#, .failed, says: "invalid_client"),
        client(
            "another redirect", 400, #"{"error": "redirect_uri_mismatch"}"#, .failed, says: "as a redirect URI"),
        client("a failure", 503, "busy", .warning, says: "status 503"),
        client("a text that is no code", 400, #"{"error": "secret-word is wrong"}"#, .warning, says: "status 400"),
    ]

    @Test(arguments: cases)
    func `each mistake of a sign-in is named with what to do, and the rest is checked`(one: Case) async throws {
        let settings = [
            "LEDGERD_CONSOLE_ISSUER": "https://id.example", "LEDGERD_CONSOLE_CLIENT_ID": "me",
            "LEDGERD_CONSOLE_CLIENT_SECRET": "secret-word", "LEDGERD_CONSOLE_URL": "https://console.example",
            "LEDGERD_ADMIN_LISTEN": "127.0.0.1:8082",
        ].merging(one.settings) { $1 }.filter { !$0.value.isEmpty }
        let configuration = try #require(try ConsoleConfiguration(SettingValues(environment: settings)))
        let results = await SignInChecks(configuration, over: one.provider, limit: .seconds(10)).run()
        let names = ["address", "provider", "keys", "sign-in", "client"].map { "console " + $0 }
        #expect(results.map(\.check) == names)
        for result in results {
            let expected = one.findings[result.check] ?? (.ok, "")
            let text = result.detail + " " + (result.advice ?? "")
            #expect(result.outcome == expected.result, "\(result)")
            #expect(expected.says.isEmpty || text.contains(expected.says), "\(result)")
            #expect((result.advice == nil) == [.ok, .skipped].contains(result.outcome), "\(result)")
            #expect(!text.contains("secret-word"), "\(result)")
            for name in text.matches(of: #/LEDGERD_[A-Z_0-9]+/#).map({ String($0.output) }) {
                #expect(ConfigurationSource.knownVariables.contains(name), "\(name)")
            }
        }
    }
}

/// A provider, as `ledgerd check` sees it: its responses by path.
struct CheckedProvider: HTTPTransport {
    var document = (status: 200, body: document([:]))
    var keys = (status: 200, body: p256)
    var authorize = (status: 302, location: String?.some("https://id.example/login"))
    var token = (status: 400, body: #"{"error": "invalid_grant"}"#)
    var failure: TransportError?

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if let failure { throw failure }
        let url = "\(request.url)"
        if url.hasPrefix("https://id.example/authorize?") {
            let headers = authorize.location.map { HTTPHeaders(raw: Array("Location: \($0)\r\n".utf8)) }
            return HTTPResponse(status: authorize.status, headers: headers ?? HTTPHeaders())
        }
        let answers = [
            "https://id.example/.well-known/openid-configuration": document, "https://id.example/keys": keys,
            "https://id.example/token": token,
        ]
        guard let answer = answers[url] else { throw TransportError(.unreachable, "nothing is at \(url)") }
        return HTTPResponse(status: answer.status, body: Array(answer.body.utf8))
    }

    /// The document of a provider, with changed members; nil: without it.
    static func document(_ changes: [String: String?], _ more: String? = nil) -> String {
        var members: [String: String?] = [
            "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
        ]
        for (name, value) in changes { members[name] = .some(value) }
        let texts = members.compactMap { name, value in value.map { #""\#(name)": "\#($0)""# } }.sorted()
        return "{" + (texts + [more].compactMap(\.self)).joined(separator: ", ") + "}"
    }

    private static func set(_ algorithm: String, _ curve: String, _ point: Data) -> String {
        let half = point.count / 2
        return """
            {"keys": [{"kty": "EC", "crv": "\(curve)", "alg": "\(algorithm)", "kid": "k",
                "x": "\(Base64URL.encode(point.prefix(half)))", "y": "\(Base64URL.encode(point.suffix(half)))"}]}
            """
    }

    static let p256 = set("ES256", "P-256", P256.Signing.PrivateKey().publicKey.rawRepresentation)
    static let p384 = set("ES384", "P-384", P384.Signing.PrivateKey().publicKey.rawRepresentation)
}
