extension TableContent {
    /// The rows of the user whose ids are the first parameter, each as a line of JSON with the name of its table; nil: rows of the
    /// table are nobody's.
    var rowsOfUser: String? {
        guard let condition = conditionOfUser else { return nil }
        let hidden = ColumnContent.allCases.filter { !$0.isExported }.flatMap(columns)
        let accounts = columns(.bankAccount).map { " || jsonb_build_object('\($0)_is_held', \($0) IS NOT NULL)" }
        return """
            SELECT jsonb_build_object('table', '\(table)', 'row',
                to_jsonb("\(table)") - '{\(hidden.joined(separator: ","))}'::text[]\(accounts.joined()))::text
            FROM "\(table)" WHERE \(condition)
            """
    }

    private var conditionOfUser: String? {
        let own = columns(.user).map { "\($0) = ANY($1)" }
        guard let link else {
            guard !own.isEmpty else { return nil }
            return "(\(own.joined(separator: " OR ")))" + (condition.map { " AND \($0)" } ?? "")
        }
        guard let parent = Self.all.first(where: { $0.table == link.table })?.conditionOfUser else { return nil }
        return "(\(link.columns)) IN (SELECT \(link.key) FROM \"\(link.table)\" WHERE \(parent))"
    }
}
