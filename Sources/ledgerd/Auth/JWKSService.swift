import FoundationEssentials
import Logging
import PGVerifier
import ServiceLifecycle

/// Reads the JWKS again and again, and takes its keys when they have changed.
///
/// While it can't be read, or holds nothing that can be used, the keys that were read last stay.
struct JWKSService: Service {
    let location: JWKSLocation
    let interval: Duration
    let tokens: TokenVerifier
    let transport: CurlTransport
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var current: Data?
            while !Task.isCancelled {
                await refresh(&current)
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func refresh(_ current: inout Data?) async {
        do {
            let data = try await location.read(transport)
            guard data != current else { return }
            tokens.replaceKeys(by: try await .jwks(data))
            if current != nil { logger.notice("the keys of access tokens have changed") }
            current = data
        } catch {
            logger.error("the JWKS can't be read again; the keys stay as they were", metadata: ["error": "\(error)"])
        }
    }
}
