import CivilTime
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Console
@testable import Ledger

/// A preview of very many purchases is not computed for each page, and never shown when it says what no longer holds.
@Suite(.timeLimit(.minutes(20))) struct KeptPreviewsTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let month = sure(CivilMonth("2026-10"))
    private static let terms = KeptPreviews.Terms(policies: policies(1), booked: 500)

    private static func policies(_ id: Int64) -> PoliciesInForce {
        PoliciesInForce(
            breakage: AccountingPolicy(id: id, method: .atExpiry, month: month, setBy: "kim", setAt: start), bonus: nil)
    }

    private static func preview(of purchases: Int64, on terms: KeptPreviews.Terms = terms) -> AdjustmentPreview {
        let cohort = Cohort(
            soldIn: month, purchases: purchases, sold: 0, refunded: 0, used: 0, expired: 0, deferred: 0, allocated: 0)
        return AdjustmentPreview(
            policies: terms.policies, cohorts: [AdjustmentCohort(cohort: cohort, target: 0)], booked: terms.booked)
    }

    /// Whether a page `seconds` after another one has that one's preview.
    private func isKept(
        of purchases: Int64 = 10_001, after seconds: TimeInterval = 599,
        _ subject: AccountingPolicy.Subject = .breakage, in month: CivilMonth = month,
        on terms: KeptPreviews.Terms? = terms
    ) async throws -> Bool {
        let previews = KeptPreviews()
        let first = try await previews.find(.breakage, of: Self.month, on: Self.terms, now: Self.start) {
            Self.preview(of: purchases)
        }
        #expect(first.asOf == Self.start)
        let reads = Mutex(0)
        let now = Self.start.addingTimeInterval(seconds)
        let second = try await previews.find(subject, of: month, on: terms, now: now) {
            reads.withLock { $0 += 1 }
            return Self.preview(of: purchases, on: terms ?? Self.terms)
        }
        let isKept = reads.withLock { $0 } == 0
        #expect(second.asOf == (isKept ? Self.start : now))
        return isKept
    }

    @Test func `a preview of many purchases is kept for ten minutes`() async throws {
        #expect(try await isKept())
        #expect(try await !isKept(of: 10_000))
        #expect(try await !isKept(after: 600))
        #expect(try await !isKept(after: -1), "the clock was set back")
    }

    @Test func `a kept preview has the asked subject, month, policies and balance; some ask for none`() async throws {
        #expect(try await !isKept(.bonus))
        #expect(try await !isKept(in: Self.month.next))
        #expect(try await !isKept(on: KeptPreviews.Terms(policies: Self.policies(2), booked: 500)))
        #expect(try await !isKept(on: KeptPreviews.Terms(policies: Self.policies(1), booked: 501)))
        #expect(try await !isKept(on: nil))
    }
}
