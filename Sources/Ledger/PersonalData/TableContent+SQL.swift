extension TableContent {
    /// The rows of the user whose ids are the first parameter, each as a line of JSON with the name of its table; nil: rows of the
    /// table are nobody's.
    var rowsOfUser: String? {
        guard let condition = conditionOfUser else { return nil }
        let hidden = ColumnContent.allCases.filter { !$0.isExported }.flatMap(columns)
        let shown = shown.sorted { $0.key < $1.key }.map { " || jsonb_build_object('\($0)', \($1))" }
        let accounts = columns(.bankAccount).map { " || jsonb_build_object('\($0)_is_held', \($0) IS NOT NULL)" }
        return """
            SELECT jsonb_build_object('table', '\(table)', 'row',
                to_jsonb("\(table)") - '{\(hidden.joined(separator: ","))}'::text[]\(shown.joined())\(accounts.joined()))::text
            FROM "\(table)" WHERE \(condition)
            """
    }

    /// Tells the database's functions what the tables have, so that it is said once: `personal_tables()`.
    ///
    /// It is applied as a file of `schema/judges` is, whenever the declaration has changed.
    static let judgeFile = JudgeFile(
        name: "personal_data",
        sql: """
            CREATE OR REPLACE FUNCTION personal_tables() RETURNS TABLE (name text, condition text, columns jsonb) LANGUAGE sql STABLE
            SET search_path = pg_catalog, public, pg_temp AS $$
                VALUES
                \(all.map(\.declaration).joined(separator: ",\n    "))
            $$;

            REVOKE ALL ON FUNCTION personal_tables FROM PUBLIC;

            """)

    private var declaration: String {
        let condition = conditionOfUser.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"
        let contents = ColumnContent.allCases.filter { !columns($0).isEmpty }.map { content in
            "\"\(content.rawValue)\": [\(columns(content).map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        return "('\(table)', \(condition), '{\(contents.joined(separator: ", "))}'::jsonb)"
    }

    private var conditionOfUser: String? {
        let own = columns(.user).map { "\($0) = ANY($1)" }
        let linked = links.compactMap { link in
            Self.all.first { $0.table == link.table }?.conditionOfUser.map {
                "(\(link.columns)) IN (SELECT \(link.key) FROM \"\(link.table)\" WHERE \($0))"
            }
        }
        guard !(own + linked).isEmpty else { return nil }
        return "(\((own + linked).joined(separator: " OR ")))" + (condition.map { " AND \($0)" } ?? "")
    }
}
