package import Postgres

/// How a ledger uses its database.
package struct LedgerConfiguration: Sendable {
    /// Where the database is, as the service's role.
    package var database: PostgresConfiguration
    /// How many connections post, each for a share of the stripes: 1 or more.
    package var writers: Int
    /// How many connections read lists and reports: 1 or more.
    package var readConnections: Int
    /// How many connections look up by key.
    package static let lookupConnections = 3
    /// How many connections write what is no act and is waited for.
    package static let writeConnections = 2
    /// How many connections serve work lists, events from gateways, reconciliation, chain and seals.
    package static let workConnections = 4
    /// The sum of these three.
    package static let otherConnections = lookupConnections + writeConnections + workConnections
    /// The most acts in one transaction: 1 to 1,024.
    ///
    /// Smaller only to measure.
    package var batchLimit: Int
    /// In which order lots are used up.
    package var lotOrdering: LotOrdering

    /// Two writers and four readers, as a small machine wants them.
    package init(
        database: PostgresConfiguration, writers: Int = 2, readConnections: Int = 4, batchLimit: Int = 1024,
        lotOrdering: LotOrdering = .standard
    ) {
        self.database = database
        self.writers = writers
        self.readConnections = readConnections
        self.batchLimit = batchLimit
        self.lotOrdering = lotOrdering
    }
}
