import FoundationEssentials
import Logging
import OutboundHTTP
import ServiceLifecycle

/// Reads the JWKS periodically, and replaces the keys when it has changed.
///
/// While it can't be read or has no usable key, the previous keys stay valid.
struct JWKSService: Service {
    let location: JWKSLocation
    let interval: Duration
    let tokens: TokenVerifier
    let transport: CurlTransport
    let logger: Logger

    func run() async throws {
        let repetition = Repetition(
            pause: interval, failure: "can't refresh the JWKS; the previous keys stay valid", failureLevel: .error,
            logger: logger)
        var current: Data?
        await repetition.run {
            let data = try await cancelWhenGracefulShutdown { try await location.read(transport) }
            guard data != current else { return .afterPause }
            tokens.replaceKeys(by: try await .jwks(data))
            if current != nil { logger.notice("the JWKS has changed; its keys replace the previous ones") }
            current = data
            return .afterPause
        }
    }
}
