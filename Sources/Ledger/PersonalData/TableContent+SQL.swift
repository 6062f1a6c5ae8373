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
