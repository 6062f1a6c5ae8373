import Hummingbird
import Ledger
import Logging
import OutboundHTTP

/// What carries out acts, for the API and the console alike.
struct Desks: Sendable {
    let acts: KeyedActs
    let refunds: RefundDesk
    let reviewer: PaymentReviewer
    let grantLimits: GrantLimits
    /// How long coins of a reversed act can be used if their lot has expired meanwhile.
    let returnGrace: Duration
    let custody: CustodyWatch
}

/// The console: pages for customer support and finance, on the listener of monitoring.
struct Console: Sendable {
    private let configuration: ConsoleConfiguration
    private let ledger: Ledger
    private let provider: OpenIDProvider
    private let audit: AuditTrail
    private let desk: ConsoleDesk
    private let reviewer: PaymentReviewer
    private let live: LiveController
    private let endpoints: EndpointDesk?
    private let logger: Logger

    /// - Parameters:
    ///   - desks: what carries out acts of the API and of the console.
    ///   - live: tells what is happening now.
    ///   - endpoints: acts on endpoints; nil: no webhooks are sent.
    ///   - transport: sends requests to the provider.
    init(
        _ configuration: ConsoleConfiguration, desks: Desks, live: LiveController, endpoints: EndpointDesk?,
        transport: any HTTPTransport, logger: Logger
    ) {
        self.live = live
        self.endpoints = endpoints
        self.configuration = configuration
        self.logger = logger
        ledger = desks.acts.ledger
        reviewer = desks.reviewer
        provider = OpenIDProvider(configuration, transport: transport, logger: logger)
        audit = AuditTrail(records: ledger.audit)
        desk = ConsoleDesk(
            acts: desks.acts, refunds: desks.refunds, findings: FindingDesk(crediter: desks.reviewer.crediter),
            grantLimits: desks.grantLimits, returnGrace: desks.returnGrace.components.seconds,
            limits: configuration.limits, audit: audit)
    }

    /// Adds the console's routes.
    ///
    /// - Returns: the pages and acts that need a session, with what they need.
    func addRoutes(to router: Router<LedgerdRequestContext>) -> [ConsoleRoutes.Entry] {
        let group = router.group("console").add(middleware: ConditionalRequests())
        ConsoleFiles().addRoutes(to: group)
        let signIn = SignInPages(
            configuration: configuration, provider: provider, sessions: ledger.sessions, audit: audit, logger: logger)
        signIn.addRoutes(to: group)
        let gate = ConsoleGate(
            sessions: ledger.sessions, origin: configuration.origin, idle: configuration.idle,
            timeZone: configuration.timeZone)
        var routes = ConsoleRoutes(group, gate: gate)
        signIn.addRoutes(to: &routes)
        SearchPage(ledger: ledger).addRoutes(to: &routes)
        CustomerPage(ledger: ledger).addRoutes(to: &routes)
        ActPages(ledger: ledger, desk: desk, reviewer: reviewer).addRoutes(to: &routes)
        ReversalPage(ledger: ledger, desk: desk).addRoutes(to: &routes)
        ApprovalPages(ledger: ledger, desk: desk).addRoutes(to: &routes)
        AuditPage(records: ledger.audit, exports: ledger.exports).addRoutes(to: &routes)
        FindingPages(acts: desk, audit: audit).addRoutes(to: &routes)
        WaitingPages(ledger: ledger).addRoutes(to: &routes)
        ReconciliationPages(
            ledger: ledger, gateways: reviewer.crediter.gateways.all.map(\.name), audit: audit
        ).addRoutes(to: &routes)
        SettlementPages(ledger: ledger, audit: audit).addRoutes(to: &routes)
        TransferPages(acts: desk.acts, returnGrace: desk.returnGrace, audit: audit).addRoutes(to: &routes)
        ProviderPages(acts: desk.acts, audit: audit).addRoutes(to: &routes)
        PayoutPages(acts: desk.acts, audit: audit).addRoutes(to: &routes)
        DisputePages(acts: desk.acts, usedBonus: reviewer.usedBonus, returnGrace: desk.returnGrace, audit: audit)
            .addRoutes(to: &routes)
        AdjustmentPages(acts: desk.acts, audit: audit).addRoutes(to: &routes)
        FinancePages(ledger: ledger).addRoutes(to: &routes)
        AccountPages(journal: ledger.journal).addRoutes(to: &routes)
        LivePage(live: live).addRoutes(to: &routes)
        ProductPages(products: ledger.products, audit: audit).addRoutes(to: &routes)
        EndpointPages(endpoints: ledger.endpoints, desk: endpoints, audit: audit).addRoutes(to: &routes)
        EventPages(events: ledger.events).addRoutes(to: &routes)
        return routes.entries
    }
}
