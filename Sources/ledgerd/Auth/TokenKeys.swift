import FoundationEssentials
import JWTKit

/// The keys that tokens are verified with, each bound to the one algorithm it is used with.
///
/// The binding is what makes `alg` harmless: a token says which algorithm it was signed with, and only keys configured
/// for just that algorithm are tried. `none` has no key, and an RSA public key is never an HMAC secret.
struct TokenKeys: Sendable {
    /// A key with its algorithm.
    struct Key: Sendable {
        /// The JWKS's `kid`; nil for a key that has none.
        let id: String?
        let algorithm: any JWTAlgorithm
    }

    private let keys: [Key]

    /// The keys a token with this header may be signed with, usually one.
    ///
    /// A token that names a key is held to it; one that names none may be of any key of its algorithm. A key without an
    /// id serves tokens of every id, as a single secret must.
    func candidates(algorithm: String, id: String?) -> [Key] {
        keys.filter { key in
            key.algorithm.name == algorithm && (id == nil || key.id == nil || key.id == id)
        }
    }

    /// A shared secret for HS256.
    ///
    /// - Throws: ``TokenKeysError`` when it is shorter than 32 bytes: RFC 7518 §3.2 asks for a key as long as the hash,
    ///   for a short one can be guessed offline from a single token.
    static func hs256(secret: String) async throws -> TokenKeys {
        guard secret.utf8.count >= 32 else {
            throw TokenKeysError("the HS256 secret must be 32 bytes or longer (it is \(secret.utf8.count))")
        }
        let collection = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        return TokenKeys(keys: [Key(id: nil, algorithm: try await collection.getKey())])
    }

    /// The public keys of a JWKS document (RFC 7517): RSA, EC and Ed25519.
    static func jwks(_ json: Data) async throws -> TokenKeys {
        let set: JWKS
        do {
            set = try JSONDecoder().decode(JWKS.self, from: json)
        } catch {
            throw TokenKeysError("the JWKS can't be read: RSA, EC and OKP keys are supported, symmetric ones are not")
        }
        var keys: [Key] = []
        for (index, key) in set.keys.enumerated() where key.algorithm != .rsaOAEP {  // an encryption key, not for us
            keys.append(try await verificationKey(key, index: index))
        }
        guard !keys.isEmpty else { throw TokenKeysError("the JWKS holds no key that signs") }
        return TokenKeys(keys: keys)
    }

    private static func verificationKey(_ key: JWK, index: Int) async throws -> Key {
        let name = key.keyIdentifier?.string ?? "number \(index + 1)"
        guard let algorithm = key.algorithm ?? defaultAlgorithm(of: key) else {
            throw TokenKeysError("the JWKS's key \(name) has neither an algorithm nor a curve we know")
        }
        if key.keyType == .rsa, (key.modulus.flatMap { Base64URL.decode($0.utf8) }?.count ?? 0) < 256 {
            throw TokenKeysError("the JWKS's key \(name) is an RSA key of less than 2,048 bits")
        }
        do {
            var identified = key
            let id = key.keyIdentifier ?? "key"
            identified.keyIdentifier = id
            identified.algorithm = algorithm
            let collection = try await JWTKeyCollection().add(jwk: identified)
            return Key(
                id: key.keyIdentifier?.string, algorithm: try await collection.getKey(for: id, alg: algorithm.rawValue))
        } catch {
            throw TokenKeysError("the JWKS's key \(name) is not a valid \(algorithm.rawValue) key")
        }
    }

    /// `alg` is optional in a JWK.
    ///
    /// A curve leaves one choice; for RSA it is RS256, which every issuer means.
    private static func defaultAlgorithm(of key: JWK) -> JWK.Algorithm? {
        switch (key.keyType, key.curve?.rawValue) {
        case (.rsa, _): .rs256
        case (.ecdsa, "P-256"): .es256
        case (.ecdsa, "P-384"): .es384
        case (.ecdsa, "P-521"): .es512
        case (.octetKeyPair, _): .eddsa
        default: nil
        }
    }
}

/// Keys that can't be used; the service must not start with them.
struct TokenKeysError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
