import Crypto
import Foundation
import Postgres

/// The secret key of what is kept of forgotten users.
///
/// It is in the settings and never in the database, so a dump has nothing of it.
package struct ForgettingKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: SymmetricKey
    /// The key of the hashes of payments' names, which each payment needs.
    let ofPayments: [UInt8]

    /// A new random key.
    package init() { self.init(SymmetricKey(size: .bits256)) }

    /// Reads a key; nil: not 32 bytes in base64.
    package init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { return nil }
        self.init(SymmetricKey(data: bytes))
    }

    private init(_ key: SymmetricKey) {
        self.key = key
        ofPayments = Self.derived("payments", from: key)
    }

    /// The secret key itself, to be stored.
    package var base64: String { key.withUnsafeBytes { Data($0) }.base64EncodedString() }

    /// Hides the key.
    package var description: String { "****" }
    /// Hides the key.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// A short name that tells keys apart.
    package var name: String { String(derived("name").prefix(8).hex) }

    /// Keyed hashes of the names of a payment, as `forget_user` stores those that had the user's id.
    ///
    /// The order's, the last one, is one at all gateways.
    func digests(of payment: PaymentIdentity) -> [PostgresBytes] {
        payment.namesPresented.map { digest(of: "\(payment.gateway)/\($0)") } + [digest(ofOrderOf: payment)]
    }

    /// The keyed hash of the name of a payment's order.
    func digest(ofOrderOf payment: PaymentIdentity) -> PostgresBytes { digest(of: "/\(payment.merchantUID)") }

    private func digest(of name: String) -> PostgresBytes {
        let inner = SHA256.hash(data: ofPayments + Array(name.utf8))
        return PostgresBytes(Array(SHA256.hash(data: ofPayments + Array(inner))))
    }

    /// The id, encrypted (AES-GCM).
    func encrypted(_ id: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(Data(id.utf8), using: SymmetricKey(data: derived("ids")))
        return Array(box.combined ?? Data())
    }

    /// The id that was encrypted; nil: with another key.
    package func decrypted(_ kept: KeptID) -> UserID? {
        guard kept.keyName == name, let box = try? AES.GCM.SealedBox(combined: kept.encrypted),
            let bytes = try? AES.GCM.open(box, using: SymmetricKey(data: derived("ids")))
        else { return nil }
        return UserID(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private func derived(_ use: String) -> [UInt8] { Self.derived(use, from: key) }

    private static func derived(_ use: String, from key: SymmetricKey) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Data("ledgerd forgetting \(use)".utf8), outputByteCount: 32
        ).withUnsafeBytes { Array($0) }
    }
}
