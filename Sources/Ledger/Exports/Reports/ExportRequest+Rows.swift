import Postgres

extension ExportRequest {
    /// The report's rows.
    var rows: any ExportRows {
        switch report {
        case .journal: JournalRows(self)
        case .purchases: purchases
        case .lots: lots
        case .trialBalance: trialBalance
        case .trialBalanceTotals: trialBalanceTotals
        case .vouchers: vouchers
        case .vat: vat
        case .feeAccrual: feeAccrual
        case .liability: liability
        case .prepaid: prepaid
        case .userBalances: userBalances
        case .adjustments: adjustments
        case .breakage: breakage
        case .reconciliation: reconciliation
        case .audit: audit
        }
    }

    /// The request, once it is known that its report can be made.
    ///
    /// A report that a setting leaves empty can't be: its zeros would be taken for figures.
    func prepared(
        on connection: PostgresConnection, booksVAT: Bool
    ) async throws -> Result<ExportRequest, ExportRefusal> {
        switch report {
        case .reconciliation: return try await choosingRun(on: connection)
        case .vouchers:
            guard accounts != nil else { return .failure(.noAccounts) }
            let missing = try await connection.run(PostgresQuery<[String]>(unmappedAccounts))
            return missing.isEmpty ? .success(self) : .failure(.unmappedAccounts(missing))
        case .vat:
            let (hasVAT, hasSales) = try await connection.run(vatSeen)
            return hasVAT || (booksVAT && !hasSales) ? .success(self) : .failure(.vatIsOff)
        case .adjustments:
            let hasPolicy = try await connection.run(
                PostgresQuery<Bool>.one("SELECT EXISTS (SELECT FROM accounting_policy)"))
            return hasPolicy ? .success(self) : .failure(.noPolicy)
        default: return .success(self)
        }
    }

    /// A writer for the format.
    func makeWriter(of columns: [Column]) -> any ExportWriter {
        let columns = columns.filter(\.isShown)
        return switch format {
        case .csv:
            CSVWriter(
                columns: columns, zone: zone, hasByteOrderMark: style.hasByteOrderMark, isForExcel: style.isForExcel)
        case .jsonl: JSONLinesWriter(columns: columns, zone: zone)
        case .hledger: EntryWriter(dialect: Hledger(), zone: zone)
        case .beancount: EntryWriter(dialect: Beancount(), zone: zone)
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
}
