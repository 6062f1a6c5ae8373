/// How a JWS is signed: as Apple does, or with one defect that a verifier must find.
enum SigningDefect: String, Codable, Sendable, CaseIterable {
    case none
    /// The leaf hasn't Apple's marker.
    case noLeafOID = "no_leaf_oid"
    /// The intermediate hasn't Apple's marker.
    case noIntermediateOID = "no_intermediate_oid"
    /// The leaf's marker is critical, which Apple's isn't.
    case criticalOID = "critical_oid"
    /// A second intermediate: each certificate is good, but there are four.
    case fourLong = "four_long"
    /// The root is left out of `x5c`, so that a verifier that adds its own finds a good chain.
    case twoLong = "two_long"
    /// Another root with the same names.
    case otherRoot = "other_root"
    /// A leaf with an RSA key, and `alg` RS256.
    case rsaLeaf = "rsa_leaf"
    /// A leaf that expired a year ago.
    case expired
    /// The payload was changed after it was signed.
    case tampered
    /// `alg` HS256, with the leaf's public key as the secret.
    case hs256
}
