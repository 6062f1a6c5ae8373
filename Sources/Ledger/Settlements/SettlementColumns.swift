package import Foundation
import Postgres

/// The columns that a gateway's settlement files have, as a person mapped them last.
package struct SettlementColumns: Sendable, Equatable {
    package let gateway: String
    package let columns: [SettlementMapping.Field: String]
    package let savedBy: String
    package let savedAt: Date
}

extension Settlements {
    /// The columns of each gateway's files, by gateway.
    package func columns() async throws(LedgerError) -> [String: SettlementColumns] {
        let all = try await reading { try await pools.reads.run(SettlementColumns.all) }
        return Dictionary(all.map { ($0.gateway, $0) }) { first, _ in first }
    }

    /// Remembers the columns of a gateway's files, instead of those before.
    package func remember(
        _ mapping: SettlementMapping, of gateway: String, by person: String
    ) async throws(LedgerError) {
        _ = try await reading {
            try await pools.writes.run(SettlementColumns.save(mapping.columns, of: gateway, by: person))
        }
    }
}

extension SettlementColumns {
    /// A gateway is configured, so there are few.
    fileprivate static let all = PostgresQuery<[SettlementColumns]>(
        """
        SELECT gateway, payment_id, gross, fee, tax, net, paid_out_at, saved_by, saved_at, payment_currency,
            payout_rate, payout_won
        FROM settlement_columns ORDER BY gateway LIMIT 100
        """
    ) { row in
        var columns: [SettlementMapping.Field: String] = [:]
        columns[.payment] = try row.decode(1, as: String?.self)
        columns[.gross] = try row.decode(2, as: String?.self)
        columns[.fee] = try row.decode(3, as: String?.self)
        columns[.tax] = try row.decode(4, as: String?.self)
        columns[.net] = try row.decode(5, as: String?.self)
        columns[.paidOutAt] = try row.decode(6, as: String?.self)
        columns[.currency] = try row.decode(9, as: String?.self)
        columns[.payoutRate] = try row.decode(10, as: String?.self)
        columns[.payoutWon] = try row.decode(11, as: String?.self)
        return SettlementColumns(gateway: try row[0], columns: columns, savedBy: try row[7], savedAt: try row[8])
    }

    fileprivate static func save(
        _ columns: [SettlementMapping.Field: String], of gateway: String, by person: String
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO settlement_columns (
                gateway, payment_id, gross, fee, tax, net, paid_out_at, saved_by, payment_currency, payout_rate, payout_won)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (gateway) DO UPDATE
            SET payment_id = excluded.payment_id, gross = excluded.gross, fee = excluded.fee, tax = excluded.tax,
                net = excluded.net, paid_out_at = excluded.paid_out_at, saved_by = excluded.saved_by,
                payment_currency = excluded.payment_currency, payout_rate = excluded.payout_rate,
                payout_won = excluded.payout_won, saved_at = clock_timestamp()
            """,
            [
                gateway, columns[.payment], columns[.gross], columns[.fee], columns[.tax], columns[.net],
                columns[.paidOutAt], person, columns[.currency], columns[.payoutRate], columns[.payoutWon],
            ])
    }
}
