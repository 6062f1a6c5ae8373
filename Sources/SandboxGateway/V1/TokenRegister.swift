/// Issues access tokens by V1's rule (PortOne V1 contract, token reuse).
///
/// Times are Unix seconds.
///
/// A token lives 30 minutes. Asking again brings the same token; in its last minute it is given 5 minutes more; once it
/// has expired there is a new one.
struct TokenRegister: Sendable {
    private(set) var token = ""
    private(set) var expiresAt = 0

    static let lifetime = 1800
    static let extensionInLastMinute = 300

    mutating func issue(now: Int) {
        if now >= expiresAt {
            token = Self.mint()
            expiresAt = now + Self.lifetime
        } else if expiresAt - now < 60 {
            expiresAt += Self.extensionInLastMinute
        }
    }

    func isValid(_ presented: String, now: Int) -> Bool {
        !token.isEmpty && presented == token && now < expiresAt
    }

    /// Throws the token away, as if it had expired.
    mutating func revoke() {
        token = ""
        expiresAt = 0
    }

    /// 40 lower-case hexadecimal digits.
    private static func mint() -> String {
        (0..<40).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    }
}
