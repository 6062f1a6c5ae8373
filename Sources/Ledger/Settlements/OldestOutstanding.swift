package import Foundation
import Postgres

extension Settlements {
    /// The number of payments of which ``oldestOutstanding(at:)`` tells the age.
    package static let mostOldest: Int64 = 10_000

    /// What is outstanding of the oldest 10,000 payments, by age: those that somebody has to ask about.
    ///
    /// Reads them by `purchase_unsettled_by_time`.
    ///
    /// ``outstandingByAge(at:)`` adds up all of them, which takes as long as there are many.
    package func oldestOutstanding(at now: Date) async throws(LedgerError) -> [OutstandingAge] {
        let oldest = OpenWork.unsettledPayments.first(Self.mostOldest)
        return try await reading { try await pools.reads.run(OutstandingAge.list(at: now, of: oldest)) }
    }
}
