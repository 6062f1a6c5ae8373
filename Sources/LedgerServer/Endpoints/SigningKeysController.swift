import Crypto
import Foundation
import Hummingbird
import StandardWebhooks

/// The public keys that verify webhooks, as a JSON Web Key Set (RFC 7517, RFC 8037).
///
/// It needs no token, as receivers fetch it.
struct SigningKeysController: Sendable {
    let keys: [WebhookPublicKey]

    /// `GET /v1/webhook-keys`.
    func keySet(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(headers: [.cacheControl: "public, max-age=3600"], json: WebhookKeysBody(keys: keys.map(Key.init)))
    }

    private struct WebhookKeysBody: Encodable {
        let keys: [Key]
    }

    /// A key: its members by JWK, and ``whpk`` by Standard Webhooks.
    private struct Key: Encodable {
        let kty = "OKP"
        let crv = "Ed25519"
        let use = "sig"
        let alg = "EdDSA"
        let kid: String
        let x: String
        let whpk: String

        init(_ key: WebhookPublicKey) {
            x = Base64URL.encode(key.bytes)
            kid = Base64URL.encode(Array(SHA256.hash(data: key.bytes).prefix(8)))
            whpk = key.text
        }

        private enum CodingKeys: String, CodingKey { case kty, crv, use, alg, kid, x, whpk }
    }
}
