/// How the token of a push is made: as Google does, or with one defect that a receiver must find.
enum TokenDefect: String, Sendable, CaseIterable {
    case none
    /// No token.
    case missing
    /// `aud` is another receiver's.
    case otherAudience = "other_audience"
    /// `iss` isn't Google.
    case otherIssuer = "other_issuer"
    /// `email` is another service account's, whose owner can push to anyone.
    case otherEmail = "other_email"
    /// `email_verified` is false.
    case unverifiedEmail = "unverified_email"
    /// `kid` is of no published key.
    case unknownKey = "unknown_key"
    /// `kid` is of a published key, which did not sign it.
    case otherKey = "other_key"
    /// It expired an hour ago.
    case expired
    /// It was changed after it was signed.
    case tampered
    /// `alg` HS256, with the published key as the secret.
    case hs256
    /// `alg` none, without a signature.
    case unsigned
}
