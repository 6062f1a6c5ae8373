import FoundationEssentials
import LedgerServer
import WireFormats

/// An ID token (OpenID Connect Core 1.0, 2) whose signature is checked before its claims are used.
struct IDToken {
    /// The algorithms that a provider can sign with.
    ///
    /// The others of ``TokenKeys`` are for access tokens only.
    static let algorithms: Set<String> = ["RS256", "ES256", "EdDSA"]
    /// Them, for people.
    static let algorithmsText = algorithms.sorted().joined(separator: ", ")
    private static let maxLength = 65_536

    let claims: JSON
    private let header: TokenHeader
    private let signature: [UInt8]
    private let signed: ArraySlice<UInt8>

    /// Reads the compact form; nil if it has another form, another algorithm or an unsupported extension.
    init?(_ token: String) {
        let bytes = Array(token.utf8)
        guard bytes.count <= Self.maxLength else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let headerJSON = Base64URL.decode(parts[0]),
            let header = try? JSONDecoder().decode(TokenHeader.self, from: Data(headerJSON)),
            let payload = Base64URL.decode(parts[1]), let claims = try? JSONParser.parse(payload),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        guard Self.algorithms.contains(header.alg), header.crit == nil else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = bytes[..<parts[1].endIndex]
    }

    /// Whether one of the keys made the signature.
    func isSigned(by keys: TokenKeys) -> Bool {
        keys.candidates(algorithm: header.alg, id: header.kid)
            // A key throws if the signature can't be from it, for example because of its length.
            .contains { (try? $0.algorithm.verify(signature, signs: signed)) == true }
    }

    /// What the claims must be (OpenID Connect Core 1.0, 3.1.3.7).
    struct Rules {
        let issuer: String
        let clientID: String
        let nonce: String
        /// How far the provider's clock can be off, in seconds.
        private static let leeway = 60.0

        /// The rule that the claims break; nil: they keep all.
        func broken(by claims: JSON, at now: Date) -> String? {
            let seconds = now.timeIntervalSince1970
            let audiences = claims["aud"]?.text.map { [$0] } ?? claims["aud"]?.elements?.compactMap(\.text) ?? []
            if claims["iss"]?.text != issuer { return "the ID token has another issuer" }
            if !audiences.contains(clientID) { return "the ID token is for another client" }
            if let party = claims["azp"], party.text != clientID { return "the ID token is for another party" }
            if audiences.count > 1, claims["azp"] == nil { return "the ID token is for several clients" }
            guard let expiry = Self.number(claims["exp"]), seconds < expiry + Self.leeway else {
                return "the ID token has expired"
            }
            guard let issued = Self.number(claims["iat"]), issued < seconds + Self.leeway else {
                return "the ID token was issued in the future"
            }
            if claims["nonce"]?.text != nonce { return "the ID token belongs to another sign-in" }
            return nil
        }

        private static func number(_ value: JSON?) -> Double? {
            guard case .number(let digits) = value else { return nil }
            return Double(digits)
        }
    }
}
