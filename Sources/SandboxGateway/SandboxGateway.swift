import Accepting
package import FoundationEssentials
package import Hummingbird
package import Logging
import SandboxSupport

/// A simulated PortOne for development and tests: the same API, including its quirks, and a control API for payments
/// and faults.
///
/// It has no TLS and no users: never expose it.
package struct SandboxGateway: Sendable {
    private let configuration: SandboxGatewayConfiguration
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// Creates a gateway without payments.
    ///
    /// `now` is its clock; tests replace it.
    package init(
        configuration: SandboxGatewayConfiguration = SandboxGatewayConfiguration(),
        logger: Logger = Logger(label: "portone-sandbox"),
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.now = now
    }

    /// Builds the application; each has its own state, which a data file can outlast.
    ///
    /// `onReady` gets the port when it listens.
    ///
    /// - Throws: ``SandboxGatewayError`` if a webhook URL or secret is invalid, or the data file can't be used.
    package func buildApplication(
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let settings = try OutboxSettings(configuration)
        let (file, saved) = try openData()
        let clock = SandboxClock(
            timeScale: configuration.timeScale, offset: saved.clockOffset, base: now,
            keep: { file?.append([.clock(offset: $0)]) })
        let state = SandboxState(
            stores: Stores(main: configuration.storeID, others: configuration.otherStoreIDs),
            capacity: configuration.paymentCapacity, saved: saved, file: file, now: { clock.now })
        let journal = RequestJournal(
            capacity: configuration.journalCapacity, masks: .portOne, now: { clock.now })
        let faults = FaultPlan()
        let webhooks = WebhookOutbox(
            settings: settings, book: WebhookBook(saved.webhooks, file: file), clock: clock, logger: logger)

        let edge = EdgeMiddleware(journal: journal, logger: logger, isBroken: { file?.isBroken ?? false })
        let v1 = Router(context: SandboxRequestContext.self)
        v1.add(middleware: edge)
        v1.add(
            middleware: FaultMiddleware(
                faults: faults, journal: journal, refusal: V1Refusal.refusedByPG,
                unauthorized: V1Refusal.unauthorized, revokeTokens: { await state.revokeTokens() }))
        V1Routes(configuration: configuration, state: state, webhooks: webhooks).add(to: v1)
        ControlRoutes(state: state, webhooks: webhooks).add(to: v1)
        FaultControl(faults: faults, journal: journal).add(to: v1)
        WebhookControl(state: state, webhooks: webhooks).add(to: v1)
        ClockControl(clock: clock, turned: { webhooks.clockTurned() }).add(to: v1)
        CheckoutRoutes(state: state, webhooks: webhooks).add(to: v1)
        PaymentsPage(state: state, webhooks: webhooks).add(to: v1)
        OpenIDRoutes(state: OpenIDState(now: { clock.now }), client: configuration.signInClient).add(to: v1)

        let v2 = Router(context: SandboxRequestContext.self)
        v2.add(middleware: edge)
        v2.add(
            middleware: FaultMiddleware(
                faults: faults, journal: journal, refusal: V2Refusal.refusedByPG,
                unauthorized: V2Refusal.unauthorized, revokeTokens: { await state.revokeTokens() }))
        V2Routes(
            secret: configuration.v2Secret, state: state,
            shelf: IdempotencyShelf(saved.answers, file: file, now: { clock.now }), webhooks: webhooks
        ).add(to: v2)

        return Application(
            responder: SandboxResponder(v1: v1.buildResponder(), v2: v2.buildResponder()),
            server: .safeHTTP1,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "portone-sandbox"),
            services: [webhooks],
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    private func openData() throws(SandboxGatewayError) -> (StateFile?, SavedState) {
        guard let path = configuration.dataFile else { return (nil, SavedState()) }
        let (file, saved) = try StateFile.open(path, logger: logger)
        logger.info(
            "payments are kept in a file", metadata: ["path": "\(path)", "payments": "\(saved.payments.count)"])
        return (file, saved)
    }

    /// Runs until cancelled or shut down gracefully.
    ///
    /// - Throws: if the port is not available, or ``SandboxGatewayError``.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws {
        try await buildApplication(onReady: onReady).run()
    }
}

/// An invalid configuration of a sandbox gateway.
package struct SandboxGatewayError: Error, CustomStringConvertible {
    /// The error.
    package let description: String
}
