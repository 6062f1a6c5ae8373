import CivilTime
import Foundation
import Ledger

/// Previews of adjustments in books of many purchases: they are computed beside the pages, and kept for ten minutes.
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

    private struct Key: Hashable {
        let subject: AccountingPolicy.Subject
        let month: CivilMonth
    }

    /// What became of reading a preview.
    private struct Kept {
        let asOf: Date
        let result: Result<AdjustmentPreview, any Error>
    }

    private var kept: [Key: Kept] = [:]
    private var underWay: Set<Key> = []
    private static let patience: TimeInterval = 600
    /// In books of no more purchases, each page computes its preview.
    static let fewPurchases: Int64 = 10_000

    /// A preview of the last ten minutes whose terms still hold, and its moment; nil: it is being computed, ask again.
    ///
    /// - Parameters:
    ///   - terms: those of now; nil: only a preview that is not finished yet will do.
    ///   - read: computes the preview.
    /// - Throws: what `read` threw, once.
    func find(
        _ subject: AccountingPolicy.Subject, of month: CivilMonth, on terms: Terms?, now: Date,
        _ read: @escaping @Sendable () async throws -> AdjustmentPreview
    ) throws -> (preview: AdjustmentPreview, asOf: Date)? {
        let key = Key(subject: subject, month: month)
        kept = kept.filter { (0..<Self.patience).contains(now.timeIntervalSince($0.value.asOf)) }
        switch kept[key]?.result {
        case .success(let preview) where preview.terms == terms: return kept[key].map { (preview, $0.asOf) }
        case .failure(let error):
            kept[key] = nil
            throw error
        case .success, nil: break
        }
        if underWay.insert(key).inserted {
            // Not a child task, because the page is shown before it ends.
            Task {
                let result: Result<AdjustmentPreview, any Error>
                do { result = .success(try await read()) } catch { result = .failure(error) }
                kept[key] = Kept(asOf: now, result: result)
                underWay.remove(key)
            }
        }
        return nil
    }
}

extension AdjustmentPreview {
    fileprivate var terms: KeptPreviews.Terms { KeptPreviews.Terms(policies: policies, booked: booked) }
}
