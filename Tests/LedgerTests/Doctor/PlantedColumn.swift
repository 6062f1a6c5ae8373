import LedgerTestSupport
import Postgres

@testable import Ledger

/// A column of the ledger's tables, as the server's catalogue tells of it.
struct PlantedColumn: Sendable {
    let table: String
    let column: String
    let type: String
    /// Texts that the table's constraints know for the column.
    let known: [String]

    /// As ``Unwatched`` names it.
    var name: String { "\(table).\(column)" }

    /// All columns that can be written; PostgreSQL computes the others, or numbers rows by them.
    static func all(of test: TestLedger) async throws -> [PlantedColumn] {
        let owner = try await test.connectAsOwner()
        let columns = try await owner.run(
            PostgresQuery<[PlantedColumn]>(
                """
                SELECT relname, attname, typname, coalesce((
                    SELECT string_agg(DISTINCT literal[1], ',')
                    FROM pg_constraint, regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([a-z_]+)''::text', 'g')
                        AS literal
                    WHERE conrelid = pg_class.oid AND contype = 'c' AND attnum = ANY(conkey)), '')
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
                    AND attgenerated = '' AND attidentity <> 'a'
                JOIN pg_type ON pg_type.oid = atttypid
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                ORDER BY relname, attnum
                """
            ) { row in
                PlantedColumn(
                    table: try row[0], column: try row[1], type: try row[2],
                    known: try row.decode(3, as: String.self).split(separator: ",").map(String.init))
            })
        await owner.close()
        return columns
    }

    private var own: String { "\"\(column)\"" }

    /// Other values than the row has, as SQL: near ones first.
    private var values: [String] {
        switch type {
        case "int8", "int4", "int2", "numeric":
            ["coalesce(\(own), 0) + 1", "\(own) - 1", "coalesce(\(own), 0) + 900000007"]
        case "text": ["coalesce(\(own), '') || 'x'"] + known.map { "'\($0)'" }
        case "timestamptz":
            ["interval '1 second'", "interval '400 days'"].map { "coalesce(\(own), now()) + \($0)" }
                + ["\(own) - interval '1 day'"]
        case "date": ["coalesce(\(own), current_date) + 1"]
        case "bool": ["NOT coalesce(\(own), false)"]
        case "jsonb": ["jsonb_build_object('wrong', \(own))"]
        case "bytea": ["set_byte(coalesce(\(own), '\\x00'), 0, 255 - get_byte(coalesce(\(own), '\\x00'), 0))"]
        case "_text": ["array_append(\(own), 'x')", "ARRAY['x']"]
        case "_int8": ["array_append(\(own), 1)"]
        case "xid8": ["'9'::xid8"]
        case "pg_snapshot": ["'1:1:'::pg_snapshot"]
        default: []
        }
    }

    /// Statements that plant another value into a row, near ones first.
    ///
    /// - Parameter row: the place of the row: first come, mixed, those that have a value.
    func plants(inRow row: Int) -> [String] {
        values.map { value in
            """
            UPDATE "\(table)" SET \(own) = \(value)
            WHERE ctid = (
                    SELECT ctid FROM "\(table)" ORDER BY \(own) IS NULL, hashtext(ctid::text) OFFSET \(row) LIMIT 1)
                AND \(own)::text IS DISTINCT FROM (\(value))::text
            """
        }
    }

    /// The checks that read the table.
    var checks: [Doctor.Check] {
        // The view of what providers are owed reads these two.
        let names = ["provider_share", "provider_repayment"].contains(table) ? [table, "provider_due"] : [table]
        return Doctor.Check.all.filter { check in
            let words = Set(check.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            return names.contains { words.contains(Substring($0)) }
        }
    }

    /// Whether the chain of the journal's entries covers the table.
    var isInChain: Bool {
        ["account", "account_salt", "chain_link", "entry_salt", "journal_entry", "posting"].contains(table)
    }
}

/// What becomes of a value that is planted.
enum PlantVerdict {
    /// The doctor says that something is wrong, or that it can't read it.
    case found
    /// The doctor says nothing.
    case missed
    /// A constraint of the table refuses it.
    case refused
    /// There is no such row, or it has the value.
    case nothing
}
