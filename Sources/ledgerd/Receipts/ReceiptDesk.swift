import Ledger
import Logging
import PGVerifier

/// Takes receipts from users: has them credited and keeps those that can't be decided yet.
struct ReceiptDesk: Sendable {
    let crediter: ReceiptCrediter
    let ledger: Ledger
    /// What one user may have at work.
    let limit: PerUserLimit
    /// What one user may present in vain.
    let budget: RefusalBudget

    /// Has a receipt credited; one that has to wait is kept, so that it is credited even if nobody asks again.
    ///
    /// - Throws: ``Problem`` for a refusal, and when too many of the user's receipts wait, are at work or were presented in
    ///   vain; ``LedgerError``.
    func present(_ receipt: Receipt, by user: UserID) async throws -> Presented {
        try budget.check(user)
        switch try await limit.run(for: user, { try await crediter.credit(receipt, to: user) }) {
        case .credited(let credited, let isRepeat): return .credited(credited, isRepeat: isRepeat)
        case .refused(let refusal):
            if refusal == .payment(.paymentNotFound), try await !crediter.isOrdered(receipt, by: user) {
                try await budget.charge(user)
            }
            throw Problem(Problem.Code(refusal))
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
