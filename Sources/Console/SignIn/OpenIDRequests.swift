import FoundationEssentials
import LedgerServer
import OutboundHTTP
import WireFormats

/// The requests to an OpenID Connect provider: of sign-ins, and of `ledgerd check`.
struct OpenIDRequests: Sendable {
    let transport: any HTTPTransport
    /// How long a request may take.
    var limit = Duration.seconds(10)

    /// What the provider says about itself.
    func metadata(of issuer: String) async throws(OpenIDFault) -> OpenIDMetadata {
        let url = try OpenIDMetadata.location(of: issuer)
        return try OpenIDMetadata(try await get(url), of: issuer)
    }

    /// The keys that sign its ID tokens.
    func keys(at url: HTTPURL) async throws(OpenIDFault) -> TokenKeys {
        let document = try await get(url)
        do {
            return try await TokenKeys.jwks(Data(document.written.utf8))
        } catch {
            throw .keys(error)
        }
    }

    /// The document of a response with status 200.
    func document(_ request: HTTPRequest) async throws(OpenIDFault) -> JSON {
        let response = try await response(to: request)
        guard response.status == 200 else { throw .status(response.status, of: request.url) }
        guard let json = try? JSONParser.parse(response.body) else { throw .notJSON(request.url) }
        return json
    }

    /// The response, with any status.
    func response(to request: HTTPRequest) async throws(OpenIDFault) -> HTTPResponse {
        var limited = request
        limited.totalTimeout = limit
        limited.connectTimeout = min(limit, request.connectTimeout)
        do {
            return try await transport.send(limited)
        } catch {
            throw .unreachable(error)
        }
    }

    private func get(_ url: HTTPURL) async throws(OpenIDFault) -> JSON {
        try await document(HTTPRequest(.get, url, headers: [("Accept", "application/json")]))
    }
}

extension ConsoleConfiguration {
    /// Where the provider sends browsers back to.
    var redirectURI: String { origin + "/console/callback" }

    /// Where a browser signs in.
    func authorizationURL(of attempt: SignInAttempt, at provider: OpenIDMetadata) -> String {
        let endpoint = provider.authorizationEndpoint
        let query = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.joined(separator: " ")), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        return endpoint + (endpoint.contains("?") ? "&" : "?") + ConsolePath.query(query)
    }

    /// The request for the tokens of a code.
    ///
    /// A code can be used once, so a request that may have arrived is not repeated.
    func tokenRequest(for code: String, of attempt: SignInAttempt, at provider: OpenIDMetadata) -> HTTPRequest {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", attempt.verifier),
        ]
        var headers = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        if let secret = clientSecret, !provider.wantsSecretInBody {
            // RFC 6749, 2.3.1: each part is form-encoded first.
            let pair = FormText.encode(clientID) + ":" + FormText.encode(secret)
            headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
        } else {
            form.append(("client_id", clientID))
            if let secret = clientSecret { form.append(("client_secret", secret)) }
        }
        return HTTPRequest(
            .post, provider.tokenEndpoint, headers: headers, body: Array(ConsolePath.query(form).utf8),
            needsFreshConnection: true)
    }
}
