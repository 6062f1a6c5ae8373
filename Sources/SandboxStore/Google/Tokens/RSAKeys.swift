import Crypto
import CryptoExtras
import FoundationEssentials
import Synchronization

/// RSA keys, made at first use and once in a process, because making one takes long.
enum RSAKeys {
    /// The key with this number.
    static func key(_ number: Int) throws -> _RSA.Signing.PrivateKey {
        try made.withLock { keys in
            while keys.count <= number { keys.append(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }
            return keys[number]
        }
    }

    private static let made = Mutex<[_RSA.Signing.PrivateKey]>([])
}

/// An RSA key with its id.
struct GoogleKey: Sendable {
    let id: String
    let key: _RSA.Signing.PrivateKey

    init(_ number: Int) throws {
        key = try RSAKeys.key(number)
        id = SHA256.hash(data: key.publicKey.derRepresentation).prefix(20).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256, as RS256 has it.
    func signature(of text: String) throws -> Data {
        try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5).rawRepresentation
    }

    func isSignature(_ signature: Data, of text: String) -> Bool {
        key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: Data(text.utf8), padding: .insecurePKCS1v1_5)
    }
}

/// The keys of Google's tokens.
///
/// The one before the newest is still published, as Google does while it replaces a key.
final class GoogleKeys: Sendable {
    private let newest = Mutex(firstNumber)

    private static let serviceAccountNumber = 0
    private static let strangerNumber = 1
    private static let firstNumber = 2

    /// The key of the shop's service account.
    static var serviceAccount: GoogleKey {
        get throws { try GoogleKey(serviceAccountNumber) }
    }

    /// A key that is never published.
    static var stranger: GoogleKey {
        get throws { try GoogleKey(strangerNumber) }
    }

    /// The key that signs.
    var current: GoogleKey {
        get throws { try GoogleKey(newest.withLock { $0 }) }
    }

    /// The newest first.
    var published: [GoogleKey] {
        get throws {
            let number = newest.withLock { $0 }
            return try [number, number - 1].filter { $0 >= Self.firstNumber }.map { number in try GoogleKey(number) }
        }
    }

    /// Signs with a new key from now on.
    func replace() { newest.withLock { $0 += 1 } }
}
