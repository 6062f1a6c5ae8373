import FoundationEssentials
import JWTKit

/// A key of App Store Connect for the App Store Server API, which signs our requests.
package struct AppStoreKey: Sendable {
    /// How long a token is valid; the gateway allows an hour.
    private static let lifetime: Int64 = 300

    private let issuerID: String
    private let keyID: String
    private let key: ES256PrivateKey

    /// - Parameters:
    ///   - issuerID: the issuer id of the keys' page.
    ///   - keyID: the key's id.
    ///   - pem: the private key, the text of the `.p8` file.
    /// - Throws: ``UnusableSetting``.
    package init(issuerID: String, keyID: String, pem: Secret) throws(UnusableSetting) {
        do {
            key = try ES256PrivateKey(pem: pem.text)
        } catch {
            throw UnusableSetting("the App Store key can't be read: a P-256 private key in PEM is required")
        }
        self.issuerID = issuerID
        self.keyID = keyID
    }

    /// A token for requests about an app.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if it can't be signed.
    func token(for bundleID: String, at now: Date) async throws(GatewayError) -> String {
        let claims = Claims(iss: issuerID, bid: bundleID, exp: Int64(now.timeIntervalSince1970) + Self.lifetime)
        do {
            let kid = JWKIdentifier(string: keyID)
            return try await JWTKeyCollection().add(ecdsa: key, kid: kid).sign(claims, kid: kid)
        } catch {
            throw GatewayError(.invalidRequest, message: "the request can't be signed")
        }
    }

    /// Exactly what Apple's own client sends.
    private struct Claims: JWTPayload {
        let iss: String
        let bid: String
        var aud = "appstoreconnect-v1"
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
