import Crypto
import Foundation

/// What seals are signed with: an Ed25519 key (RFC 8032).
///
/// A secret. Whoever has it and may write the database can make seals of books that never were.
package struct SealKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new key.
    package init() { key = Curve25519.Signing.PrivateKey() }

    /// Reads a key; nil unless it is 32 bytes in base64.
    package init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The secret itself, to be kept.
    package var base64: String { key.rawRepresentation.base64EncodedString() }

    /// What its signatures are checked with.
    package var publicKey: SealPublicKey { SealPublicKey(key.publicKey) }

    /// Nothing of the key.
    package var description: String { "****" }
    /// Nothing of the key.
    package var customMirror: Mirror { Mirror(self, children: []) }

    func signature(of text: String) throws -> [UInt8] { Array(try key.signature(for: Data(text.utf8))) }
}

/// What seals' signatures are checked with.
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

    /// As it is written.
    package var base64: String { Data(bytes).base64EncodedString() }

    /// A short name: the beginning of its SHA-256.
    package var id: String { String(Array(SHA256.hash(data: bytes)).hex.prefix(16)) }

    func isSignature(_ signature: [UInt8], of text: String) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(Data(signature), for: Data(text.utf8))
    }
}
