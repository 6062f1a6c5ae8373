import CivilTime
import Foundation
import Ledger

/// Previews of adjustments; those of many purchases are kept for ten minutes.
///
/// A preview reads the purchases and lots of all months, which takes seconds with millions. The act reads them again,
/// and books nothing if it finds other sums than the person saw.
actor KeptPreviews {
    /// What a preview says besides what is in the books' purchases: one that says something else no longer holds.
    struct Terms: Sendable, Equatable {
        let policies: PoliciesInForce
        /// The account's balance before.
        let booked: Int64
    }

    /// The preview of a moment.
    struct Kept: Sendable, Equatable {
        let asOf: Date
        let preview: AdjustmentPreview
    }

    private struct Key: Hashable {
        let subject: AccountingPolicy.Subject
        let month: CivilMonth
    }

    private var kept: [Key: Kept] = [:]
    private static let patience: TimeInterval = 600
    /// A preview of fewer purchases is computed for each page.
    private static let fewest: Int64 = 10_000

    /// The preview of now, or of a moment in the last ten minutes if it is of many purchases and its terms still hold.
    ///
    /// - Parameters:
    ///   - terms: those of now; nil: the preview is of now in any case.
    ///   - read: computes the preview.
    func find(
        _ subject: AccountingPolicy.Subject, of month: CivilMonth, on terms: Terms?, now: Date,
        _ read: @Sendable () async throws -> AdjustmentPreview
    ) async throws -> Kept {
        let key = Key(subject: subject, month: month)
        kept = kept.filter { (0..<Self.patience).contains(now.timeIntervalSince($0.value.asOf)) }
        if let found = kept[key], found.preview.terms == terms { return found }
        let found = Kept(asOf: now, preview: try await read())
        let purchases = found.preview.cohorts.reduce(0) { $0 + $1.cohort.purchases }
        kept[key] = purchases > Self.fewest ? found : nil
        return found
    }
}

extension AdjustmentPreview {
    fileprivate var terms: KeptPreviews.Terms { KeptPreviews.Terms(policies: policies, booked: booked) }
}
