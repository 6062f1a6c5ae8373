import FoundationEssentials
import Hummingbird
import SandboxSupport
import SwiftASN1
import X509

/// Google's token endpoint, and the keys by which its own tokens are checked.
struct TokenRoutes: Sendable {
    let assertion: ServiceAccountAssertion
    let tokens: AccessTokens
    let keys: GoogleKeys
    let clock: SandboxClock

    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post("google/token", use: grant)
        router.get("google/oauth2/v1/certs", use: certificates)
        router.get("google/oauth2/v3/certs", use: keySet)
    }

    private func grant(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = FormPairs(String(buffer: try await request.body.collect(upTo: Request.maxBodyBytes)))
        guard body["grant_type"] == Self.grantType else {
            throw TokenRefusal(error: "unsupported_grant_type", detail: "Invalid grant_type.")
        }
        try assertion.check(body["assertion"] ?? "", now: clock.base)
        return GoogleAnswer.json(
            .object([
                "access_token": .string(await tokens.issue(now: clock.base)),
                "expires_in": .int(AccessTokens.lifetime), "token_type": .string("Bearer"),
            ]))
    }

    /// The keys as JSON Web Keys (RFC 7517).
    private func keySet(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let found = try keys.published.map { key in
            let numbers = try key.key.publicKey.getKeyPrimitives()
            return JSONValue.object([
                "kid": .string(key.id), "kty": .string("RSA"), "alg": .string("RS256"), "use": .string("sig"),
                "n": .string(Base64URL.encode(numbers.modulus)),
                "e": .string(Base64URL.encode(numbers.publicExponent)),
            ])
        }
        return Self.cached(.object(["keys": .array(found)]))
    }

    /// The keys as certificates in PEM, by their ids.
    private func certificates(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let found = try keys.published.map { key in
            (key.id, JSONValue.string(try certificate(of: key).serializeAsPEM().pemString))
        }
        return Self.cached(.object(Dictionary(uniqueKeysWithValues: found)))
    }

    private func certificate(of key: GoogleKey) throws -> Certificate {
        let subject = try DistinguishedName { CommonName("federated-signon.system.gserviceaccount.com") }
        let day = 86_400.0
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.key.publicKey), notValidBefore: clock.base.addingTimeInterval(-day),
            notValidAfter: clock.base.addingTimeInterval(16 * day), issuer: subject, subject: subject,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(key.key))
    }

    private static func cached(_ keys: JSONValue) -> Response {
        var response = GoogleAnswer.json(keys)
        response.headers[.cacheControl] = "public, max-age=3600, must-revalidate, no-transform"
        return response
    }
}
