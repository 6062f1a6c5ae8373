/// Issues access tokens by V1's rule (PortOne V1 contract, token reuse).
///
/// Times are Unix seconds.
///
/// A token lives 30 minutes. A repeated request returns the same token. In its last minute it is extended by 5 minutes.
/// After it has expired, a new one is issued.
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

    /// Invalidates the token.
    mutating func revoke() {
        token = ""
        expiresAt = 0
    }

    /// 40 lower-case hexadecimal digits.
    private static func mint() -> String {
        (0..<40).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    }
}
