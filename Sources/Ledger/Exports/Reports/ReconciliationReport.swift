import Postgres

extension Report {
    /// The payments of a reconciliation run.
    package static let reconciliation = Report(
        "reconciliation", .run,
        Words("Reconciliation", "대사 결과", about: "each payment compared with the gateway", "PG사와 대조한 결제"),
        korean: ["kind": "차이 유형", "outcome": "처리 결과"], rows: { $0.reconciliation },
        prepare: { request, connection, _ in try await request.choosingRun(on: connection) })
}

extension ExportRequest {
    /// The payments of a run with both sides and the outcome, in the order in which they were found.
    ///
    /// A completed run never changes, so its export always has the same bytes.
    var reconciliation: FixedRows {
        let columns = [
            Column("run", .id, "run_id"),
            Column("item", .id, "id"),
            Column("kind", .text, "kind"),
            Column("outcome", .text, "outcome"),
            Column("gateway", .text, "gateway"),
            Column("imp_uid", .text, "imp_uid"),
            Column("merchant_uid", .text, "merchant_uid"),
            Column("payment_id", .text, "payment_id"),
            Column("paid_status", .text, "paid_status"),
            Column("paid_amount", .integer, "paid_amount", total: .column("paid_currency")),
            Column("cancelled_amount", .integer, "cancelled_amount", total: .column("paid_currency")),
            Column("paid_currency", .text, "paid_currency"),
            Column("paid_at", .time, "paid_at"),
            Column("purchase", .id, "purchase_id"),
            Column("credited_amount", .integer, "credited_amount", total: .column("credited_currency")),
            Column("refunded_amount", .integer, "refunded_amount", total: .column("credited_currency")),
            Column("credited_currency", .text, "credited_currency"),
            Column("transferred_amount", .integer, "transferred_amount", total: .column("credited_currency")),
        ]
        let statement = """
            SELECT \(columns.selection) FROM reconciliation_item WHERE run_id = \(run ?? 0)
            ORDER BY reconciliation_item.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }

    /// The request with its run.
    func choosingRun(on connection: PostgresConnection) async throws -> Result<ExportRequest, ExportRefusal> {
        var request = self
        if let id = run {
            guard let run = try await connection.run(ReconciliationRun.find(id)) else {
                return .failure(.noSuchRun(id))
            }
            guard run.status == .completed else { return .failure(.runNotCompleted(id, run.status)) }
        } else {
            guard let run = try await connection.run(ReconciliationRun.lastCompleted) else {
                return .failure(.noCompletedRun)
            }
            request.run = run.id
        }
        return .success(request)
    }
}
