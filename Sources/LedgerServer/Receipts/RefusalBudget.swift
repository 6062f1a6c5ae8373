import Foundation
import Ledger
import Synchronization
import Timing

/// Limits the receipts of a user that the gateway does not know, to stop users who guess ids.
///
/// The database counts them, so that all processes share the limit. This process only remembers users who have reached
/// it; each process learns that at the user's next such receipt.
final class RefusalBudget: Sendable {
    private let refusals: ReceiptRefusals
    private let limit: Int64
    private let spent = Mutex<[UserID: Date]>([:])

    /// The period of the limit.
    private static let window: Duration = .seconds(3600)
    /// The maximum number of remembered users.
    private static let mostRemembered = 10_000

    init(_ refusals: ReceiptRefusals, limit: Int) {
        self.refusals = refusals
        self.limit = Int64(limit)
    }

    /// Refuses a user who has reached the limit.
    ///
    /// - Throws: `too_many_refused_receipts`.
    func check(_ user: UserID, now: Date = Time.current.now) throws(Problem) {
        guard let end = spent.withLock({ $0[user] }), end > now else { return }
        throw .tooManyRefusedReceipts(until: end, now: now)
    }

    /// Counts a receipt that the gateway does not know.
    ///
    /// - Throws: `too_many_refused_receipts` if the receipt exceeds the limit; ``LedgerError``.
    func charge(_ user: UserID) async throws {
        let count = try await refusals.add(of: user, window: Self.window)
        guard count.refused >= limit else { return }
        remember(user, until: count.endsAt)
        if count.refused > limit { throw Problem.tooManyRefusedReceipts(until: count.endsAt, now: Time.current.now) }
    }

    private func remember(_ user: UserID, until end: Date) {
        spent.withLock { spent in
            if spent.count >= Self.mostRemembered {
                let now = Time.current.now
                spent = spent.filter { $0.value > now }
                if spent.count >= Self.mostRemembered, let one = spent.keys.first { spent[one] = nil }
            }
            spent[user] = end
        }
    }
}

extension Problem {
    fileprivate static func tooManyRefusedReceipts(until end: Date, now: Date) -> Problem {
        let seconds = max(1, Int(end.timeIntervalSince(now).rounded(.up)))
        return Problem(.tooManyRefusedReceipts, headers: [.retryAfter: String(seconds)])
    }
}
