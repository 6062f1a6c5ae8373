import Hummingbird
import Ledger
import Logging
import OutboundHTTP

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
        desk = ConsoleDesk(desks: desks, limits: configuration.limits, audit: audit)
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
        FindingPages(acts: desk).addRoutes(to: &routes)
        WaitingPages(ledger: ledger).addRoutes(to: &routes)
        ReconciliationPages(
            ledger: ledger, gateways: reviewer.crediter.gateways.listing.map(\.name), desk: desk
        ).addRoutes(to: &routes)
        SettlementPages(ledger: ledger, desk: desk).addRoutes(to: &routes)
        TransferPages(desk: desk).addRoutes(to: &routes)
        ProviderPages(desk: desk).addRoutes(to: &routes)
        PayoutPages(desk: desk).addRoutes(to: &routes)
        DisputePages(desk: desk).addRoutes(to: &routes)
        AdjustmentPages(desk: desk).addRoutes(to: &routes)
        FinancePages(ledger: ledger).addRoutes(to: &routes)
        AccountPages(journal: ledger.journal).addRoutes(to: &routes)
        LivePage(live: live).addRoutes(to: &routes)
        ProductPages(products: ledger.products, desk: desk).addRoutes(to: &routes)
        EndpointPages(endpoints: ledger.endpoints, desk: endpoints, acts: desk).addRoutes(to: &routes)
        EventPages(events: ledger.events).addRoutes(to: &routes)
        return routes.entries
    }
}
