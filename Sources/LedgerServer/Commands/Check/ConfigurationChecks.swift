import OutboundHTTP
import Timing

/// All tests of a configuration, each with a deadline.
struct ConfigurationChecks: Sendable {
    let values: SettingValues
    let pages: any AdminPages.Type
    /// How long each may take.
    let limit: Duration

    /// Runs them, those that don't need each other at the same time.
    ///
    /// - Parameter misspelt: what was found of the settings already.
    func run(afterwards misspelt: [CheckResult]) async -> [CheckResult] {
        let transport = CurlTransport(CurlTransport.Configuration(authoritiesFile: authoritiesFile))
        defer { transport.shutdown() }
        async let database = DatabaseChecks(values: values, limit: limit).run()
        async let replica = ReplicaChecks(values: values, limit: limit).run()
        async let gateways = GatewayChecks(values: values, transport: transport, limit: limit).run()
        async let tokens = bounded(TokenChecks.name) { await TokenChecks(values: values).run(transport) }
        async let console = ConsoleChecks(values: values, pages: pages, limit: limit).run(transport)
        async let listeners = ListenChecks(values: values, limit: limit).run(transport)
        let settings = SettingChecks(values: values).run(adding: misspelt)
        let books = BookChecks(values: values).run()
        let webhooks = WebhookChecks(values: values).run()
        return await settings + database + replica + gateways + webhooks + tokens + console + books + listeners
    }

    private var authoritiesFile: String? { try? values[Settings.gateways.caFile] }

    private func bounded(
        _ name: String, _ work: @escaping @Sendable () async -> [CheckResult]
    ) async -> [CheckResult] {
        await within(limit, work) ?? [.late(name, limit)]
    }
}

extension CheckResult {
    /// A test that did not end in time.
    static func late(_ check: String, _ limit: Duration) -> Self {
        failed(check, "no result within \(DurationText.text(of: limit))", do: "see whether the network lets it through")
    }
}

/// Runs `work` for at most `limit`, and then waits for it no longer; nil: it has not ended.
///
/// A look-up of a host's name can't be cancelled, so work that is late is left to itself: the command ends soon.
func within<Output: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Output
) async -> Output? {
    let (outputs, first) = AsyncStream<Output?>.makeStream()
    let working = Task { _ = first.yield(await work()) }
    let clock = Task {
        try? await Time.current.sleep(for: limit)
        first.yield(nil)
    }
    defer {
        working.cancel()
        clock.cancel()
    }
    for await output in outputs { return output }
    return nil
}
