extension ExportRequest {
    /// A writer for the format; nil: it is written to a file first (``ExportFormat/isMadeFirst``).
    func makeWriter(of columns: [Column]) -> (any ExportWriter)? {
        let columns = columns.filter(\.isShown)
        return switch format {
        case .csv:
            CSVWriter(
                columns: columns, headings: columns.map { heading(of: $0.name) }, zone: zone,
                hasByteOrderMark: style.hasByteOrderMark, isForExcel: style.isForExcel)
        case .jsonl: JSONLinesWriter(columns: columns, zone: zone)
        case .xlsx: nil
        case .hledger: EntryWriter(dialect: Hledger(), zone: zone, prices: prices)
        case .beancount: EntryWriter(dialect: Beancount(), zone: zone, prices: prices)
        }
    }

    /// The SQL condition that a row is in the period and, if there is an `as_of`, was recorded by then.
    func condition(_ column: String, recorded: String) -> String {
        let conditions = [
            period.from.map { "\(column) >= \($0.sqlLiteral)" }, horizon(column, recorded: recorded),
        ]
        let given = conditions.compactMap(\.self)
        return given.isEmpty ? "true" : given.joined(separator: " AND ")
    }

    /// The SQL condition that an entry with its postings, as in ``JournalSQL/postings``, is in the period and, if there is
    /// an `as_of`, was recorded by then.
    var isInPeriod: String {
        let first = JournalSQL.firstEntry(where: condition("effective_at", recorded: "recorded_at"))
        return """
            \(condition("entry.effective_at", recorded: "entry.recorded_at"))
                AND posting.journal_entry_id >= (\(first))
            """
    }

    /// The SQL condition that a row is effective before the end of the period and, if there is an `as_of`, was recorded
    /// by then; nil: no condition.
    ///
    /// Later changes of the period's purchases and lots belong to later periods, so the exports of a closed period
    /// never change.
    func horizon(_ effective: String, recorded: String) -> String? {
        let conditions = [
            period.to.map { "\(effective) < \($0.sqlLiteral)" }, asOf.map { "\(recorded) <= \($0.sqlLiteral)" },
        ]
        let given = conditions.compactMap(\.self)
        return given.isEmpty ? nil : given.joined(separator: " AND ")
    }

    /// Whose a row with `user_id` and `journal_entry_id` was at the end of the period, as recorded by `as_of`: SQL.
    ///
    /// A merge of users changes whose it is from then on.
    func user(of row: StaticString) -> String {
        guard period.to != nil || asOf != nil else {
            return "coalesce((SELECT user_id FROM user_alias WHERE former = \(row).user_id), \(row).user_id)"
        }
        let (end, last) = (period.to?.sqlLiteral ?? "NULL", asOf?.sqlLiteral ?? "NULL")
        return """
            CASE WHEN \(row).user_id IN (SELECT former FROM user_alias UNION ALL SELECT user_id FROM user_alias)
            THEN user_as_of(\(row).journal_entry_id, \(row).user_id, \(end), \(last)) ELSE \(row).user_id END
            """
    }
}
