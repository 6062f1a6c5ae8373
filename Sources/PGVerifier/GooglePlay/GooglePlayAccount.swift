import FoundationEssentials
import JWTKit
import OutboundHTTP
import WireFormats

/// A service account of Google Cloud, which the Play Console lets see and change the app's orders.
package struct GooglePlayAccount: Sendable {
    private static let scope = "https://www.googleapis.com/auth/androidpublisher"
    /// What an assertion is for: this address, also where it is sent to another one.
    private static let audience = "https://oauth2.googleapis.com/token"
    /// How long an assertion is valid; the longest that Google takes.
    private static let lifetime: Int64 = 3600

    private let email: String
    private let keyID: String
    private let key: Insecure.RSA.PrivateKey
    /// Where tokens are asked for, as the file says.
    private let tokenURL: HTTPURL

    /// Reads the JSON file that Google makes for a key of the account.
    ///
    /// - Throws: ``UnusableSetting``.
    package init(json: Secret) throws(UnusableSetting) {
        guard let file = try? JSONParser.parse(Array(json.text.utf8)), file["type"]?.text == "service_account",
            let email = file["client_email"]?.text, let keyID = file["private_key_id"]?.text,
            let pem = file["private_key"]?.text, let address = file["token_uri"]?.text
        else {
            throw UnusableSetting("the Google service account can't be read: the JSON file of its key is required")
        }
        do {
            key = try Insecure.RSA.PrivateKey(pem: pem)
        } catch {
            throw UnusableSetting("the service account's private_key must be an RSA key in PEM, of 2,048 bits or more")
        }
        do throws(TransportError) {
            tokenURL = try HTTPURL(address)
        } catch {
            throw UnusableSetting("the service account's token_uri can't be used: \(error.message)")
        }
        self.email = email
        self.keyID = keyID
    }

    /// The request for an access token (RFC 7523).
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if it can't be signed.
    func tokenRequest(at now: Date, _ limits: GatewayLimits) async throws(GatewayError) -> HTTPRequest {
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", try await assertion(at: now)),
        ]
        let body = form.map { $0 + "=" + FormText.encode($1) }.joined(separator: "&")
        return HTTPRequest(
            .post, tokenURL,
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")],
            body: Array(body.utf8), connectTimeout: limits.connectTimeout, totalTimeout: limits.attemptTimeout,
            maxResponseBytes: 64 << 10)
    }

    private func assertion(at now: Date) async throws(GatewayError) -> String {
        let issued = Int64(now.timeIntervalSince1970)
        let claims = Claims(
            iss: email, scope: Self.scope, aud: Self.audience, iat: issued, exp: issued + Self.lifetime)
        do {
            let kid = JWKIdentifier(string: keyID)
            return try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256, kid: kid).sign(claims, kid: kid)
        } catch {
            throw GatewayError(.invalidRequest, message: "the request can't be signed")
        }
    }

    private struct Claims: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}

extension AccessToken {
    /// The token in Google's answer to a request sent at `sent`.
    ///
    /// - Throws: ``GatewayError``; unauthorized if Google refuses the account or its key.
    init(google response: HTTPResponse, sent: ContinuousClock.Instant) throws(GatewayError) {
        let json = try? JSONParser.parse(response.body)
        guard response.status == 200 else { throw Self.failure(response, json) }
        try self.init(json?["access_token"]?.text, sent: sent, seconds: json?["expires_in"]?.integer)
    }

    /// The token endpoint has errors of its own (RFC 6749, 5.2).
    private static func failure(_ response: HTTPResponse, _ json: JSON?) -> GatewayError {
        let reason = json?["error"]?.text
        let code: GatewayError.Code =
            switch (response.status, reason) {
            case (300..<400, _): .redirect
            case (429, _): .rateLimited
            case (500..., _): .serverError
            case (400..<500, .some): .unauthorized
            default: .malformedAnswer
            }
        return GatewayError(
            code, httpStatus: response.status, gatewayType: reason,
            message: json?["error_description"]?.text ?? "no message", retryAfter: response.retryAfter)
    }
}
