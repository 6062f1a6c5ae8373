package import Hummingbird
import Ledger
package import LedgerServer
package import Logging
package import OutboundHTTP

/// The console: pages for customer support and finance, on the listener of monitoring.
package struct Console: AdminPages {
    private let configuration: ConsoleConfiguration
    private let ledger: Ledger
    private let provider: OpenIDProvider
    private let audit: AuditTrail
    private let desk: ApprovalDesk
    private let reviewer: PaymentReviewer
    private let live: LiveController
    private let endpoints: EndpointSender?
    private let logger: Logger

    package init(
        _ configuration: ConsoleConfiguration, desks: Desks, live: LiveController, endpoints: EndpointSender?,
        transport: any HTTPTransport, logger: Logger
    ) {
        self.live = live
        self.endpoints = endpoints
        self.configuration = configuration
        self.logger = logger
        ledger = desks.ledger
        reviewer = desks.reviewer
        provider = OpenIDProvider(configuration, transport: transport, logger: logger)
        audit = AuditTrail(records: ledger.audit)
        desk = ApprovalDesk(desks: desks, limits: configuration.limits)
    }

    package static func render(
        _ problem: Problem, _ request: Request, _ context: LedgerdRequestContext, in environment: ServiceEnvironment
    ) throws -> Response {
        try ConsoleRefusal.render(problem, request, context, in: environment)
    }

    package static func check(
        _ configuration: ConsoleConfiguration, over transport: any HTTPTransport, limit: Duration
    ) async -> [CheckResult] {
        await SignInChecks(configuration, over: transport, limit: limit).run()
    }

    package func add(to router: Router<LedgerdRequestContext>) { _ = addRoutes(to: router) }

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
            timeZone: configuration.timeZone, environment: configuration.environment)
        var routes = ConsoleRoutes(group, gate: gate, figures: ledger.figures, merges: ledger.merges)
        signIn.addRoutes(to: &routes)
        HomePage(ledger: ledger, live: live).addRoutes(to: &routes)
        AboutPage(configuration: configuration).addRoutes(to: &routes)
        let gateways = reviewer.crediter.gateways.all.map { $0.name }
        SearchPage(ledger: ledger, gateways: gateways).addRoutes(to: &routes)
        CustomerPage(ledger: ledger, gateways: gateways).addRoutes(to: &routes)
        ActPages(ledger: ledger, desk: desk, reviewer: reviewer).addRoutes(to: &routes)
        TopUpPages(desk: desk).addRoutes(to: &routes)
        RefundQuestionPages(desk: desk).addRoutes(to: &routes)
        CampaignPages(desk: desk).addRoutes(to: &routes)
        ForgettingPages(desk: desk).addRoutes(to: &routes)
        for act in CustomerActs.all { act.init(ledger: ledger, desk: desk).addRoutes(to: &routes) }
        ApprovalPages(ledger: ledger, desk: desk).addRoutes(to: &routes)
        AuditPage(records: ledger.audit, exports: ledger.exports).addRoutes(to: &routes)
        FindingPages(acts: desk).addRoutes(to: &routes)
        WaitingPages(ledger: ledger).addRoutes(to: &routes)
        ReconciliationPages(ledger: ledger, gateways: gateways, desk: desk).addRoutes(to: &routes)
        SettlementPages(
            ledger: ledger, gateways: reviewer.crediter.gateways.listing.map(\.name), desk: desk
        ).addRoutes(to: &routes)
        TransferPages(desk: desk).addRoutes(to: &routes)
        ProviderPages(desk: desk).addRoutes(to: &routes)
        PayoutPages(desk: desk).addRoutes(to: &routes)
        DisputePages(desk: desk).addRoutes(to: &routes)
        AdjustmentPages(desk: desk).addRoutes(to: &routes)
        RevaluationPages(desk: desk).addRoutes(to: &routes)
        FinancePages(ledger: ledger).addRoutes(to: &routes)
        ReportPages(ledger: ledger, voucherAccounts: configuration.voucherAccounts).addRoutes(to: &routes)
        LedgerPages(ledger: ledger).addRoutes(to: &routes)
        AccountPages(journal: ledger.journal).addRoutes(to: &routes)
        ClosingPages(ledger: ledger, desk: desk, sealKey: configuration.sealKey).addRoutes(to: &routes)
        LivePage(live: live).addRoutes(to: &routes)
        ProductPages(products: ledger.products, desk: desk).addRoutes(to: &routes)
        EndpointPages(endpoints: ledger.endpoints, sender: endpoints, acts: desk).addRoutes(to: &routes)
        EventPages(events: ledger.events).addRoutes(to: &routes)
        return routes.entries
    }
}
