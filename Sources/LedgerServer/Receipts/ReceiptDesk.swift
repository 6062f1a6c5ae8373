import Ledger
import Logging
import PGVerifier

/// Accepts receipts from users: credits them, and stores those that can't be decided yet.
struct ReceiptDesk: Sendable {
    let crediter: ReceiptCrediter
    /// The limit of a user's running requests.
    let limit: PerUserLimit
    /// The limit of a user's unknown receipts.
    let budget: RefusalBudget

    /// Credits a receipt.
    ///
    /// A waiting receipt is stored, so that it is credited even if it is never presented again.
    ///
    /// - Throws: ``Problem`` for a refusal, and if too many of the user's receipts are waiting, running or unknown;
    ///   ``LedgerError``.
    func present(_ receipt: Receipt, by user: UserID) async throws -> Accepted {
        try budget.check(user)
        switch try await limit.run(for: user, { try await crediter.credit(receipt, to: user, keepsWaiting: true) }) {
        case .credited(let credited, let isRepeat): return .credited(credited, isRepeat: isRepeat)
        case .waiting(let reason): return .waiting(reason)
        case .refused(let refusal):
            if refusal == .payment(.paymentNotFound), try await !crediter.isOrdered(receipt, by: user) {
                try await budget.charge(user)
            }
            throw try await crediter.problem(of: refusal, asked: receipt)
        }
    }

    /// The result of a receipt that was not refused.
    enum Accepted: Sendable {
        /// The payment is credited, now or before.
        case credited(Credited, isRepeat: Bool)
        /// The receipt is stored and will be retried.
        case waiting(WaitReason)
    }
}

extension WaitReason {
    /// The delays of retries.
    var backoff: Backoff {
        switch self {
        case .gatewayUnavailable: .gatewayUnavailable
        case .awaitingPayment, .unknownStatus, .cancellationPending: .awaitingPayment
        case .claimPending: .claimPending
        }
    }
}
