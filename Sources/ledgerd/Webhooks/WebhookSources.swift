import Hummingbird

/// Which addresses unsigned webhooks are taken from.
struct WebhookSources: Sendable {
    /// The gateway's addresses; empty: any.
    let allowed: [AddressRange]
    /// The proxies whose `X-Forwarded-For` is believed.
    let proxies: [AddressRange]

    /// Refuses a request that comes from elsewhere.
    ///
    /// - Returns: the network that it comes from; nil when that is not known.
    /// - Throws: `forbidden_source`.
    @discardableResult
    func check(_ request: Request, from peer: String?) throws(Problem) -> String? {
        let source = source(of: request, peer: peer)
        if !allowed.isEmpty {
            guard let source, allowed.contains(where: { $0.contains(source) }) else { throw Problem(.forbiddenSource) }
        }
        return source.flatMap(AddressRange.network(of:))
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
