import Logging
import OutboundHTTP
import Timing
import WireFormats

/// The Play Developer API: the access token, the limits, the errors.
struct GooglePlayClient: Sendable {
    let configuration: GooglePlayConfiguration
    let calls: GatewayCalls
    let voidedOrders: GooglePlayVoidedOrders
    private let tokens: AccessTokens
    private let rates: [GooglePlayCall.Quota: CallRate]

    init(
        configuration: GooglePlayConfiguration, transport: any HTTPTransport, logger: Logger, timing: GatewayTiming
    ) {
        let calls = GatewayCalls(
            gateway: GooglePlay.name, limits: configuration.limits, transport: transport, timing: timing)
        self.configuration = configuration
        self.calls = calls
        voidedOrders = GooglePlayVoidedOrders(time: timing.time)
        rates = Dictionary(
            uniqueKeysWithValues: GooglePlayCall.Quota.allCases.map {
                ($0, CallRate(perSecond: $0.perSecond, burst: $0.burst, configuration.limits, timing))
            })
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

    /// Carries out an operation within the time limit; each attempt does the whole of it.
    ///
    /// - Parameter repeats: whether it is safe to repeat.
    /// - Throws: ``GatewayError``.
    func ask<Answer: Sendable>(
        _ operation: GooglePlayCall, repeats: Bool = true,
        _ attempt: @escaping @Sendable (Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await calls.ask(
            operation.rawValue, within: configuration.limits.totalTimeout, repeats: repeats, attempt)
    }

    /// Sends one request, and once more with a new token if Google refuses the one that it has.
    ///
    /// - Parameter request: its path begins after the app.
    func answer(
        to request: GatewayCall, of call: GooglePlayCall, _ attempt: Attempt
    ) async throws(GatewayError) -> JSON {
        var request = request
        request.path = ["androidpublisher", "v3", "applications", configuration.packageName] + request.path
        let token = try await tokens.token().get()
        do throws(GatewayError) {
            return try await exchange(request, of: call, token, attempt)
        } catch {
            guard error.isAboutToken else { throw error }
        }
        return try await exchange(request, of: call, try await tokens.token(insteadOf: token).get(), attempt)
    }

    private func exchange(
        _ request: GatewayCall, of call: GooglePlayCall, _ token: AccessToken, _ attempt: Attempt
    ) async throws(GatewayError) -> JSON {
        guard let rate = rates[call.quota] else { throw GatewayError(.invalidRequest, message: "no such call") }
        let request = request.request(
            to: configuration.url, authorization: "Bearer " + token.text, configuration.limits)
        return try await rate.run { () throws(GatewayError) in
            try await calls.exchange(request, attempt) { response throws(GatewayError) in
                try response.googlePlayAnswer()
            }
        }
    }

    private static func fetchToken(
        _ configuration: GooglePlayConfiguration, _ calls: GatewayCalls
    ) async throws(GatewayError) -> AccessToken {
        let (time, limits) = (calls.timing.time, configuration.limits)
        let request = try await configuration.account.tokenRequest(at: time.now, limits)
        let sent = time.instant
        let attempt = Attempt(number: 1, deadline: sent + limits.totalTimeout)
        return try await calls.exchange(request, attempt, for: .accessToken) { response throws(GatewayError) in
            try AccessToken(google: response, sent: sent)
        }
    }
}

extension GatewayError {
    /// Whether a new token can help: a missing permission also comes as 401, and a new token has no more of them.
    fileprivate var isAboutToken: Bool {
        code == .unauthorized && httpStatus == 401 && gatewayType != "permissionDenied"
    }
}
