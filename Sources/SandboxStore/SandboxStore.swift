import Accepting
package import FoundationEssentials
package import Hummingbird
package import Logging
import SandboxSupport
import Synchronization

/// Simulated app stores for development and tests: the same APIs and signatures, and a control API for purchases,
/// refunds and faults.
///
/// It has no TLS and no users, and anyone can use its keys: never expose it. Purchases are in memory only.
package struct SandboxStore: Sendable {
    private let configuration: SandboxStoreConfiguration
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// Creates stores without purchases, with certificates of their own.
    ///
    /// `now` is their clock; tests replace it.
    package init(
        configuration: SandboxStoreConfiguration = SandboxStoreConfiguration(),
        logger: Logger = Logger(label: "store-sandbox"),
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.now = now
    }

    /// Builds the application; each has its own state.
    ///
    /// `onReady` gets the port when it listens.
    ///
    /// - Throws: ``SandboxStoreError`` if a notification URL is invalid.
    package func buildApplication(
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let app = configuration.apple
        for url in app.urls.values + [configuration.google.pushURL].compactMap(\.self) where WebhookTarget(url) == nil {
            throw SandboxStoreError(description: "the notification URL must be an http URL with a host")
        }
        let clock = SandboxClock(timeScale: configuration.timeScale, base: now)
        let port = Port(configuration.port)
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let authority = AppleAuthority(clock: clock) { "http://\(host):\(port.number)/\(OCSPResponder.path)" }
        let signer = AppleSigner(authority: authority)
        let notifications = AppleNotifications(app: app, signer: signer, clock: clock, logger: logger)
        let keys = GoogleKeys()
        let tokens = AccessTokens()
        let play = GooglePlay(app: configuration.google, keys: keys, clock: clock, logger: logger)
        let journal = RequestJournal(capacity: configuration.journalCapacity, masks: .stores, now: { clock.now })
        let faults = FaultPlan()

        let router = Router(context: SandboxRequestContext.self)
        router.add(middleware: EdgeMiddleware(journal: journal, logger: logger))
        router.add(
            middleware: FaultMiddleware(
                faults: faults, journal: journal,
                refusal: StoreRefusal(apple: .retryableInternal, google: .unavailable),
                unauthorized: StoreRefusal(apple: .unauthorized, google: .unauthenticated),
                revokeTokens: { await tokens.revokeAll() }))
        try addApple(to: router, signer, notifications, clock)
        addGoogle(to: router, play, keys, tokens, clock)
        FaultControl(faults: faults, journal: journal).add(to: router)
        ClockControl(
            clock: clock,
            turned: {
                notifications.clockTurned()
                play.clockTurned()
            }
        ).add(to: router)

        return Application(
            router: router, server: .safeHTTP1,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "store-sandbox"),
            services: [notifications, play],
            onServerRunning: { channel in
                port.set(channel.localAddress?.port ?? 0)
                await onReady(port.number)
            },
            logger: logger)
    }

    private func addApple(
        to router: Router<SandboxRequestContext>, _ signer: AppleSigner, _ notifications: AppleNotifications,
        _ clock: SandboxClock
    ) throws {
        let app = configuration.apple
        let state = AppleState()
        let limits = AppleLimits()
        let ocsp = OCSPResponder.ModeSwitch()
        for environment in AppleEnvironment.allCases {
            AppleRoutes(
                environment: environment, app: app, state: state, signer: signer, notifications: notifications,
                limits: limits, token: try ClientToken(app), clock: clock
            ).add(to: router)
        }
        OCSPResponder(authority: signer.authority, clock: clock, mode: ocsp).add(to: router)
        AppleControl(
            app: app, state: state, signer: signer, notifications: notifications, limits: limits, ocsp: ocsp,
            clock: clock
        ).add(to: router)
        NotificationControl(notifications: notifications).add(to: router)
    }

    private func addGoogle(
        to router: Router<SandboxRequestContext>, _ play: GooglePlay, _ keys: GoogleKeys, _ tokens: AccessTokens,
        _ clock: SandboxClock
    ) {
        let quota = VoidedQuota()
        TokenRoutes(
            assertion: ServiceAccountAssertion(email: configuration.google.serviceAccount), tokens: tokens, keys: keys,
            clock: clock
        ).add(to: router)
        GoogleRoutes(play: play, tokens: tokens, quota: quota, clock: clock).add(to: router)
        GoogleControl(play: play, keys: keys, tokens: tokens, quota: quota).add(to: router)
        MessageControl(play: play).add(to: router)
    }

    /// Runs until cancelled or shut down gracefully.
    ///
    /// - Throws: if the port is not available, or ``SandboxStoreError``.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws {
        try await buildApplication(onReady: onReady).run()
    }
}

/// The refusal of the store that is asked.
private struct StoreRefusal: HTTPResponseError {
    let apple: AppleRefusal
    let google: GoogleRefusal

    var status: HTTPResponse.Status { google.status }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        request.uri.path.hasPrefix("/google/")
            ? try google.response(from: request, context: context)
            : try apple.response(from: request, context: context)
    }
}

/// The port, which is known when it listens.
private final class Port: Sendable {
    private let value: Mutex<Int>

    init(_ number: Int) { value = Mutex(number) }

    var number: Int { value.withLock { $0 } }

    func set(_ number: Int) { value.withLock { $0 = number } }
}

extension RequestJournal.Masks {
    /// The stores' requests have no secrets beside their header `Authorization`; what isn't JSON is shown by its size.
    fileprivate static let stores = RequestJournal.Masks(
        body: { body, _ in
            (try? JSONDecoder().decode(JSONValue.self, from: Data(body.readableBytesView)))
                ?? .object(["bytes": .int(body.readableBytes)])
        }, query: { $0 })
}
