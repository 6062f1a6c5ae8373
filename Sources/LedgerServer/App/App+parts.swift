import Hummingbird
import Ledger
import Logging
import Postgres
import Traces

extension App {
    /// Opens the ledger that the configuration names.
    static func openLedger(
        _ configuration: ServeConfiguration, logger: Logger, onCommit: @escaping @Sendable () -> Void
    ) async throws -> Ledger {
        let database = try PostgresConfiguration(url: configuration[Settings.database.databaseURL])
        var books = LedgerConfiguration(
            database: database, replica: try configuration.replica,
            writers: try configuration[Settings.database.writers],
            readConnections: try configuration[Settings.database.readConnections],
            lotOrdering: try configuration[Settings.coins.lotOrder], vatSettings: configuration.vatSettings,
            coinDays: configuration.coinDays)
        books.creditsInDatabase = try !configuration[Settings.database.planPurchases]
        books.lookupPatience = try configuration[Settings.database.lookupPatience]
        books.onCommit = onCommit
        try await Ledger.requireOwnSessions(database)
        let ledger = try await Ledger.open(books, logger: logger)
        if try await ledger.canRewriteBooks {
            guard try configuration[Settings.database.allowOwner] else {
                await ledger.close()
                throw ConfigurationError.ownerRole
            }
            logger.warning("the database role can change the books; do not use allow_owner in production")
        }
        do {
            try await ledger.require(configuration.forgettingRules.key)
        } catch {
            await ledger.close()
            throw error
        }
        return ledger
    }

    /// All routes of the API, with what each request passes through.
    static func makeRouter(
        _ deps: Deps, _ tokens: TokenVerifier, _ traces: TraceRecorder?, _ drain: Drain
    ) throws -> Router<LedgerdRequestContext> {
        let router = Router(context: LedgerdRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addHouseMiddleware(traces: traces, render: Problem.render)
        router.add(middleware: DrainMiddleware(drain: drain))
        let offered = try Features.all.flatMap { try $0.offered(with: deps) }
        router.add(
            middleware: StrictRequests(Operation.all, offered: offered) {
                BearerAuthentication.scopes(of: $0, verifiedBy: tokens)
            })
        router.add(middleware: ConditionalRequests())
        let appKeys = AppKeys(Set(try deps.configuration[Settings.tokens.appKeys] ?? []))
        for feature in Features.all {
            try feature.add(to: router, with: deps, tokens: tokens, appKeys: appKeys)
        }
        // Tools ask what the router has until now.
        let tools = MCPController(api: router.buildResponder())
        router.add(tools, tokens: tokens, appKeys: appKeys, merges: deps.ledger.merges)
        return router
    }
}
