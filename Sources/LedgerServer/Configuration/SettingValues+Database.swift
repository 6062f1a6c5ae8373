import Ledger
import Postgres

extension SettingValues {
    /// The primary.
    var database: PostgresConfiguration {
        get throws { try PostgresConfiguration(url: self[Settings.database.databaseURL]) }
    }

    /// The standby for reports; nil: there is none.
    var replica: BooksSource.Replica? {
        get throws {
            guard let url = try self[Settings.database.replicaURL] else { return nil }
            return BooksSource.Replica(
                try PostgresConfiguration(url: url), patience: try self[Settings.database.replicaPatience])
        }
    }

    /// Where the whole books are read.
    var booksSource: BooksSource {
        get throws { BooksSource(try database, replica: try replica) }
    }
}
