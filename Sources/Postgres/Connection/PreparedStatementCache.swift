/// The statements that a session has prepared, by their text and the types of their parameters.
struct PreparedStatementCache {
    /// Statements beyond this number are sent unprepared: a bound on what the server holds for the session.
    static let capacity = 256

    /// What a statement is known by.
    ///
    /// The types belong to it, for they are fixed when it is prepared.
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]

        init(_ statement: PostgresStatement) {
            sql = statement.sql
            types = statement.parameters.map { type(of: $0).postgresType.oid }
        }
    }

    private var names: [Key: String] = [:]
    private var nextNumber = 1

    func name(of key: Key) -> String? {
        names[key]
    }

    /// A name that no statement of the session has had; `nil` when no more are to be prepared.
    ///
    /// - Parameter pending: how many are being prepared and not yet known.
    mutating func newName(pending: Int) -> String? {
        guard names.count + pending < Self.capacity else { return nil }
        defer { nextNumber += 1 }
        return "s\(nextNumber)"
    }

    mutating func insert(_ name: String, for key: Key) {
        names[key] = name
    }

    /// Forgets what an error shows to be of no use any more.
    ///
    /// Once a result's columns have changed (`ALTER TABLE`), a prepared statement fails with 0A000 for ever; and a name
    /// that the server does not know (26000) tells that someone has deallocated them all.
    mutating func forget(_ key: Key, after error: PostgresError) {
        switch error.sqlState {
        case SQLState.featureNotSupported: names[key] = nil
        case SQLState.invalidStatementName: names.removeAll()
        default: break
        }
    }
}
