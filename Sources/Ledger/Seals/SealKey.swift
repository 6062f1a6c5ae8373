import Crypto
import Foundation

/// The secret key that signs seals: Ed25519 (RFC 8032).
///
/// Anyone who has the key and can write the database can forge the books and seal them.
package struct SealKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new random key.
    package init() { key = Curve25519.Signing.PrivateKey() }

    /// Reads a key; nil: not 32 bytes in base64.
    package init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The secret key itself, to be stored.
    package var base64: String { key.rawRepresentation.base64EncodedString() }

    /// The public key that checks this key's signatures.
    package var publicKey: SealPublicKey { SealPublicKey(key.publicKey) }

    /// Hides the key.
    package var description: String { "****" }
    /// Hides the key.
    package var customMirror: Mirror { Mirror(self, children: []) }

    func signature(of text: String) throws -> [UInt8] { Array(try key.signature(for: Data(text.utf8))) }
}

/// The public key that checks the signatures of seals.
package struct SealPublicKey: Sendable, Equatable {
    let bytes: [UInt8]

    fileprivate init(_ key: Curve25519.Signing.PublicKey) { bytes = Array(key.rawRepresentation) }

    init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
        self.init(key)
    }

    /// Reads a key; nil unless it is 32 bytes in base64.
    package init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text) else { return nil }
        self.init(bytes: Array(bytes))
    }

    /// The key in base64.
    package var base64: String { Data(bytes).base64EncodedString() }

    /// A short name: the first 16 digits of the key's SHA-256.
    package var id: String { String(Array(SHA256.hash(data: bytes)).hex.prefix(16)) }

    func isSignature(_ signature: [UInt8], of text: String) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(Data(signature), for: Data(text.utf8))
    }
}
