import FoundationEssentials
import LedgerServer
import Logging
import OutboundHTTP
import Timing
import WireFormats

/// The OpenID Connect provider that people sign in with (OpenID Connect Core 1.0, Discovery 1.0).
///
/// Its documents are fetched when they are needed, and kept for an hour; its keys also when a token names an unknown one.
actor OpenIDProvider {
    /// What the provider says about itself.
    struct Metadata: Sendable {
        let authorizationEndpoint: String
        let tokenEndpoint: HTTPURL
        let keysURL: HTTPURL
        /// Whether the client's secret can only be sent in the body.
        let wantsSecretInBody: Bool
    }

    private let configuration: ConsoleConfiguration
    private let transport: any HTTPTransport
    private let logger: Logger
    private var metadata: (value: Metadata, until: ContinuousClock.Instant)?
    private var keys: (value: TokenKeys, since: ContinuousClock.Instant)?

    private static let lifetime = Duration.seconds(3600)
    /// The least time between two requests for the keys, so that forged tokens don't cause many.
    private static let keysPause = Duration.seconds(10)

    init(_ configuration: ConsoleConfiguration, transport: any HTTPTransport, logger: Logger) {
        self.configuration = configuration
        self.transport = transport
        self.logger = logger
    }

    /// Where a browser signs in.
    ///
    /// - Throws: ``SignInFailure/provider`` when the provider can't be reached.
    func authorizationURL(of attempt: SignInAttempt) async throws(SignInFailure) -> String {
        let endpoint = try await discover().authorizationEndpoint
        let query = [
            ("response_type", "code"), ("client_id", configuration.clientID),
            ("redirect_uri", configuration.redirectURI), ("scope", configuration.scopes.joined(separator: " ")),
            ("state", attempt.state), ("nonce", attempt.nonce), ("code_challenge", attempt.challenge),
            ("code_challenge_method", "S256"),
        ]
        return endpoint + (endpoint.contains("?") ? "&" : "?") + ConsolePath.query(query)
    }

    /// The claims of the ID token that the provider gives for a code.
    ///
    /// - Throws: ``SignInFailure`` when the provider refuses the code, or its token is not valid for this attempt.
    func claims(for code: String, of attempt: SignInAttempt, at now: Date) async throws(SignInFailure) -> JSON {
        let metadata = try await discover()
        let token = try await requestToken(code, attempt, metadata)
        guard let parsed = IDToken(token) else { throw refuse("the ID token is not a signed token") }
        var valid = parsed.isSigned(by: try await keys(metadata))
        if !valid, let newer = try await newerKeys(metadata) { valid = parsed.isSigned(by: newer) }
        guard valid else { throw refuse("the ID token's signature is not the provider's") }
        let rules = IDToken.Rules(
            issuer: configuration.issuer, clientID: configuration.clientID, nonce: attempt.nonce)
        if let broken = rules.broken(by: parsed.claims, at: now) { throw refuse(broken) }
        return parsed.claims
    }

    /// Whether the `iss` of a redirect is the provider's (RFC 9207); a provider may not send it.
    nonisolated func isOwn(_ issuer: String?) -> Bool { issuer == nil || issuer == configuration.issuer }

    // MARK: - Documents

    private func discover() async throws(SignInFailure) -> Metadata {
        if let metadata, Time.current.instant < metadata.until { return metadata.value }
        let found = try await fetchMetadata()
        metadata = (found, Time.current.instant + Self.lifetime)
        return found
    }

    private func fetchMetadata() async throws(SignInFailure) -> Metadata {
        guard let base = try? HTTPURL(configuration.issuer) else { throw refuse("the issuer is not a URL") }
        let document = try await get(base.appending(".well-known", "openid-configuration"))
        guard document["issuer"]?.text == configuration.issuer else {
            throw refuse("the provider's document has another issuer")
        }
        guard let authorization = document["authorization_endpoint"]?.text, (try? HTTPURL(authorization)) != nil,
            authorization.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !authorization.contains("#"),
            let tokens = url(document["token_endpoint"]), let keys = url(document["jwks_uri"])
        else { throw refuse("the provider's document lacks an endpoint, or has one that is not https") }
        let methods = document["token_endpoint_auth_methods_supported"]?.elements?.compactMap(\.text)
        return Metadata(
            authorizationEndpoint: authorization, tokenEndpoint: tokens, keysURL: keys,
            wantsSecretInBody: methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
                ?? false)
    }

    private func url(_ member: JSON?) -> HTTPURL? {
        member?.text.flatMap { try? HTTPURL($0, isBase: false) }
    }

    private func keys(_ metadata: Metadata) async throws(SignInFailure) -> TokenKeys {
        if let keys, Time.current.instant < keys.since + Self.lifetime { return keys.value }
        let document = try await get(metadata.keysURL)
        let found: TokenKeys
        do {
            found = try await TokenKeys.jwks(Data(document.written.utf8))
        } catch {
            throw refuse("the provider's keys can't be used: \(error)")
        }
        keys = (found, Time.current.instant)
        return found
    }

    /// The keys, if they were not fetched just now: the provider may have replaced them.
    private func newerKeys(_ metadata: Metadata) async throws(SignInFailure) -> TokenKeys? {
        guard let keys, Time.current.instant > keys.since + Self.keysPause else { return nil }
        self.keys = nil
        return try await self.keys(metadata)
    }

    // MARK: - Requests

    private func requestToken(
        _ code: String, _ attempt: SignInAttempt, _ metadata: Metadata
    ) async throws(SignInFailure) -> String {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", attempt.verifier),
        ]
        var headers = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        if let secret = configuration.clientSecret, !metadata.wantsSecretInBody {
            // RFC 6749, 2.3.1: each part is form-encoded first.
            let pair = FormText.encode(configuration.clientID) + ":" + FormText.encode(secret)
            headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
        } else {
            form.append(("client_id", configuration.clientID))
            if let secret = configuration.clientSecret { form.append(("client_secret", secret)) }
        }
        let body = ConsolePath.query(form)
        // A code can be used once, so a request that may have arrived is not repeated.
        let answer = try await send(
            HTTPRequest(
                .post, metadata.tokenEndpoint, headers: headers, body: Array(body.utf8), needsFreshConnection: true))
        guard let token = answer["id_token"]?.text else { throw refuse("the provider's response has no ID token") }
        return token
    }

    private func get(_ url: HTTPURL) async throws(SignInFailure) -> JSON {
        try await send(HTTPRequest(.get, url, headers: [("Accept", "application/json")]))
    }

    private func send(_ request: HTTPRequest) async throws(SignInFailure) -> JSON {
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw refuse("the provider can't be reached: \(error)")
        }
        guard response.status == 200 else { throw refuse("the provider's response has status \(response.status)") }
        guard let json = try? JSONParser.parse(response.body) else {
            throw refuse("the provider's response is not JSON")
        }
        return json
    }

    /// Logs why; the person is only told that the provider can't be used.
    private func refuse(_ reason: String) -> SignInFailure {
        logger.error("sign-in to the console failed", metadata: ["reason": "\(reason)"])
        return .provider
    }
}

extension ConsoleConfiguration {
    /// Where the provider sends browsers back to.
    var redirectURI: String { origin + "/console/callback" }
}

/// Why a person is not signed in.
enum SignInFailure: String, Error, CaseIterable {
    /// The provider can't be used, or its response is invalid; the log says why.
    case provider
    /// The redirect does not belong to an attempt of this browser, or the attempt is too old.
    case attempt
    /// The provider, or the person at it, refused.
    case refused
    /// The person has no role in the console.
    case role
}
