import FoundationEssentials

extension ServeConfiguration {
    /// What access tokens are verified with.
    struct JWT: Sendable {
        enum Keys: Sendable {
            case secret(String)
            /// The path of a JWKS file.
            case jwks(path: String)
        }

        let keys: Keys
        let issuer: String?
        let audience: String?

        init(_ values: ConfigurationValues) throws(ConfigurationError) {
            issuer = try values.value(ConfigurationKeys.jwtIssuer)
            audience = try values.value(ConfigurationKeys.jwtAudience)
            switch (try values.value(ConfigurationKeys.jwtSecret), try values.value(ConfigurationKeys.jwtJWKS)) {
            case (.some(let secret), .none): keys = .secret(secret)
            case (.none, .some(let path)): keys = .jwks(path: path)
            case (.some, .some): throw .conflict("jwt_secret", "jwt_secret and jwt_jwks are both set; one must go")
            case (.none, .none): throw .conflict("jwt_secret", "neither jwt_secret nor jwt_jwks is set")
            }
        }

        /// The verifier of access tokens.
        ///
        /// - Throws: ``ConfigurationError`` when the JWKS file can't be read, ``TokenKeysError`` when its keys can't be used.
        func makeVerifier() async throws -> TokenVerifier {
            let keys: TokenKeys =
                switch keys {
                case .secret(let secret): try await .hs256(secret: secret)
                case .jwks(let path): try await .jwks(Self.read(path))
                }
            return TokenVerifier(keys: keys, rules: .init(issuer: issuer, audience: audience))
        }

        private static func read(_ path: String) throws -> Data {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                throw ConfigurationError.conflict("jwt_jwks", "jwt_jwks: \(path) can't be read")
            }
            return data
        }
    }
}
