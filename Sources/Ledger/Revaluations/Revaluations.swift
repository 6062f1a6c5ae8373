package import CivilTime
package import Foundation
import Postgres

/// Revaluations of what is open in foreign currencies, at the ends of months.
///
/// `docs/month-end.md` explains them with an example.
package struct Revaluations: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The act that books the revaluation of a month: the database measures what it comes from.
    ///
    /// - Parameter zone: of the months.
    /// - Returns: nil: the currency has no rate in the last seven days of the month.
    package func revaluation(
        of currency: ForeignCurrency, in month: CivilMonth, _ zone: TimeZone, key: CallerKey
    ) async throws(LedgerError) -> BookRevaluation? {
        let act = BookRevaluation(idempotencyKey: key, currency: currency, month: month, zone: zone)
        return try await reading {
            try await pools.writes.run(Revaluation.hasRate(act.touch)) ? act : nil
        }
    }

    /// What would be booked of a month now.
    package func preview(
        of currency: ForeignCurrency, in month: CivilMonth, _ zone: TimeZone
    ) async throws(LedgerError) -> RevaluationPreview {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (rate, found) = try await connection.pipeline(
                    Rate.atEnd(of: month, in: currency),
                    RevaluationPreview.measure(currency, before: month.next.start(in: zone)))
                return RevaluationPreview(rate: rate, open: found.open, carried: found.carried)
            }
        }
    }

    /// What is not booked of the months that were over at a moment, since the closing before it, oldest month first.
    package func missing(
        until: Date, in zone: TimeZone, limit: Int
    ) async throws(LedgerError) -> [MissingRevaluation] {
        try await reading {
            try await pools.missing(before: until) { from in
                MissingRevaluation.list(from: from, until: until, in: zone, limit: limit)
            }
        }
    }

    /// The revaluation with this id; nil: not found.
    package func find(_ id: Int64) async throws(LedgerError) -> Revaluation? {
        try await reading { try await pools.writes.run(Revaluation.find(id)) }
    }

    /// Revaluations, the last one first.
    package func list(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Revaluation, After<Int64>> {
        try await reading {
            Page(try await pools.reads.run(Revaluation.list(before: cursor?.id, limit: limit)), limit: limit)
        }
    }
}
