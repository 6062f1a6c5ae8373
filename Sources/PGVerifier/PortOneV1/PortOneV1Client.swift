import Logging

/// Speaks V1's HTTP: the token, the repetition after a 401, the deadline over it all.
struct PortOneV1Client: Sendable {
    private let configuration: PortOneV1Configuration
    private let transport: any HTTPTransport
    private let tokens: AccessTokens

    init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport, logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.configuration = configuration
        self.transport = transport
        let metrics = GatewayMetrics(gateway: "portone-v1")
        tokens = AccessTokens(logger: logger, now: now) {
            do throws(GatewayError) {
                let token = try await metrics.measure("token") { () throws(GatewayError) in
                    try await Self.fetchToken(configuration, transport, now)
                }
                return .success(token)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Asks with a token, and once more with a fresh one if the gateway no longer takes it.
    ///
    /// - Throws: ``GatewayError``, at the latest when the configured time is over.
    func call(
        _ request: @escaping @Sendable (PortOneV1Client, AccessToken) -> HTTPRequest
    ) async throws(GatewayError) -> JSON {
        try await within(configuration.totalTimeout) {
            do throws(GatewayError) {
                return .success(try await callTwiceAtMost { token in request(self, token) })
            } catch {
                return .failure(error)
            }
        }
    }

    private func callTwiceAtMost(_ request: (AccessToken) -> HTTPRequest) async throws(GatewayError) -> JSON {
        let token = try await tokens.token().get()
        do throws(GatewayError) {
            return try await answer(to: request(token))
        } catch {
            guard error.code == .unauthorized else { throw error }
        }
        let renewed = try await tokens.token(insteadOf: token).get()
        return try await answer(to: request(renewed))
    }

    private func answer(to request: HTTPRequest) async throws(GatewayError) -> JSON {
        try await transport.answer(to: request).portOneV1Answer(findsPayments: true)
    }

    // MARK: Requests

    func request(_ method: HTTPRequest.Method, _ url: HTTPURL, _ token: AccessToken) -> HTTPRequest {
        HTTPRequest(
            method, url, headers: [("Authorization", "Bearer " + token.text), ("Accept", "application/json")],
            connectTimeout: configuration.connectTimeout, totalTimeout: configuration.totalTimeout,
            maxResponseBytes: configuration.maxResponseBytes)
    }

    /// Test-channel payments are hidden from this look-up unless asked for (PortOne V1 contract, lookups).
    func paymentURL(_ impUID: ImpUID) -> HTTPURL {
        let query = configuration.includeTestPayments ? [(name: "include_sandbox", value: "true")] : []
        return configuration.url.appending("payments", impUID.text, query: query)
    }

    private static func fetchToken(
        _ configuration: PortOneV1Configuration, _ transport: any HTTPTransport,
        _ now: @Sendable () -> ContinuousClock.Instant
    ) async throws(GatewayError) -> AccessToken {
        let key = JSON.quoted(configuration.key.text)
        let secret = JSON.quoted(configuration.secret.text)
        let request = HTTPRequest(
            .post, configuration.url.appending("users", "getToken"),
            headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
            body: Array("{\"imp_key\":\(key),\"imp_secret\":\(secret)}".utf8),
            connectTimeout: configuration.connectTimeout, totalTimeout: configuration.totalTimeout,
            maxResponseBytes: 64 << 10)
        let sent = now()
        return try AccessToken(try await transport.answer(to: request).portOneV1Answer(), sent: sent)
    }
}

extension HTTPTransport {
    fileprivate func answer(to request: HTTPRequest) async throws(GatewayError) -> HTTPResponse {
        do throws(TransportError) {
            return try await send(request)
        } catch {
            throw GatewayError(error)
        }
    }
}
