import FoundationEssentials

/// The claims of a token that ledgerd reads.
struct TokenClaims: Decodable {
    let sub: String?
    /// The value of the claim that names the user: `sub`, unless another claim is configured.
    let user: String?
    let iss: String?
    let aud: Names?
    /// Seconds since 1970, possibly with a fraction (RFC 7519 §2, NumericDate).
    let exp: Double?
    let nbf: Double?
    let scope: Names?

    /// A decoder that reads the user from this claim.
    static func decoder(user claim: String) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.userClaim] = claim
        return decoder
    }

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: ClaimName.self)
        sub = try claims.decodeIfPresent(String.self, forKey: "sub")
        iss = try claims.decodeIfPresent(String.self, forKey: "iss")
        aud = try claims.decodeIfPresent(Names.self, forKey: "aud")
        exp = try claims.decodeIfPresent(Double.self, forKey: "exp")
        nbf = try claims.decodeIfPresent(Double.self, forKey: "nbf")
        scope = try claims.decodeIfPresent(Names.self, forKey: "scope")
        let name = ClaimName(decoder.userInfo[.userClaim] as? String ?? "sub")
        // Identity services write ids as strings or as numbers.
        let number = try? claims.decodeIfPresent(Int64.self, forKey: name)
        user = try number.map(String.init) ?? claims.decodeIfPresent(String.self, forKey: name)
    }

    /// A claim that is a string or an array of strings.
    struct Names: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                names = [one]
            } else {
                names = try container.decode([String].self)
            }
        }
    }
}

/// The members of a token's header that verification needs.
package struct TokenHeader: Decodable {
    package let alg: String
    package let kid: String?
    /// Extensions that the verifier must support (RFC 7515 §4.1.11); ledgerd supports none.
    package let crit: [String]?
}

/// A claim's name.
struct ClaimName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension CodingUserInfoKey {
    /// The name of the claim that names the user.
    fileprivate static let userClaim: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "user claim") else { preconditionFailure("any text is a key") }
        return key
    }()
}
