package import CivilTime
package import Foundation
import Postgres

/// Revaluations of what is open in foreign currencies, at the ends of months.
///
/// `docs/month-end.md` explains them with an example.
package struct Revaluations: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The act that books the revaluation of a month.
    ///
    /// The database measures what is open. That reads all postings since the month's end, so it can take minutes; callers wait for each
    /// other.
    ///
    /// - Parameter zone: of the months.
    /// - Returns: nil: the currency has no rate in the last seven days of the month.
    package func revaluation(
        of currency: ForeignCurrency, in month: CivilMonth, _ zone: TimeZone, key: CallerKey
    ) async throws(LedgerError) -> BookRevaluation? {
        let touch = RevaluationTouch(currency: currency, month: month, zone: zone)
        return try await reading {
            guard try await pools.writes.run(Revaluation.hasRate(touch)) else { return nil }
            let measured = try await pools.adjusting.run(RevaluationBasis.measure(touch))
            return BookRevaluation(
                idempotencyKey: key, currency: currency, month: month, zone: zone, measuredFrom: measured)
        }
    }

    /// What is not booked of the months that were over at a moment, since the closing before it, oldest month first.
    ///
    /// - Parameter isMeasured: only months at whose end something is open, with what would be booked now. This reads all postings since
    ///   the end of the first one. Otherwise also months at whose end nothing is open, and without figures.
    package func missing(
        until: Date, in zone: TimeZone, limit: Int, isMeasured: Bool = true
    ) async throws(LedgerError) -> [MissingRevaluation] {
        try await reading {
            try await pools.reads.withConnection { connection in
                let from = try await connection.run(ClosingChecklist.start(until: until))
                var found = try await connection.run(
                    MissingRevaluation.list(
                        from: from, until: until, in: zone, limit: limit, isMeasured: isMeasured))
                for place in found.indices {
                    let (month, currency) = (found[place].month, found[place].currency)
                    found[place].rate = try await connection.run(Rate.atEnd(of: month, in: currency))
                }
                return found
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
