import Postgres
import TestSupport
import Testing

/// A connection to the test server, whose tables should be temporary.
func connect(_ change: (inout PostgresConfiguration) -> Void = { _ in }) async throws -> PostgresConnection {
    try await PostgresConnection.connect(serverConfiguration(change))
}

func serverConfiguration(_ change: (inout PostgresConfiguration) -> Void = { _ in }) throws -> PostgresConfiguration {
    var configuration = try PostgresConfiguration(url: TestServer().url())
    change(&configuration)
    return configuration
}

/// The `PostgresError` that a body throws; nil when it throws none.
func postgresError(_ body: () async throws -> Void) async -> PostgresError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

extension PostgresQuery where Output == Int {
    /// A number, to see whether a connection can go on.
    static var fortyTwo: PostgresQuery {
        .one("SELECT 42::int8") { try $0[0] }
    }
}

extension PostgresQuery where Output == String {
    /// A setting of the session.
    static func setting(_ name: String) -> PostgresQuery {
        .one("SELECT current_setting($1)", [name]) { try $0[0] }
    }
}
