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
        var conditions = ["true"]
        if let from = period.from { conditions.append("\(column) >= \(from.sqlLiteral)") }
        if let to = period.to { conditions.append("\(column) < \(to.sqlLiteral)") }
        if let asOf { conditions.append("\(recorded) <= \(asOf.sqlLiteral)") }
        return conditions.joined(separator: " AND ")
    }
}
