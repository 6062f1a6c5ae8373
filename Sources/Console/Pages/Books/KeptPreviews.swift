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

    private enum State {
        case underWay
        /// Computed from the books of this moment, or failed.
        case ended(Date, Result<AdjustmentPreview, any Error>)

        func isRecent(at now: Date) -> Bool {
            guard case .ended(let asOf, _) = self else { return true }
            return (0..<600).contains(now.timeIntervalSince(asOf))
        }
    }

    private var states: [Key: State] = [:]
    /// In books of no more purchases, each page computes its preview.
    static let fewPurchases: Int64 = 10_000

    /// A preview of the last ten minutes whose terms still hold, and its moment; nil: it is being computed, ask again.
    ///
    /// - Parameters:
    ///   - terms: those of now; nil: the kept preview is dropped, and computed again.
    ///   - read: computes the preview.
    /// - Throws: what `read` threw, once.
    func find(
        _ subject: AccountingPolicy.Subject, of month: CivilMonth, on terms: Terms?, now: Date,
        _ read: @escaping @Sendable () async throws -> AdjustmentPreview
    ) throws -> (preview: AdjustmentPreview, asOf: Date)? {
        let key = Key(subject: subject, month: month)
        states = states.filter { $0.value.isRecent(at: now) }
        switch states[key] {
        case .underWay: return nil
        case .ended(let asOf, .success(let preview)) where preview.terms == terms: return (preview, asOf)
        case .ended(_, .failure(let error)):
            states[key] = nil
            throw error
        case .ended, nil: break
        }
        states[key] = .underWay
        // Not a child task, because the page is shown before it ends.
        Task {
            do { states[key] = .ended(now, .success(try await read())) } catch {
                states[key] = .ended(now, .failure(error))
            }
        }
        return nil
    }
}

extension AdjustmentPreview {
    fileprivate var terms: KeptPreviews.Terms { KeptPreviews.Terms(policies: policies, booked: booked) }
}
