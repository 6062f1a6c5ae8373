import LedgerServer
import OutboundHTTP
import WireFormats

/// What an OpenID Connect provider says about itself (Discovery 1.0, 3).
struct OpenIDMetadata: Sendable {
    let authorizationEndpoint: String
    let tokenEndpoint: HTTPURL
    let keysURL: HTTPURL
    /// Whether the client's secret can only be sent in the body.
    let wantsSecretInBody: Bool
    /// The algorithms of its ID tokens; nil: it does not say.
    let algorithms: [String]?
    /// The ways in which it hashes the verifier of a code (RFC 8414, 2); nil: it does not say.
    let challengeMethods: [String]?

    /// Where the document is: below the issuer (Discovery 1.0, 4).
    ///
    /// - Throws: ``OpenIDFault`` when the issuer is not a URL.
    static func location(of issuer: String) throws(OpenIDFault) -> HTTPURL {
        guard let base = try? HTTPURL(issuer) else { throw .issuerIsNoURL }
        return base.appending(".well-known", "openid-configuration")
    }

    /// - Throws: ``OpenIDFault`` when it is another issuer's document, or lacks an endpoint.
    init(_ document: JSON, of issuer: String) throws(OpenIDFault) {
        guard document["issuer"]?.text == issuer else { throw .otherIssuer(document["issuer"]?.text) }
        guard let authorization = document["authorization_endpoint"]?.text, (try? HTTPURL(authorization)) != nil,
            authorization.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !authorization.contains("#")
        else { throw .noEndpoint("authorization_endpoint") }
        authorizationEndpoint = authorization
        tokenEndpoint = try Self.url("token_endpoint", document)
        keysURL = try Self.url("jwks_uri", document)
        let methods = Self.texts("token_endpoint_auth_methods_supported", document)
        wantsSecretInBody =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") } ?? false
        algorithms = Self.texts("id_token_signing_alg_values_supported", document)
        challengeMethods = Self.texts("code_challenge_methods_supported", document)
    }

    private static func url(_ member: String, _ document: JSON) throws(OpenIDFault) -> HTTPURL {
        guard let url = document[member]?.text.flatMap({ try? HTTPURL($0, isBase: false) }) else {
            throw .noEndpoint(member)
        }
        return url
    }

    private static func texts(_ member: String, _ document: JSON) -> [String]? {
        document[member]?.elements?.compactMap(\.text)
    }
}

/// Why the provider can't be used.
struct OpenIDFault: Error, Equatable {
    /// What was found, in a sentence without secrets.
    let reason: String
    /// What to do about it.
    let advice: String

    static let issuerIsNoURL = OpenIDFault(
        reason: "the issuer is not a URL", advice: "set LEDGERD_CONSOLE_ISSUER to the URL of the provider")

    static func unreachable(_ error: TransportError) -> OpenIDFault {
        OpenIDFault(
            reason: "the provider can't be reached: \(error)",
            advice: error.code == .untrusted
                ? "install ca-certificates, or set LEDGERD_GATEWAY_CA_FILE for a certificate authority of your own"
                : "see that LEDGERD_CONSOLE_ISSUER is right, and that the firewall lets this machine call the provider")
    }

    static func status(_ status: Int, of url: HTTPURL) -> OpenIDFault {
        OpenIDFault(
            reason: "the provider's response has status \(status)",
            advice: "open \(url) in a browser: if it is not a JSON document, correct LEDGERD_CONSOLE_ISSUER")
    }

    static func notJSON(_ url: HTTPURL) -> OpenIDFault {
        OpenIDFault(
            reason: "the provider's response is not JSON",
            advice: "open \(url) in a browser: if it is not a JSON document, correct LEDGERD_CONSOLE_ISSUER")
    }

    /// - Parameter found: the issuer that the document names.
    static func otherIssuer(_ found: String?) -> OpenIDFault {
        let name = found.flatMap { $0.isEmpty || $0.utf8.count > 500 ? nil : $0 }
        return OpenIDFault(
            reason: "the provider's document has another issuer" + (name.map { ": \($0)" } ?? ""),
            advice: name.map { "set LEDGERD_CONSOLE_ISSUER to \($0), exactly, also with or without a slash at the end" }
                ?? "set LEDGERD_CONSOLE_ISSUER to the issuer that the provider's tokens have")
    }

    static func noEndpoint(_ member: String) -> OpenIDFault {
        OpenIDFault(
            reason: "the provider's document lacks \(member), or it is not https",
            advice: "see that the provider offers OpenID Connect with the authorization code flow, over https")
    }

    static func keys(_ error: any Error) -> OpenIDFault {
        OpenIDFault(
            reason: "the provider's keys can't be used: \(error)",
            advice: "let the provider sign ID tokens with \(IDToken.algorithmsText)")
    }
}
