import FoundationEssentials

/// The claims of a token that we read.
struct TokenClaims: Decodable {
    let sub: String?
    /// What the claim says that names the user: `sub`, unless another is configured.
    let user: String?
    let iss: String?
    let aud: Names?
    /// Seconds since 1970, possibly with a fraction (RFC 7519 §2, NumericDate).
    let exp: Double?
    let nbf: Double?
    let scope: Names?

    /// The decoder of a service to which this claim names the user.
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
        // Identity services write ids as texts and as numbers.
        let number = try? claims.decodeIfPresent(Int64.self, forKey: name)
        user = try number.map(String.init) ?? claims.decodeIfPresent(String.self, forKey: name)
    }

    /// A claim that is one string or an array of them.
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

/// The members of a token's header that decide how it is verified.
struct TokenHeader: Decodable {
    let alg: String
    let kid: String?
    /// Extensions that must be understood (RFC 7515 §4.1.11).
    ///
    /// We understand none.
    let crit: [String]?
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
