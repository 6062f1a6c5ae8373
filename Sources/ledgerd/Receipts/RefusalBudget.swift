import Foundation
import Ledger
import Synchronization

/// Bounds how many receipts that the gateway knows nothing of one user may present: whoever guesses ids is stopped.
///
/// The database counts, so that all processes share the bound. A user whose budget is not spent costs nothing here; one
/// whose is spent may try once more at each process, which learns of it by that.
final class RefusalBudget: Sendable {
    private let refusals: ReceiptRefusals
    private let limit: Int64
    private let spent = Mutex<[UserID: Date]>([:])

    /// How long a budget is for.
    private static let window: Duration = .seconds(3600)
    /// How many users are remembered; the database remembers the others.
    private static let mostRemembered = 10_000

    init(_ refusals: ReceiptRefusals, limit: Int) {
        self.refusals = refusals
        self.limit = Int64(limit)
    }

    /// Refuses a user whose budget is spent.
    ///
    /// - Throws: `too_many_refused_receipts`.
    func check(_ user: UserID, now: Date = Date()) throws(Problem) {
        guard let end = spent.withLock({ $0[user] }), end > now else { return }
        throw .tooManyRefusedReceipts(until: end, now: now)
    }

    /// Counts a receipt of a user that the gateway knew nothing of.
    ///
    /// - Throws: `too_many_refused_receipts` when it was more than the budget, whatever the gateway said of it;
    ///   ``LedgerError``.
    func charge(_ user: UserID) async throws {
        let count = try await refusals.add(of: user, window: Self.window)
        guard count.refused >= limit else { return }
        remember(user, until: count.endsAt)
        if count.refused > limit { throw Problem.tooManyRefusedReceipts(until: count.endsAt, now: Date()) }
    }

    private func remember(_ user: UserID, until end: Date) {
        spent.withLock { spent in
            if spent.count >= Self.mostRemembered {
                let now = Date()
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
