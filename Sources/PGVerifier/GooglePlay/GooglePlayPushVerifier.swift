import FoundationEssentials
import JWTKit
package import OutboundHTTP
package import Timing
import WireFormats

/// Verifies that Cloud Pub/Sub pushes a message of our subscription, and reads Google Play's notification in it.
///
/// The token proves who sends and says nothing about the body, and messages come twice and in any order: a notification is
/// a hint to ask the gateway.
package struct GooglePlayPushVerifier: Sendable {
    private static let issuer = "https://accounts.google.com"
    private static let maxTokenBytes = 8 << 10
    private static let maxBodyBytes = 64 << 10

    private let push: GooglePlayPush
    private let packageName: String
    private let keys: GoogleKeys
    private let time: Time

    /// Nil if no subscription is configured.
    package init?(_ configuration: GooglePlayConfiguration, transport: any HTTPTransport, time: Time = .current) {
        guard let push = configuration.push else { return nil }
        self.push = push
        self.time = time
        packageName = configuration.packageName
        keys = GoogleKeys(url: push.keysURL, transport: transport, time: time)
    }

    /// The notification in a request.
    ///
    /// - Parameter authorization: the `Authorization` header.
    /// - Throws: ``GooglePlayPushError``.
    package func notification(
        authorization: String?, body: [UInt8]
    ) async throws(GooglePlayPushError) -> GooglePlayNotification {
        guard let authorization, authorization.hasPrefix("Bearer ") else {
            throw GooglePlayPushError(.missingToken, "the request has no bearer token")
        }
        try await check(authorization.dropFirst("Bearer ".count))
        guard body.count <= Self.maxBodyBytes, let json = try? JSONParser.parse(body) else {
            throw GooglePlayPushError(.malformedBody, "the body is not JSON, or too large")
        }
        guard json["subscription"]?.text == push.subscription else {
            throw GooglePlayPushError(.anotherSubscription, "the message is from another subscription")
        }
        let notification = try GooglePlayNotification(message: json["message"])
        guard notification.packageName == packageName else {
            throw GooglePlayPushError(.anotherApp, "the notification is about another app")
        }
        return notification
    }

    /// Checks the token; none of its claims is used before its signature is verified.
    private func check(_ token: Substring) async throws(GooglePlayPushError) {
        let bytes = Array(token.utf8)
        let parser = DefaultJWTParser(jsonDecoder: SignedPayloadDecoder())
        guard bytes.count <= Self.maxTokenBytes, let parsed = try? parser.parse(bytes, as: SignedPayload.self),
            let end = bytes.lastIndex(of: UInt8(ascii: "."))
        else { throw GooglePlayPushError(.malformedToken, "the token is not a JWT") }
        guard parsed.header.alg == "RS256", parsed.header.fields["crit"] == nil, let id = parsed.header.kid else {
            throw GooglePlayPushError(.badSignature, "the token is not signed with RS256 by a named key")
        }
        guard let key = try await keys.key(id),
            (try? key.verify(parsed.signature, signs: Data(bytes[..<end]))) == true
        else { throw GooglePlayPushError(.badSignature, "the signature is not Google's") }
        try checkClaims(parsed.payload.json)
    }

    private func checkClaims(_ claims: JSON) throws(GooglePlayPushError) {
        guard claims["iss"]?.text == Self.issuer else {
            throw GooglePlayPushError(.anotherIssuer, "the token is not from Google")
        }
        guard claims["aud"]?.text == push.audience else {
            throw GooglePlayPushError(.anotherAudience, "the token is for another receiver")
        }
        guard claims["email"]?.text == push.sender, claims["email_verified"]?.flag == true else {
            throw GooglePlayPushError(.anotherSender, "another account sends")
        }
        let (now, skew) = (time.now.timeIntervalSince1970, push.clockSkew / .seconds(1))
        guard let expiry = claims["exp"]?.integer, now < Double(expiry) + skew else {
            throw GooglePlayPushError(.untimely, "the token is no longer valid")
        }
        guard let issued = claims["iat"]?.integer, Double(issued) <= now + skew else {
            throw GooglePlayPushError(.untimely, "the token is not valid yet")
        }
    }
}
