import FoundationEssentials
import Logging
import OutboundHTTP
import Timing

/// Reads the JWKS, and replaces the keys when it has changed: one reading at a time.
///
/// While it can't be read or has no usable key, the previous keys stay valid.
actor JWKSReader {
    /// The shortest time between two readings for tokens that name unknown keys: anybody can make up such tokens.
    static let shortestPause: Duration = .seconds(10)

    private let location: JWKSLocation
    private let tokens: TokenVerifier
    private let transport: CurlTransport
    private let logger: Logger
    private var current: Data?
    private var reading: Task<Void, any Error>?
    /// When the JWKS was last read for an unknown key.
    private var lastAsked: ContinuousClock.Instant?

    init(location: JWKSLocation, tokens: TokenVerifier, transport: CurlTransport, logger: Logger) {
        self.location = location
        self.tokens = tokens
        self.transport = transport
        self.logger = logger
    }

    /// Reads the JWKS, or waits for the reading that is under way.
    ///
    /// - Throws: ``ConfigurationError`` when it can't be read, ``TokenKeysError`` when its keys are unusable.
    func read() async throws {
        if let reading { return try await reading.value }
        let reading = Task { try await replaceKeys() }
        self.reading = reading
        defer { self.reading = nil }
        try await reading.value
    }

    /// Reads the JWKS because a token names an unknown key, unless it was read for that a moment ago.
    ///
    /// All requests with such tokens wait for one reading.
    func readForUnknownKey() async {
        if reading == nil {
            let now = Time.current.instant
            if let lastAsked, now - lastAsked < Self.shortestPause { return }
            lastAsked = now
        }
        do {
            try await read()
        } catch {
            logger.warning("can't read the JWKS for a token with an unknown key", metadata: ["error": "\(error)"])
        }
    }

    private func replaceKeys() async throws {
        let data = try await location.read(transport)
        guard data != current else { return }
        tokens.replaceKeys(by: try await .jwks(data))
        if current != nil { logger.notice("the JWKS has changed; its keys replace the previous ones") }
        current = data
    }
}
