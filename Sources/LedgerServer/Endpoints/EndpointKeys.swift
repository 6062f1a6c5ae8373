import Crypto
import Foundation
import Ledger
import StandardWebhooks

/// The keys of the settings that endpoints' webhooks are signed with.
struct EndpointKeys: Sendable {
    /// Secrets of endpoints are made of these; the first one makes new ones.
    private let masters: [Master]
    /// Ed25519 keys, each of which signs every webhook.
    let signing: [WebhookSigningKey]

    /// A key that secrets are made of.
    struct Master: Sendable {
        /// The first 8 bytes of its SHA-256, in hexadecimal digits.
        let id: String
        fileprivate let key: SymmetricKey

        /// Reads 32 bytes in base64.
        init?(_ text: some StringProtocol) {
            guard let bytes = Data(base64Encoded: String(text)), bytes.count == 32 else { return nil }
            key = SymmetricKey(data: bytes)
            id = SHA256.hash(data: bytes).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        }

        /// A new key, in base64.
        static func newText() -> String {
            SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
        }

        /// Reads keys separated by commas; nil if one is invalid.
        static func list(_ text: String) -> [Master]? {
            let keys = text.commaSeparated.map { Master($0) }
            return keys.isEmpty || keys.contains { $0 == nil } ? nil : keys.compactMap(\.self)
        }
    }

    /// - Returns: nil without a master key: no webhooks are sent.
    init?(masters: [Master], signing: [WebhookSigningKey]) {
        if masters.isEmpty { return nil }
        self.masters = masters
        self.signing = signing
    }

    /// Reads signing keys separated by commas; nil if one is invalid.
    static func signingKeys(_ text: String) -> [WebhookSigningKey]? {
        let keys = text.commaSeparated.map { WebhookSigningKey($0) }
        return keys.isEmpty || keys.contains { $0 == nil } ? nil : keys.compactMap(\.self)
    }

    /// The seed of a new secret.
    func newSeed() -> SecretSeed {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        return SecretSeed(keyID: masters[0].id, salt: salt)
    }

    /// The secret of a seed (HKDF-SHA256, RFC 5869); nil: its key is not in the settings any more.
    func secret(of seed: SecretSeed) -> WebhookSecret? {
        guard let master = masters.first(where: { $0.id == seed.keyID }) else { return nil }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master.key, salt: seed.salt, info: Data("ledgerd endpoint secret".utf8),
            outputByteCount: 32)
        return key.withUnsafeBytes { WebhookSecret(bytes: Data($0)) }
    }

    /// What signs for an endpoint, as of a moment; nil: the key of its secret is missing.
    func signer(of endpoint: Endpoint) -> (@Sendable (Date) -> WebhookSigner)? {
        guard let current = secret(of: endpoint.secret) else { return nil }
        let former = endpoint.formerSecret.flatMap { former in
            secret(of: former.seed).map { (secret: $0, until: former.until) }
        }
        return { [signing] now in
            let valid = former.flatMap { now < $0.until ? $0.secret : nil }
            return WebhookSigner(secrets: [current] + [valid].compactMap(\.self), keys: signing)
        }
    }
}
