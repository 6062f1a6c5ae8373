import Crypto
public import Foundation

/// A secret that the sender and the receiver of webhooks share (Standard Webhooks, `v1`).
///
/// Printing or dumping it shows asterisks.
public struct WebhookSecret: Sendable, CustomStringConvertible, CustomReflectable {
    let key: SymmetricKey

    /// A secret of 32 random bytes.
    public init() { key = SymmetricKey(size: .bits256) }

    /// A secret with these bytes; nil for none, with which everybody could sign.
    public init?(bytes: some ContiguousBytes) {
        key = SymmetricKey(data: bytes)
        if key.bitCount == 0 { return nil }
    }

    /// Reads a secret: base64, with or without the prefix `whsec_`.
    public init?(_ text: String) {
        let base64 = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let bytes = Data(base64Encoded: base64) else { return nil }
        self.init(bytes: bytes)
    }

    /// The secret as its receiver configures it: `whsec_` and base64.
    public var text: String { Self.prefix + key.withUnsafeBytes { Data($0) }.base64EncodedString() }

    /// Asterisks.
    public var description: String { "****" }

    /// Empty, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private static let prefix = "whsec_"
}
