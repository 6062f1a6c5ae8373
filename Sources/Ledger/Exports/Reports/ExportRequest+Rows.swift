extension ExportRequest {
    /// The report's rows.
    var rows: any ExportRows {
        switch report {
        case .journal: JournalRows(self)
        case .purchases: purchases
        case .lots: lots
        case .trialBalance: trialBalance
        case .liability: liability
        case .reconciliation: reconciliation
        }
    }

    /// Writes the report's rows in the format.
    func makeWriter(of columns: [Column]) -> any ExportWriter {
        let columns = columns.filter(\.isShown)
        return switch format {
        case .csv: CSVWriter(columns: columns, zone: zone, hasByteOrderMark: hasByteOrderMark)
        case .jsonl: JSONLinesWriter(columns: columns, zone: zone)
        case .hledger: EntryWriter(dialect: Hledger(), zone: zone)
        case .beancount: EntryWriter(dialect: Beancount(), zone: zone)
        }
    }

    /// The condition that something happened in the period and, if a moment is asked for, was recorded by then.
    func condition(_ column: String, recorded: String) -> String {
        let conditions = [
            period.from.map { "\(column) >= \($0.sqlLiteral)" }, horizon(column, recorded: recorded),
        ]
        let given = conditions.compactMap(\.self)
        return given.isEmpty ? "true" : given.joined(separator: " AND ")
    }

    /// The condition that something took effect before the period's end and, if a moment is asked for, was recorded by
    /// then; nil: everything counts.
    ///
    /// What came of the period's purchases and lots afterwards is the next period's, so that a closed period's exports
    /// never change.
    func horizon(_ effective: String, recorded: String) -> String? {
        let conditions = [
            period.to.map { "\(effective) < \($0.sqlLiteral)" }, asOf.map { "\(recorded) <= \($0.sqlLiteral)" },
        ]
        let given = conditions.compactMap(\.self)
        return given.isEmpty ? nil : given.joined(separator: " AND ")
    }
}
