import CEmbedded
import Postgres

/// The role that the service logs in as: what it must be able to do, and what it must not.
enum ServiceRole {
    /// The group that migrations grant the service's rights to.
    static let group = "ledgerd_service"

    /// Whether the session's role can rewrite what is written: it owns the journal's tables, belongs to who does, is a
    /// superuser, or was granted too much.
    static let canRewriteBooks = PostgresQuery<Bool>.one(
        """
        SELECT bool_or(
            pg_catalog.pg_has_role(relowner, 'MEMBER')
            OR pg_catalog.has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
            OR pg_catalog.has_any_column_privilege(oid, 'UPDATE'))
        FROM pg_catalog.pg_class WHERE oid IN ('public.journal_entry'::regclass, 'public.posting'::regclass)
        """)

    /// What the session's role may do in the ledger's schema, however it came by it, in the words of ``granted``.
    ///
    /// A right to a whole table stands for its columns.
    static let rights = PostgresQuery<[String]>(
        """
        WITH thing AS (
            SELECT oid, relname, relkind FROM pg_catalog.pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
        ), relation_right AS (
            SELECT thing.*, right_name FROM thing
            CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
                AS list (right_name)
            WHERE relkind <> 'S' AND pg_catalog.has_table_privilege(oid, right_name)
        )
        SELECT right_name || ' on ' || relname FROM relation_right
        UNION ALL
        SELECT right_name || ' on ' || thing.relname || '.' || attname FROM thing
        JOIN pg_catalog.pg_attribute ON attrelid = thing.oid AND attnum > 0 AND NOT attisdropped
        CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS list (right_name)
        WHERE thing.relkind <> 'S' AND pg_catalog.has_column_privilege(thing.oid, attnum, right_name)
            AND NOT pg_catalog.has_table_privilege(thing.oid, right_name)
        UNION ALL
        SELECT right_name || ' on ' || relname FROM thing
        CROSS JOIN unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) AS list (right_name)
        WHERE relkind = 'S' AND pg_catalog.has_sequence_privilege(oid, right_name)
        UNION ALL
        SELECT 'EXECUTE on ' || proname
            || pg_catalog.replace('(' || pg_catalog.pg_get_function_identity_arguments(oid) || ')', 'public.', '')
        FROM pg_catalog.pg_proc
        WHERE pronamespace = 'public'::regnamespace AND pg_catalog.has_function_privilege(oid, 'EXECUTE')
        UNION ALL
        SELECT right_name || ' on schema public' FROM unnest(ARRAY['USAGE', 'CREATE']) AS list (right_name)
        WHERE pg_catalog.has_schema_privilege('public', right_name)
        UNION ALL
        SELECT right_name || ' on database ' || pg_catalog.current_database()
        FROM unnest(ARRAY['CREATE', 'TEMPORARY']) AS list (right_name)
        WHERE pg_catalog.has_database_privilege(pg_catalog.current_database(), right_name)
        ORDER BY 1
        """)

    /// What the role is besides the service's: its attributes, and the groups that it belongs to.
    static let otherPowers = PostgresQuery<[String]>(
        """
        SELECT list.attribute FROM pg_catalog.pg_roles,
            LATERAL (VALUES ('SUPERUSER', rolsuper), ('CREATEROLE', rolcreaterole), ('CREATEDB', rolcreatedb),
                ('REPLICATION', rolreplication), ('BYPASSRLS', rolbypassrls)) AS list (attribute, has)
        WHERE rolname = current_user AND list.has
        UNION ALL
        SELECT 'membership in ' || rolname FROM pg_catalog.pg_roles
        WHERE rolname NOT IN (current_user, $1) AND pg_catalog.pg_has_role(oid, 'MEMBER')
        ORDER BY 1
        """,
        [group])

    /// The rights that the migrations grant the service, and those that they take from PUBLIC: read from docs/schema.sql,
    /// which a test keeps equal to what the migrations make.
    ///
    /// A dump names the schema of an argument that is a row of a table; a session does not if it is on its search path.
    static let granted: (rights: Set<String>, revoked: Set<String>) = {
        let text = embedded_schema().text
        // Every start reads this, and a regex is compiled anew wherever it is used: so each once, for the lines it is for.
        let revocation = #/REVOKE ALL ON FUNCTION public\.(.+) FROM PUBLIC;/#
        let grant = #/GRANT (.+) ON (TABLE|SEQUENCE|FUNCTION|SCHEMA) (?:public\.)?(.+) TO ledgerd_service;/#
        var rights: Set<String> = []
        var revoked: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("GRANT ") || line.hasPrefix("REVOKE ") {
            if let match = line.wholeMatch(of: revocation) {
                revoked.insert("EXECUTE on \(match.1.replacing("public.", with: ""))")
            } else if let match = line.wholeMatch(of: grant) {
                let name = String(match.3).replacing("\"", with: "").replacing("public.", with: "")
                rights.formUnion(match.1.split(separator: ",").map { described($0, to: match.2, name) })
            }
        }
        return (rights, revoked)
    }()

    /// A right in the words of ``rights``.
    ///
    /// - Parameter right: as in a dump, such as `SELECT`, or `UPDATE(name)` for a column.
    private static func described(_ right: Substring, to kind: Substring, _ name: String) -> String {
        switch kind {
        case "FUNCTION": return "EXECUTE on \(name)"
        case "SCHEMA": return "\(right) on schema \(name)"
        default:
            let parts = right.split { "()".contains($0) }
            return parts.count == 2
                ? "\(parts[0]) on \(name).\(String(parts[1]).replacing("\"", with: ""))" : "\(right) on \(name)"
        }
    }
}
