package import Postgres

/// The configuration of a ledger.
package struct LedgerConfiguration: Sendable {
    /// The database, with the service's role.
    package var database: PostgresConfiguration
    /// The standby that exports are read from; nil: they are read from ``database``.
    package var replica: BooksSource.Replica?
    /// The number of connections that post, 1 or more.
    package var writers: Int
    /// The number of connections that read lists and reports: 1 or more.
    package var readConnections: Int
    /// The number of connections that look up by key.
    package static let lookupConnections = 3
    /// The number of connections for writes that are no acts.
    package static let writeConnections = 2
    /// The number of connections for work lists, events from gateways, reconciliation, chain and seals.
    package static let workConnections = 4
    /// The number of connections that read events.
    package static let eventConnections = 3
    /// The number of connections for deliveries of events, besides the one that holds the locks of endpoints.
    package static let deliveryConnections = 3
    /// The sum of these, and one each for publishing events, payouts, adjustments, the locks and notifications.
    package static let otherConnections =
        lookupConnections + writeConnections + workConnections + eventConnections + deliveryConnections + 5
    /// The most acts in one transaction: 1 to 1,024.
    ///
    /// Lower values are only for measurements.
    package var batchLimit: Int
    /// The order in which lots are used.
    package var lotOrdering: LotOrdering
    /// What VAT is booked of.
    package var vatSettings: VATSettings
    /// How the days of lots are counted.
    package var coinDays: CoinDays.Setting
    /// The most lots that acts change.
    ///
    /// Other values are only for tests.
    package var lotLimits = LotLimits()

    /// How long a caller waits for a look-up by key: during a failover it is told to retry within two seconds, with the rest of
    /// its request.
    ///
    /// For a free connection a caller waits as long, and at least 5 s.
    package var lookupPatience = Duration.milliseconds(1_500)

    /// Whether batches of purchases are credited by a function of the database; otherwise all are planned.
    package var creditsInDatabase = true

    /// Called after each commit that wrote to the books.
    package var onCommit: @Sendable () -> Void = {}

    /// Two writers and four readers, for a small machine.
    package init(
        database: PostgresConfiguration, replica: BooksSource.Replica? = nil, writers: Int = 2,
        readConnections: Int = 4, batchLimit: Int = 1024, lotOrdering: LotOrdering = .standard,
        vatSettings: VATSettings = .off, coinDays: CoinDays.Setting = .these(.exact)
    ) {
        self.database = database
        self.replica = replica
        self.writers = writers
        self.readConnections = readConnections
        self.batchLimit = batchLimit
        self.lotOrdering = lotOrdering
        self.vatSettings = vatSettings
        self.coinDays = coinDays
    }
}
