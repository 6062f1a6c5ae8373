package import Foundation
import Postgres

/// Closes periods, and reads closings.
package struct ClosedPeriods: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Closes everything that is effective before a moment.
    ///
    /// Running batches are committed first. Later batches post nothing before the moment.
    ///
    /// - Throws: ``LedgerError/Code/unavailable`` also when it waits too long for a running batch.
    package func close(until: Date, by closer: String) async throws(LedgerError) -> Closing {
        try await reading {
            do {
                return .closed(try await pools.writes.run(ClosedPeriod.close(until: until, by: closer)))
            } catch let error as PostgresError {
                return try await refused(error, until)
            }
        }
    }

    /// What PostgreSQL's refusal of a closing means.
    ///
    /// - Throws: the error, if it is no refusal.
    func refused(_ error: PostgresError, _ until: Date) async throws -> Closing {
        switch error.constraint {
        case "closed_period_is_over": return .notOver
        case "closed_period_goes_forward": return try await standing(until)
        default: throw error
        }
    }

    private func standing(_ until: Date) async throws -> Closing {
        if let same = try await pools.writes.run(ClosedPeriod.find(until: until)) { return .already(same) }
        guard let last = try await pools.writes.run(ClosedPeriod.history(in: .always, before: nil, limit: 1)).first
        else {
            throw LedgerError(.fault, "a closing was refused because of another one, but there is none")
        }
        return .behind(last)
    }

    /// The closings of the period, newest first.
    package func list(
        in period: Period = .always, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ClosedPeriod, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(ClosedPeriod.history(in: period, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }
}
