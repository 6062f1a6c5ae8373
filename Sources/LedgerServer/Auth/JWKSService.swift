import Logging
import ServiceLifecycle

/// Reads the JWKS periodically.
///
/// While it can't be read or has no usable key, the previous keys stay valid.
struct JWKSService: Service {
    let reader: JWKSReader
    let interval: Duration
    let logger: Logger

    func run() async throws {
        let repetition = Repetition(
            pause: interval, failure: "can't refresh the JWKS; the previous keys stay valid", failureLevel: .error,
            logger: logger)
        await repetition.run {
            try await cancelWhenGracefulShutdown { try await reader.read() }
            return .afterPause
        }
    }
}
