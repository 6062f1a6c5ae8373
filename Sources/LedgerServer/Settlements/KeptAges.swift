package import Foundation
package import Ledger

/// What is outstanding by the age of the payments; of many payments, the sums are kept for ten minutes.
///
/// All of them are added up, which takes half a second for each million. Finance asks about weeks.
package actor KeptAges {
    /// The sums of a moment.
    package struct Ages: Sendable, Equatable {
        package let asOf: Date
        package let ages: [OutstandingAge]
    }

    private var kept: Ages?
    private static let patience: TimeInterval = 600

    package init() {}

    /// The sums of now, or of a moment in the last ten minutes if they are of more than ``Settlements/mostOldest`` payments.
    ///
    /// - Parameter read: reads the sums of now.
    package func list(now: Date, _ read: @Sendable () async throws -> [OutstandingAge]) async throws -> Ages {
        if let kept, (0..<Self.patience).contains(now.timeIntervalSince(kept.asOf)) { return kept }
        let found = Ages(asOf: now, ages: try await read())
        let payments = found.ages.reduce(0) { $0 + $1.payments }
        kept = payments > Settlements.mostOldest ? found : nil
        return found
    }
}
