import Hummingbird

/// Which addresses unsigned webhooks are taken from.
struct WebhookSources: Sendable {
    /// The gateway's addresses; empty: any.
    let allowed: [AddressRange]
    /// The proxies whose `X-Forwarded-For` is believed.
    let proxies: [AddressRange]

    /// Refuses a request that comes from elsewhere.
    ///
    /// - Throws: `forbidden_source`.
    func check(_ request: Request, from peer: String?) throws(Problem) {
        guard !allowed.isEmpty else { return }
        let source = source(of: request, peer: peer)
        guard let source, allowed.contains(where: { $0.contains(source) }) else { throw Problem(.forbiddenSource) }
    }

    /// Whoever the nearest trusted proxy says it is: each proxy appends the address that it was called from, so only
    /// what stands right of the last untrusted address can be believed.
    private func source(of request: Request, peer: String?) -> String? {
        guard var source = peer, isProxy(source) else { return peer }
        let named = request.headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
        for hop in named.reversed() {
            source = hop.filter { !$0.isWhitespace }
            if !isProxy(source) { return source }
        }
        return source
    }

    private func isProxy(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }
}
