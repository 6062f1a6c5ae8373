/// The prepared statements of a session, by text and parameter types.
struct StatementCache {
    /// The maximum number of prepared statements, which limits the server's memory; further ones are sent unprepared.
    static let capacity = 256

    /// The key of a statement.
    ///
    /// It includes the types, because they are fixed when the statement is prepared.
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

    /// A new name in the session; `nil` if the cache is full.
    ///
    /// - Parameter pending: the number of statements that are being prepared.
    mutating func newName(pending: Int) -> String? {
        guard names.count + pending < Self.capacity else { return nil }
        defer { nextNumber += 1 }
        return "s\(nextNumber)"
    }

    mutating func insert(_ name: String, for key: Key) {
        names[key] = name
    }

    /// Removes statements that an error shows to be invalid.
    ///
    /// After the columns of a result have changed (`ALTER TABLE`), a prepared statement always fails with 0A000. An
    /// unknown name (26000) means that all were deallocated.
    mutating func forget(_ key: Key, after error: PostgresError) {
        switch error.sqlState {
        case SQLState.featureNotSupported: names[key] = nil
        case SQLState.invalidStatementName: names.removeAll()
        default: break
        }
    }
}
