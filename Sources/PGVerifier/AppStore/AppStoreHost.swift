import OutboundHTTP
import WireFormats

/// The App Store Server API of one environment: the tokens, the limits, the errors.
struct AppStoreHost: Sendable {
    let environment: AppStoreEnvironment
    private let url: HTTPURL
    private let configuration: AppStoreConfiguration
    private let calls: GatewayCalls
    private let rates: [AppStoreCall: CallRate]

    /// Nil if the environment is not accepted.
    init?(
        _ environment: AppStoreEnvironment, _ configuration: AppStoreConfiguration, transport: any HTTPTransport,
        timing: GatewayTiming
    ) {
        guard let url = configuration.environments[environment] else { return nil }
        self.environment = environment
        self.url = url
        self.configuration = configuration
        calls = GatewayCalls(
            gateway: environment.metricsName, limits: configuration.limits, transport: transport, timing: timing)
        rates = Dictionary(
            uniqueKeysWithValues: AppStoreCall.allCases.map {
                ($0, CallRate(perSecond: $0.perSecond * environment.shareOfLimits, configuration.limits, timing))
            })
    }

    /// Sends a request within the time limit.
    ///
    /// - Parameter repeats: whether it is safe to repeat.
    /// - Throws: ``GatewayError``.
    func ask(
        _ call: AppStoreCall, _ request: GatewayCall, repeats: Bool = true
    ) async throws(GatewayError) -> JSON {
        let limit = configuration.limits.totalTimeout
        return try await calls.ask(call.rawValue, within: limit, repeats: repeats) { attempt throws(GatewayError) in
            guard let rate = rates[call] else { throw GatewayError(.invalidRequest, message: "no such call") }
            return try await rate.run { () throws(GatewayError) in try await answer(to: request, attempt) }
        }
    }

    private func answer(to call: GatewayCall, _ attempt: Attempt) async throws(GatewayError) -> JSON {
        let time = calls.timing.time
        let token = try await configuration.key.token(for: configuration.bundleID, at: time.now)
        let request = call.request(to: url, authorization: "Bearer " + token, configuration.limits)
        return try await calls.exchange(request, attempt) { response throws(GatewayError) in
            try response.appStoreAnswer(at: time.now)
        }
    }
}
