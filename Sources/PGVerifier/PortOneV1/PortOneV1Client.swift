import Logging
package import OutboundHTTP
import Timing
import WireFormats

extension PortOneV1Configuration {
    /// `POST /users/getToken`.
    var tokenRequest: HTTPRequest {
        let body = JSON.object(["imp_key": .string(key.text), "imp_secret": .string(secret.text)])
        return HTTPRequest(
            .post, url.appending("users", "getToken"),
            headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
            body: Array(body.written.utf8), connectTimeout: limits.connectTimeout,
            totalTimeout: limits.attemptTimeout, maxResponseBytes: 64 << 10)
    }
}

/// V1's HTTP protocol: the token, the retry after a 401, the envelope.
struct PortOneV1Client: Sendable {
    let configuration: PortOneV1Configuration
    let calls: GatewayCalls
    private let tokens: AccessTokens

    init(
        configuration: PortOneV1Configuration, transport: any HTTPTransport, logger: Logger, timing: GatewayTiming
    ) {
        let calls = GatewayCalls(
            gateway: PortOneV1.name, limits: configuration.limits, transport: transport, timing: timing)
        self.configuration = configuration
        self.calls = calls
        tokens = AccessTokens(logger: logger, time: timing.time) {
            do throws(GatewayError) {
                let token = try await calls.metrics.measure("token") { () throws(GatewayError) in
                    try await Self.fetchToken(configuration, calls)
                }
                return .success(token)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Sends a request that is safe to repeat.
    ///
    /// - Throws: ``GatewayError``, at the latest when the time limit is over.
    func ask(_ operation: String, _ call: GatewayCall) async throws(GatewayError) -> PortOneV1Answer {
        try await calls.ask(operation, within: configuration.limits.totalTimeout) { attempt throws(GatewayError) in
            try await answer(to: call, attempt)
        }
    }

    /// The same, for callers with their own time limit.
    ///
    /// - Parameter admission: the slot of the first attempt, if it already has one.
    func look(
        _ operation: String, _ call: GatewayCall, _ admission: Admission?
    ) async throws(GatewayError) -> PortOneV1Answer {
        let deadline = calls.timing.time.instant + configuration.limits.totalTimeout
        return try await calls.ask(operation, until: deadline, admission) { attempt throws(GatewayError) in
            try await answer(to: call, attempt)
        }
    }

    /// Waits for a token, a slot and the rate limit.
    ///
    /// The token comes first, because a caller with a slot must not wait for a request that needs another slot. Nil:
    /// there is no token, or the circuit is open; the next call gets the error.
    func admission() async -> Admission? {
        guard calls.isOpen, case .success(let token) = await tokens.token() else { return nil }
        return await calls.admission(for: .shared, token: token)
    }

    /// Calls with a token, and once more with a new one if the gateway refuses it.
    func answer(to call: GatewayCall, _ attempt: Attempt) async throws(GatewayError) -> PortOneV1Answer {
        let token: AccessToken
        if let admission = attempt.admission { token = admission.token } else { token = try await tokens.token().get() }
        do throws(GatewayError) {
            return try await exchange(call, token, attempt)
        } catch {
            guard error.code == .unauthorized else { throw error }
        }
        return try await exchange(call, try await tokens.token(insteadOf: token).get(), attempt)
    }

    private func exchange(
        _ call: GatewayCall, _ token: AccessToken, _ attempt: Attempt
    ) async throws(GatewayError) -> PortOneV1Answer {
        let request = call.request(
            to: configuration.url, authorization: "Bearer " + token.text, configuration.limits)
        return try await calls.exchange(request, attempt) { response throws(GatewayError) in
            try response.portOneV1Answer()
        }
    }

    private static func fetchToken(
        _ configuration: PortOneV1Configuration, _ calls: GatewayCalls
    ) async throws(GatewayError) -> AccessToken {
        let sent = calls.timing.time.instant
        let attempt = Attempt(number: 1, deadline: sent + configuration.limits.totalTimeout)
        let request = configuration.tokenRequest
        return try await calls.exchange(request, attempt, for: .accessToken) { response throws(GatewayError) in
            try AccessToken(try response.portOneV1Answer().response, sent: sent)
        }
    }
}

extension PortOneV1Configuration {
    /// Requests an access token (`POST /users/getToken`).
    ///
    /// While one is valid the gateway returns the same one, so other users of the keys notice nothing.
    package func probe(over transport: any HTTPTransport) async -> GatewayProbe {
        await .send(tokenRequest, over: transport) { response throws(GatewayError) in
            _ = try AccessToken(try response.portOneV1Answer().response, sent: Time.current.instant)
        }
    }
}

extension AccessToken {
    /// The token from `POST /users/getToken`, from the answer to a request sent at `sent`.
    ///
    /// The lifetime is `expired_at - now`, both by the gateway's clock, because ours may be wrong (PortOne V1 contract,
    /// authentication).
    init(_ json: JSON, sent: ContinuousClock.Instant) throws(GatewayError) {
        let lifetime = json["expired_at"]?.integer.flatMap { expiry in
            json["now"]?.integer.flatMap { now in
                let (seconds, overflow) = expiry.subtractingReportingOverflow(now)
                return overflow ? nil : seconds
            }
        }
        try self.init(json["access_token"]?.text, sent: sent, seconds: lifetime)
    }
}
