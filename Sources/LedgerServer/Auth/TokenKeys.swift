package import FoundationEssentials
package import JWTKit

/// The keys that verify tokens, each for one algorithm.
///
/// A token's `alg` selects only among keys of that algorithm. So `none` never verifies, and an RSA public key is never
/// used as an HMAC secret.
package struct TokenKeys: Sendable {
    /// A key with its algorithm.
    package struct Key: Sendable {
        /// The `kid` in the JWKS, if any.
        let id: String?
        package let algorithm: any JWTAlgorithm
    }

    private let keys: [Key]

    /// The keys that can verify a token with this header, usually one.
    ///
    /// A token with a key id matches only the key with that id and keys without an id, such as a shared secret. A token
    /// without a key id matches all keys of its algorithm.
    package func candidates(algorithm: String, id: String?) -> [Key] {
        keys.filter { key in
            key.algorithm.name == algorithm && (id == nil || key.id == nil || key.id == id)
        }
    }

    func contains(_ id: String) -> Bool { keys.contains { $0.id == id } }

    /// A shared secret for HS256.
    ///
    /// - Throws: ``TokenKeysError`` when it is shorter than 32 bytes. RFC 7518 §3.2 requires a key as long as the hash,
    ///   because a short key can be guessed offline from one token.
    static func hs256(secret: String) async throws -> TokenKeys {
        guard secret.utf8.count >= 32 else {
            throw TokenKeysError("the HS256 secret must have at least 32 bytes (it has \(secret.utf8.count))")
        }
        let collection = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        return TokenKeys(keys: [Key(id: nil, algorithm: try await collection.getKey())])
    }

    /// The public keys of a JWKS document (RFC 7517): RSA, EC and Ed25519.
    package static func jwks(_ json: Data) async throws -> TokenKeys {
        let set: JWKS
        do {
            set = try JSONDecoder().decode(JWKS.self, from: json)
        } catch {
            throw TokenKeysError("the JWKS can't be read: RSA, EC and OKP keys are supported, symmetric ones are not")
        }
        var keys: [Key] = []
        for (index, key) in set.keys.enumerated() where key.algorithm != .rsaOAEP {  // RSA-OAEP keys encrypt
            keys.append(try await verificationKey(key, index: index))
        }
        guard !keys.isEmpty else { throw TokenKeysError("the JWKS has no signing key") }
        return TokenKeys(keys: keys)
    }

    private static func verificationKey(_ key: JWK, index: Int) async throws -> Key {
        let name = key.keyIdentifier?.string ?? "number \(index + 1)"
        guard let algorithm = key.algorithm ?? defaultAlgorithm(of: key) else {
            throw TokenKeysError("the JWKS's key \(name) has neither an algorithm nor a supported curve")
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

    /// The algorithm of a JWK without `alg`: the one of its curve, or RS256 for RSA, the usual choice of issuers.
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

/// The error of unusable keys; the service does not start with them.
struct TokenKeysError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
