import Crypto
import FoundationEssentials
import Hummingbird

/// The keys of the coin-shop apps.
///
/// Only their hashes are kept, all are compared and each in constant time: how long an answer takes tells nothing of a
/// key.
struct AppKeys: Sendable {
    private let hashes: [SHA256Digest]

    /// Knows these keys; with none it refuses everybody.
    init(_ keys: some Sequence<String>) {
        hashes = keys.map(Self.hash)
    }

    /// Whether it is one of the keys.
    func contains(_ key: String) -> Bool {
        let asked = Self.hash(key)
        return hashes.reduce(false) { found, known in known == asked || found }
    }

    private static func hash(_ key: String) -> SHA256Digest { SHA256.hash(data: Data(key.utf8)) }
}

/// Lets only requests of a known app pass.
struct RequireAppKey: RouterMiddleware {
    let keys: AppKeys

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let key = request.headers[.appKey], keys.contains(key) else { throw Problem(.appKeyInvalid) }
        return try await next(request, context)
    }
}
