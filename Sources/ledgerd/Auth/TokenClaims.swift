/// The claims of a token that we read.
struct TokenClaims: Decodable {
    let sub: String?
    let iss: String?
    let aud: Names?
    /// Seconds since 1970, possibly with a fraction (RFC 7519 §2, NumericDate).
    let exp: Double?
    let nbf: Double?
    let scope: Names?

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
