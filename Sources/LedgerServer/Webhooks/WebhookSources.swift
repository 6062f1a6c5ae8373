import Hummingbird
import OutboundHTTP

/// The addresses from which unsigned webhooks are accepted.
struct WebhookSources: Sendable {
    /// The allowed addresses; empty: any.
    let allowed: [AddressRange]
    /// The proxies whose `X-Forwarded-For` is trusted.
    let proxies: [AddressRange]

    /// Refuses a request from another address.
    ///
    /// - Returns: the network of the request's source, if known.
    /// - Throws: `forbidden_source`.
    @discardableResult
    func check(_ request: Request, from peer: String?) throws(Problem) -> String? {
        let source = source(of: request, peer: peer)
        if !allowed.isEmpty {
            guard let source, allowed.contains(where: { $0.contains(source) }) else { throw Problem(.forbiddenSource) }
        }
        return source.flatMap(AddressRange.network(of:))
    }

    /// The source of a request.
    ///
    /// Each proxy appends the address of its client to `X-Forwarded-For`, so the last address that is not a trusted
    /// proxy is the source; addresses before it can be forged.
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
