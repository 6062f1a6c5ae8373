import FoundationEssentials
import LedgerServer
import Logging
import OutboundHTTP
import Timing
import WireFormats

/// The OpenID Connect provider that people sign in with (OpenID Connect Core 1.0, Discovery 1.0).
///
/// Its documents are fetched when they are needed, and kept for an hour; its keys also when a token names an unknown one.
actor OpenIDProvider {
    private let configuration: ConsoleConfiguration
    private let requests: OpenIDRequests
    private let logger: Logger
    private var metadata: (value: OpenIDMetadata, until: ContinuousClock.Instant)?
    private var keys: (value: TokenKeys, since: ContinuousClock.Instant)?

    private static let lifetime = Duration.seconds(3600)
    /// The least time between two requests for the keys, so that forged tokens don't cause many.
    private static let keysPause = Duration.seconds(10)

    init(_ configuration: ConsoleConfiguration, transport: any HTTPTransport, logger: Logger) {
        self.configuration = configuration
        requests = OpenIDRequests(transport: transport)
        self.logger = logger
    }

    /// Where a browser signs in.
    ///
    /// - Throws: ``SignInFailure/provider`` when the provider can't be reached.
    func authorizationURL(of attempt: SignInAttempt) async throws(SignInFailure) -> String {
        configuration.authorizationURL(of: attempt, at: try await discover())
    }

    /// The claims of the ID token that the provider gives for a code.
    ///
    /// - Throws: ``SignInFailure`` when the provider refuses the code, or its token is not valid for this attempt.
    func claims(for code: String, of attempt: SignInAttempt, at now: Date) async throws(SignInFailure) -> JSON {
        let metadata = try await discover()
        let token = try await requestToken(code, attempt, metadata)
        guard let parsed = IDToken(token) else { throw refuse("the ID token is not a signed token") }
        var valid = parsed.isSigned(by: try await keys(metadata))
        if !valid, let newer = try await newerKeys(metadata) { valid = parsed.isSigned(by: newer) }
        guard valid else { throw refuse("the ID token's signature is not the provider's") }
        let rules = IDToken.Rules(
            issuer: configuration.issuer, clientID: configuration.clientID, nonce: attempt.nonce)
        if let broken = rules.broken(by: parsed.claims, at: now) { throw refuse(broken) }
        return parsed.claims
    }

    /// Whether the `iss` of a redirect is the provider's (RFC 9207); a provider may not send it.
    nonisolated func isOwn(_ issuer: String?) -> Bool { issuer == nil || issuer == configuration.issuer }

    // MARK: - Documents

    private func discover() async throws(SignInFailure) -> OpenIDMetadata {
        if let metadata, Time.current.instant < metadata.until { return metadata.value }
        let found = try await logged { () async throws(OpenIDFault) in
            try await requests.metadata(of: configuration.issuer)
        }
        metadata = (found, Time.current.instant + Self.lifetime)
        return found
    }

    private func keys(_ metadata: OpenIDMetadata) async throws(SignInFailure) -> TokenKeys {
        if let keys, Time.current.instant < keys.since + Self.lifetime { return keys.value }
        let found = try await logged { () async throws(OpenIDFault) in try await requests.keys(at: metadata.keysURL) }
        keys = (found, Time.current.instant)
        return found
    }

    /// The keys, if they were not fetched just now: the provider may have replaced them.
    private func newerKeys(_ metadata: OpenIDMetadata) async throws(SignInFailure) -> TokenKeys? {
        guard let keys, Time.current.instant > keys.since + Self.keysPause else { return nil }
        self.keys = nil
        return try await self.keys(metadata)
    }

    private func requestToken(
        _ code: String, _ attempt: SignInAttempt, _ metadata: OpenIDMetadata
    ) async throws(SignInFailure) -> String {
        let answer = try await logged { () async throws(OpenIDFault) in
            try await requests.document(configuration.tokenRequest(for: code, of: attempt, at: metadata))
        }
        guard let token = answer["id_token"]?.text else { throw refuse("the provider's response has no ID token") }
        return token
    }

    private func logged<Value: Sendable>(
        _ request: () async throws(OpenIDFault) -> Value
    ) async throws(SignInFailure) -> Value {
        do throws(OpenIDFault) {
            return try await request()
        } catch {
            throw refuse(error.reason)
        }
    }

    /// Logs why; the person is only told that the provider can't be used.
    private func refuse(_ reason: String) -> SignInFailure {
        logger.error("sign-in to the console failed", metadata: ["reason": "\(reason)"])
        return .provider
    }
}

/// Why a person is not signed in.
enum SignInFailure: String, Error, CaseIterable {
    /// The provider can't be used, or its response is invalid; the log says why.
    case provider
    /// The redirect does not belong to an attempt of this browser, or the attempt is too old.
    case attempt
    /// The provider, or the person at it, refused.
    case refused
    /// The person has no role in the console.
    case role
}
