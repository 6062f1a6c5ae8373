import Crypto
public import Foundation

/// The private key of a sender, an Ed25519 key (Standard Webhooks, `v1a`).
///
/// Printing or dumping it shows asterisks.
public struct WebhookSigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    let key: Curve25519.Signing.PrivateKey

    /// A new key.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Reads a key: 32 bytes in base64, with or without the prefix `whsk_`.
    public init?(_ text: String) {
        let base64 = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let bytes = Data(base64Encoded: base64),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The key as its sender configures it: `whsk_` and base64.
    public var text: String { Self.prefix + key.rawRepresentation.base64EncodedString() }

    /// The key that verifies its signatures.
    public var publicKey: WebhookPublicKey { WebhookPublicKey(key: key.publicKey) }

    /// Asterisks.
    public var description: String { "****" }

    /// Empty, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private static let prefix = "whsk_"
}

/// The public key of a sender, an Ed25519 key (Standard Webhooks, `v1a`).
public struct WebhookPublicKey: Sendable, Hashable, CustomStringConvertible {
    let key: Curve25519.Signing.PublicKey

    init(key: Curve25519.Signing.PublicKey) { self.key = key }

    /// Reads a key: 32 bytes in base64, with or without the prefix `whpk_`.
    public init?(_ text: String) {
        let base64 = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let bytes = Data(base64Encoded: base64),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The 32 bytes of the key.
    public var bytes: Data { key.rawRepresentation }

    /// The key as receivers configure it: `whpk_` and base64.
    public var text: String { Self.prefix + bytes.base64EncodedString() }

    /// The same as ``text``.
    public var description: String { text }

    /// Whether both are the same key.
    public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    private static let prefix = "whpk_"
}
