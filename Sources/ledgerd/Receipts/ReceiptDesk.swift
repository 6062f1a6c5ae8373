import Ledger
import Logging
import PGVerifier

/// Takes receipts from users: verifies them and keeps those that can't be decided yet.
struct ReceiptDesk: Sendable {
    let verifier: ReceiptVerifier
    let ledger: Ledger
    /// What one user may have at work.
    let limit: PerUserLimit
    /// What one user may present in vain.
    let budget: RefusalBudget

    /// Verifies a receipt; one that has to wait is kept, so that it is credited even if nobody asks again.
    ///
    /// - Throws: ``Problem`` for a refusal, and when too many of the user's receipts wait, are at work or were presented in
    ///   vain; ``LedgerError``.
    func present(_ receipt: Receipt, by user: UserID) async throws -> Presented {
        try budget.check(user)
        switch try await limit.run(for: user, { try await verifier.verify(receipt, for: user) }) {
        case .credited(let credited, let isRepeat): return .credited(credited, isRepeat: isRepeat)
        case .refused(let code):
            if code == .paymentNotFound, try await !verifier.isOrdered(receipt, by: user) {
                try await budget.charge(user)
            }
            throw Problem(code)
        case .waiting(let reason):
            let delay = reason.backoff.delay(afterAttempts: 0)
            let payment = PaymentIdentity(receipt)
            guard
                try await ledger.retries.keep(payment, of: user, because: reason.rawValue, askAgainAfter: delay)
            else { throw Problem(.tooManyWaitingReceipts) }
            return .waiting(reason)
        }
    }

    /// What a user is told of a receipt that was not refused.
    enum Presented: Sendable {
        /// It is a purchase, now or since before.
        case credited(Credited, isRepeat: Bool)
        /// It is kept and asked again.
        case waiting(WaitReason)
    }
}

extension WaitReason {
    /// How soon asking again makes sense.
    var backoff: Backoff {
        switch self {
        case .gatewayUnavailable: .gatewayUnavailable
        case .awaitingPayment, .unknownStatus, .cancellationPending: .awaitingPayment
        case .claimPending: .claimPending
        }
    }
}
