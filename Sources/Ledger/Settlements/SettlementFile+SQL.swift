import Foundation
import Postgres

extension SettlementFile {
    /// The sums of each file, kept by PostgreSQL as its lines are written (`settlement_file_sum`); those of a file from before
    /// they were kept are added up.
    private static let select = """
        SELECT file.id, file.name, encode(file.sha256, 'hex'), file.imported_by, file.imported_at,
            lines.waiting, lines.settled, lines.unmatched, lines.refused, lines.dismissed,
            lines.gross, lines.fee, lines.tax, lines.net
        FROM settlement_file AS file
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(waiting), 0)::int8 AS waiting, coalesce(sum(settled), 0)::int8 AS settled,
                coalesce(sum(unmatched), 0)::int8 AS unmatched, coalesce(sum(refused), 0)::int8 AS refused,
                coalesce(sum(dismissed), 0)::int8 AS dismissed, coalesce(sum(gross), 0)::int8 AS gross,
                coalesce(sum(fee), 0)::int8 AS fee, coalesce(sum(tax), 0)::int8 AS tax,
                coalesce(sum(net), 0)::int8 AS net
            FROM (
                SELECT waiting, settled, unmatched, refused, dismissed, gross, fee, tax, net
                FROM settlement_file_sum WHERE file_id = file.id AND file.is_summed
                UNION ALL
                SELECT count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'settled'),
                    count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed),
                    count(*) FILTER (WHERE status = 'refused'), count(*) FILTER (WHERE is_dismissed),
                    sum(gross) FILTER (WHERE status = 'settled'), sum(fee) FILTER (WHERE status = 'settled'),
                    sum(tax) FILTER (WHERE status = 'settled'), sum(net) FILTER (WHERE status = 'settled')
                FROM settlement_row WHERE file_id = file.id AND NOT file.is_summed
            ) AS part
        ) AS lines
        """

    /// Inserts a file.
    ///
    /// Returns nil when a file with this content exists.
    static func insert(_ name: String, _ sha256: [UInt8], by importer: String) -> PostgresQuery<Int64?> {
        .first(
            """
            INSERT INTO settlement_file (name, sha256, imported_by) VALUES ($1, $2, $3)
            ON CONFLICT (sha256) DO NOTHING RETURNING id
            """,
            [name, PostgresBytes(sha256), importer])
    }

    static func id(of sha256: [UInt8]) -> PostgresQuery<Int64?> {
        .first("SELECT id FROM settlement_file WHERE sha256 = $1", [PostgresBytes(sha256)])
    }

    static func find(_ id: Int64) -> PostgresQuery<SettlementFile?> {
        .first("\(select) WHERE file.id = $1", [id], row: decode)
    }

    /// Files that were imported in the period, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(in period: Period, before id: Int64?, limit: Int) -> PostgresQuery<[SettlementFile]> {
        PostgresQuery(
            """
            \(select)
            WHERE file.id IN (
                SELECT id FROM settlement_file WHERE id < $1 AND imported_at >= $3 AND imported_at < $4
                ORDER BY id DESC LIMIT $2)
            ORDER BY file.id DESC
            """,
            [id ?? Int64.max, Int64(limit + 1), period.from, period.to], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> SettlementFile {
        SettlementFile(
            id: try row[0], name: try row[1], sha256: try row[2], importedBy: try row[3], importedAt: try row[4],
            lines: [
                .waiting: try row[5], .settled: try row[6], .unmatched: try row[7], .refused: try row[8],
                .dismissed: try row[9],
            ],
            settled: SettlementTotals(gross: try row[10], fee: try row[11], tax: try row[12], net: try row[13]))
    }
}
