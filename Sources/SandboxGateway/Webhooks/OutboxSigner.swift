import Crypto
import FoundationEssentials

/// Signs as Standard Webhooks 1.0.0 defines: HMAC-SHA256 over id, time of the attempt, and the bytes of the body.
struct OutboxSigner: Sendable {
    private let keys: [SymmetricKey]

    /// - Throws: ``SandboxGatewayError`` if there are more than two secrets, or one isn't `whsec_` and base64.
    init(secrets: [String]) throws {
        guard secrets.count <= 2 else {
            throw SandboxGatewayError(description: "there can be at most two webhook secrets")
        }
        keys = try secrets.map { secret in
            let text = secret.hasPrefix("whsec_") ? String(secret.dropFirst(6)) : secret
            guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
                throw SandboxGatewayError(description: "a webhook secret must be whsec_ and base64")
            }
            return SymmetricKey(data: bytes)
        }
    }

    /// The headers of an attempt; unsigned without a secret.
    ///
    /// `isForged` signs with a random key.
    func headers(id: String, timestamp: Int, body: String, isForged: Bool = false) -> [(String, String)] {
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let keys = isForged ? [SymmetricKey(size: .bits256)] : keys
        let signatures = keys.map { key in
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        }
        let headers = [("webhook-id", id), ("webhook-timestamp", String(timestamp))]
        return signatures.isEmpty
            ? headers : headers + [("webhook-signature", signatures.joined(separator: " "))]
    }
}
