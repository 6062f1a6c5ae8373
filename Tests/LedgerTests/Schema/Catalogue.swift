import LedgerTestSupport
import Postgres

@testable import Ledger

/// The tables as the server's catalogue tells of them, and what can be tried on each.
struct Catalogue {
    struct Attempt {
        let name: String
        let sql: String
    }

    struct Column {
        let name: String
        let type: String
        let isGenerated: Bool
        let isKey: Bool
    }

    let tables: [String: [Column]]

    init(of test: TestLedger) async throws {
        let owner = try await test.connectAsOwner()
        let rows = try await owner.run(
            PostgresQuery<[(table: String, column: Column)]>(
                """
                SELECT quote_ident(relname), quote_ident(attname), typname, attgenerated <> '',
                    EXISTS (
                        SELECT FROM pg_index
                        WHERE indrelid = pg_class.oid AND indisunique AND attnum = ANY(indkey::int2[]))
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
                JOIN pg_type ON pg_type.oid = atttypid
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                ORDER BY relname, attnum
                """
            ) { row in
                let column = Column(name: try row[1], type: try row[2], isGenerated: try row[3], isKey: try row[4])
                return (try row[0], column)
            })
        await owner.close()
        tables = Dictionary(grouping: rows, by: \.table).mapValues { $0.map(\.column) }
    }

    var attempts: [Attempt] {
        tables.sorted { $0.key < $1.key }.flatMap { table, columns in
            let writable = columns.filter { !$0.isGenerated }
            var attempts = [
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable) { _ in true }),
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable, \.isKey)),
                Attempt(name: "insert \(table)", sql: Self.insert(into: table, writable) { _ in false }),
                Attempt(name: "delete \(table)", sql: "DELETE FROM \(table)"),
                Attempt(name: "truncate \(table)", sql: "TRUNCATE \(table) CASCADE"),
            ]
            for column in writable {
                let values = [column.changed, "NULL", "DEFAULT"]
                attempts += values.map { value in
                    Attempt(
                        name: "update \(table).\(column.name)", sql: "UPDATE \(table) SET \(column.name) = \(value)")
                }
            }
            return attempts
        }
    }

    /// A row as one that is there, with some columns changed; one of nothing but changed values where none is.
    static func insert(into table: String, _ columns: [Column], _ isChanged: (Column) -> Bool) -> String {
        let names = columns.map(\.name).joined(separator: ", ")
        let values = columns.map { isChanged($0) ? $0.changed : $0.name }.joined(separator: ", ")
        return
            "INSERT INTO \(table) (\(names)) SELECT \(values) FROM (SELECT) AS one LEFT JOIN \(table) ON true LIMIT 1"
    }
}

extension Catalogue.Column {
    /// Another value than the column has.
    fileprivate var changed: String {
        switch type {
        case "int8", "int4": "coalesce(\(name), 0) + 900000007"
        case "text": "coalesce(\(name), '') || 'x'"
        case "timestamptz": "coalesce(\(name), now()) + interval '1 hour'"
        case "bool": "NOT coalesce(\(name), false)"
        case "jsonb": "'{}'"
        case "bytea": "'\\x00'"
        case "numeric": "1"
        default: "NULL"
        }
    }
}
