import FoundationEssentials
import OutboundHTTP

extension ServeConfiguration {
    /// The settings of access tokens.
    struct JWT: Sendable {
        enum Keys: Sendable {
            case secret(String)
            case jwks(JWKSLocation)
        }

        let keys: Keys
        let issuer: String?
        let audience: String?
        /// The claim that names the user.
        let userClaim: String
        /// The time between two reads of the JWKS.
        let refresh: Duration

        init(_ values: SettingValues) throws(ConfigurationError) {
            issuer = try values[Settings.tokens.issuer]
            audience = try values[Settings.tokens.audience]
            userClaim = try values[Settings.tokens.userClaim]
            refresh = try values[Settings.tokens.jwksRefresh]
            switch (try values[Settings.tokens.secret], try values[Settings.tokens.jwks]) {
            case (.some(let secret), .none): keys = .secret(secret)
            case (.none, .some(let location)): keys = .jwks(location)
            case (.some, .some): throw .conflict("jwt_secret", "jwt_secret and jwt_jwks are both set; remove one")
            case (.none, .none): throw .conflict("jwt_secret", "neither jwt_secret nor jwt_jwks is set")
            }
        }

        /// The verifier of access tokens.
        ///
        /// - Throws: ``ConfigurationError`` when the JWKS can't be read, ``TokenKeysError`` when its keys are unusable.
        func makeVerifier(transport: CurlTransport) async throws -> TokenVerifier {
            let keys: TokenKeys =
                switch keys {
                case .secret(let secret): try await .hs256(secret: secret)
                case .jwks(let location): try await .jwks(location.read(transport))
                }
            return TokenVerifier(
                keys: keys, rules: .init(issuer: issuer, audience: audience, userClaim: userClaim))
        }
    }
}
