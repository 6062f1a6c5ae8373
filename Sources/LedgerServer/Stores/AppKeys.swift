import Crypto
import FoundationEssentials
import Hummingbird

/// The keys of the coin-shop apps.
///
/// It has only their hashes, and compares all of them in constant time, so that the response time reveals nothing.
struct AppKeys: Sendable {
    private let hashes: [SHA256Digest]

    /// Without keys, all apps are refused.
    init(_ keys: some Sequence<String>) {
        hashes = keys.map(Self.hash)
    }

    func contains(_ key: String) -> Bool {
        let asked = Self.hash(key)
        return hashes.reduce(false) { found, known in known == asked || found }
    }

    private static func hash(_ key: String) -> SHA256Digest { SHA256.hash(data: Data(key.utf8)) }
}

/// Refuses requests without a valid app key.
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
