import FoundationEssentials

/// Issues V2's tokens (PortOne V2 contract, authentication).
///
/// An access token lives 30 minutes, a refresh token a day; each pair invalidates the previous refresh token. They
/// contain a dot; V1's tokens have none.
struct V2TokenRegister: Sendable {
    private var access: [String: Date] = [:]
    private var refresh: (token: String, expiresAt: Date)?

    private static let accessLifetime = 1800.0
    private static let refreshLifetime = 86_400.0

    mutating func issue(now: Date) -> (access: String, refresh: String) {
        access = access.filter { $0.value > now }
        // A limit of a thousand: a client that logs in for every call invalidates its own oldest tokens.
        if access.count >= 1000 { access.removeAll() }
        let pair = (access: Self.mint("access"), refresh: Self.mint("refresh"))
        access[pair.access] = now.addingTimeInterval(Self.accessLifetime)
        refresh = (pair.refresh, now.addingTimeInterval(Self.refreshLifetime))
        return pair
    }

    func isValid(access token: String, now: Date) -> Bool { access[token].map { now < $0 } ?? false }

    func isValid(refresh token: String, now: Date) -> Bool {
        refresh.map { $0.token == token && now < $0.expiresAt } ?? false
    }

    mutating func revokeAccess() { access.removeAll() }

    private static func mint(_ kind: String) -> String {
        "sandbox-\(kind)." + (0..<40).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    }
}
