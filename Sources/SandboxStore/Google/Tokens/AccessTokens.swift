import FoundationEssentials
import SandboxSupport

/// The access tokens that the token endpoint gave out, by the machine's clock.
actor AccessTokens {
    private var ends: [String: Date] = [:]

    /// How many seconds a token is good for.
    static let lifetime = 3599

    func issue(now: Date) -> String {
        ends = ends.filter { $0.value > now }
        let token = "ya29.sandbox-" + UUID().uuidString.lowercased()
        ends[token] = now.addingTimeInterval(Double(Self.lifetime))
        return token
    }

    /// Whether the value of the header `Authorization` is good at `now`.
    func accepts(_ authorization: String?, now: Date) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer "),
            let end = ends[String(authorization.dropFirst(7))]
        else { return false }
        return end > now
    }

    func revokeAll() { ends = [:] }
}

/// The token by which a service account asks for an access token (RFC 7523).
struct ServiceAccountAssertion: Sendable {
    let email: String

    /// What Google requires as `aud`, wherever the token endpoint is.
    static let audience = "https://oauth2.googleapis.com/token"
    static let scope = "https://www.googleapis.com/auth/androidpublisher"
    private static let longest: Decimal = 3600
    private static let skew: Decimal = 300

    /// Checks an assertion at `now`, the machine's time.
    ///
    /// - Throws: ``TokenRefusal`` with what is wrong.
    func check(_ text: String, now: Date) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = CompactJWS.members(parts[0]), let claims = CompactJWS.members(parts[1]),
            let signature = Base64URL.decode(parts[2]), header["alg"] == .string("RS256")
        else { throw TokenRefusal.invalidGrant("Bad JWT") }
        guard claims["iss"] == .string(email) else {
            throw TokenRefusal.invalidGrant("Invalid grant: account not found")
        }
        guard try GoogleKeys.serviceAccount.isSignature(signature, of: "\(parts[0]).\(parts[1])") else {
            throw TokenRefusal.invalidGrant("Invalid JWT Signature.")
        }
        guard claims["aud"] == .string(Self.audience) else {
            throw TokenRefusal.invalidGrant("Invalid JWT: Failed audience check.")
        }
        let time = Decimal(now.timeIntervalSince1970)
        guard case .number(let issuedAt) = claims["iat"], case .number(let end) = claims["exp"],
            issuedAt <= time + Self.skew, end > time, end - issuedAt <= Self.longest
        else {
            throw TokenRefusal.invalidGrant(
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.")
        }
        guard case .string(let scopes) = claims["scope"], scopes.split(separator: " ").contains(Substring(Self.scope))
        else { throw TokenRefusal(error: "invalid_scope", detail: "Invalid OAuth scope.") }
    }
}
