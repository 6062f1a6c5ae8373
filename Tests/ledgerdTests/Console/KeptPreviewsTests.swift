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

    private static func preview(on terms: KeptPreviews.Terms = terms) -> AdjustmentPreview {
        AdjustmentPreview(policies: terms.policies, cohorts: [], booked: terms.booked)
    }

    /// Computes the preview of the start, and waits until it is kept.
    private func keep(in previews: KeptPreviews) async throws {
        try await eventually("the preview is kept") {
            try await previews.find(.breakage, of: Self.month, on: Self.terms, now: Self.start) { Self.preview() }
                != nil
        }
    }

    /// Whether a page `seconds` after another one has that one's preview; otherwise one is computed for it.
    private func isKept(
        after seconds: TimeInterval = 599, _ subject: AccountingPolicy.Subject = .breakage,
        in month: CivilMonth = month, on terms: KeptPreviews.Terms? = terms
    ) async throws -> Bool {
        let previews = KeptPreviews()
        try await keep(in: previews)
        let reads = Mutex(0)
        let now = Self.start.addingTimeInterval(seconds)
        let read = { @Sendable in
            reads.withLock { $0 += 1 }
            return Self.preview(on: terms ?? Self.terms)
        }
        let first = try await previews.find(subject, of: month, on: terms, now: now, read)
        guard first == nil else {
            #expect(first?.asOf == Self.start && reads.withLock { $0 } == 0)
            return true
        }
        try await eventually("the new preview is kept") {
            let found = try await previews.find(subject, of: month, on: terms ?? Self.terms, now: now, read)
            guard let found else { return false }
            #expect(found.asOf == now, "not the one before")
            return true
        }
        #expect(reads.withLock { $0 } == 1)
        return false
    }

    @Test func `a preview of many purchases is kept for ten minutes`() async throws {
        #expect(try await isKept())
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

    @Test func `pages that ask for the same preview do not wait for it, and share it`() async throws {
        let previews = KeptPreviews()
        let reads = Mutex(0)
        let (finished, continuation) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<3 {
            let found = try await previews.find(.breakage, of: Self.month, on: Self.terms, now: Self.start) {
                reads.withLock { $0 += 1 }
                for await _ in finished {}
                return Self.preview()
            }
            #expect(found == nil)
        }
        continuation.finish()
        try await keep(in: previews)
        #expect(reads.withLock { $0 } == 1)
    }

    @Test func `one page shows the error of a preview, and the next one computes it again`() async throws {
        let previews = KeptPreviews()
        var isShown = false
        try await eventually("a page shows the error") {
            do {
                let found = try await previews.find(.breakage, of: Self.month, on: Self.terms, now: Self.start) {
                    throw CancellationError()
                }
                #expect(found == nil)
            } catch is CancellationError {
                isShown = true
            }
            return isShown
        }
        try await keep(in: previews)
    }
}
