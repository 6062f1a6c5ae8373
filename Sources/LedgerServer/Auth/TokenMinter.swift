import FoundationEssentials
import JWTKit

/// Creates access tokens for development.
///
/// In production, the identity service issues tokens.
struct TokenMinter: Sendable {
    /// The claims of a token.
    struct Claims: JWTPayload {
        let sub: String
        /// The scopes' names, separated by spaces.
        let scope: String
        let iat: Int64
        let exp: Int64
        var iss: String?
        var aud: String?
        /// The claim that names the user; `sub` is always written too.
        var userClaim = "sub"

        enum CodingKeys: CodingKey { case sub, scope, iat, exp, iss, aud }

        func encode(to encoder: any Encoder) throws {
            var claims = encoder.container(keyedBy: ClaimName.self)
            try claims.encode(sub, forKey: "sub")
            if userClaim != "sub" { try claims.encode(sub, forKey: ClaimName(userClaim)) }
            try claims.encode(scope, forKey: "scope")
            try claims.encode(iat, forKey: "iat")
            try claims.encode(exp, forKey: "exp")
            try claims.encodeIfPresent(iss, forKey: "iss")
            try claims.encodeIfPresent(aud, forKey: "aud")
        }

        /// Checks nothing, because ``TokenVerifier`` verifies tokens.
        func verify(using _: some JWTAlgorithm) {}
    }

    private let keys: JWTKeyCollection

    /// - Parameter secret: the HS256 secret, at least 32 bytes.
    init(secret: String) async {
        keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    func mint(_ claims: Claims) async throws -> String {
        try await keys.sign(claims)
    }
}
