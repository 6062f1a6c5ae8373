/// The statements that a session has prepared, by their text and the types of their parameters.
struct PreparedStatementCache {
    /// The most prepared statements of a session.
    ///
    /// Further statements are sent unprepared, to limit the server's memory.
    static let capacity = 256

    /// Identifies a statement.
    ///
    /// The types are a part of the key, because they are fixed when the statement is prepared.
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]

        init(_ statement: PostgresStatement) {
            sql = statement.sql
            types = statement.parameters.map { type(of: $0).postgresType.oid }
        }
    }

    private let limit: Int
    private var names: [Key: String] = [:]
    private var nextNumber = 1

    /// - Parameter limit: how many statements are prepared at most; 0: none, so that the session keeps nothing of them.
    init(limit: Int = Self.capacity) {
        self.limit = limit
    }

    func name(of key: Key) -> String? {
        names[key]
    }

    /// A new name; `nil`: the session has ``limit`` prepared statements.
    ///
    /// - Parameter pending: how many statements are being prepared and are not in the cache yet.
    mutating func newName(pending: Int) -> String? {
        guard names.count + pending < limit else { return nil }
        defer { nextNumber += 1 }
        return "s\(nextNumber)"
    }

    mutating func insert(_ name: String, for key: Key) {
        names[key] = name
    }

    /// Forgets statements that an error shows to be invalid.
    ///
    /// After the columns of a result have changed (`ALTER TABLE`), a prepared statement always fails with 0A000. A name
    /// that the server does not know (26000) shows that all prepared statements were deallocated.
    mutating func forget(_ key: Key, after error: PostgresError) {
        switch error.sqlState {
        case SQLState.featureNotSupported: names[key] = nil
        case SQLState.invalidStatementName: names.removeAll()
        default: break
        }
    }
}
