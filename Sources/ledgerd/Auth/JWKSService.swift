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
        let repetition = Repetition(
            pause: interval, failure: "the JWKS can't be read again; the keys stay as they were", failureLevel: .error,
            logger: logger)
        var current: Data?
        await repetition.run {
            let data = try await cancelWhenGracefulShutdown { try await location.read(transport) }
            guard data != current else { return .afterPause }
            tokens.replaceKeys(by: try await .jwks(data))
            if current != nil { logger.notice("the keys of access tokens have changed") }
            current = data
            return .afterPause
        }
    }
}
