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
    /// What becomes of purchases in a store's sandbox.
    let trials: StoreTrials

    /// Credits a receipt.
    ///
    /// A waiting receipt is stored, so that it is credited even if it is never presented again. One that is signed as a
    /// test is not.
    ///
    /// - Throws: ``Problem`` for a refusal, and if too many of the user's receipts are waiting, running or unknown;
    ///   ``LedgerError``.
    ///
    /// - Parameter isTest: whether the payment is one of the test channel, as the gateway signed it; nil: nothing is signed.
    func present(_ receipt: Receipt, by user: UserID, signedAsTest isTest: Bool? = nil) async throws -> Accepted {
        try budget.check(user)
        // A stored receipt does not tell what was signed: later, the other channel's payment could have its id.
        let outcome = try await limit.run(for: user) {
            try await crediter.credit(receipt, to: user, keepsWaiting: isTest != true, signedAsTest: isTest)
        }
        switch outcome {
        case .credited(let credited, let isRepeat): return .credited(credited, isRepeat: isRepeat)
        case .given(let free, let isRepeat): return .given(free, isRepeat: isRepeat)
        case .waiting(let reason): return .waiting(reason, isKept: isTest != true && reason.mayEnd)
        case .refused(.testPayment(let payment)) where trials.apply(at: receipt.gatewayName):
            return try await limit.run(for: user) {
                try await trials.tryOut(payment, presentedAs: receipt, by: user, with: crediter)
            }
        case .refused(let refusal):
            if refusal == .payment(.paymentNotFound), try await !crediter.isOrdered(receipt, by: user) {
                try await budget.charge(user)
            }
            throw try await crediter.problem(of: refusal, asked: receipt)
        }
    }

    /// The receipt that a client presents.
    ///
    /// What a gateway signs is verified without a call. Who has only its id can have read that in a mail, so a service alone may
    /// present it.
    ///
    /// - Returns: the receipt, and whether the payment is one of the test channel, if that is signed.
    /// - Throws: ``Problem``.
    func receipt(in body: ReceiptRequestBody, fromService: Bool) async throws -> (Receipt, isTest: Bool?) {
        let presented = GatewayConfiguration.known.lazy.compactMap { $0.signedReceipt(in: body) }.first
        if let presented, let data = presented.data {
            guard let gateway = crediter.gateways.signer(named: presented.gateway) else { throw Problem(.gatewayOff) }
            do throws(SignedDataError) {
                let signed = try await gateway.receipt(signed: data)
                return (signed.receipt, signed.isTest)
            } catch {
                throw Problem(error)
            }
        }
        if let presented, !fromService {
            throw Problem.missingMember(
                presented.pointer + "/signed_transaction",
                "\(presented.pointer) needs what the app has signed by the store")
        }
        return (try body.receipt { crediter.gateways.gateway(for: $0) != nil }, nil)
    }

    /// The result of a receipt that was not refused.
    enum Accepted: Sendable {
        /// The payment is credited, now or before.
        case credited(Credited, isRepeat: Bool)
        /// A store sold it for nothing, and it gave bonus coins, now or before.
        case given(FreeCredit, isRepeat: Bool)
        /// A purchase in a store's sandbox gave bonus coins, now or before.
        case tried(StoreTrial, isRepeat: Bool)
        /// It is not decided yet. The receipt is stored and will be retried; one of a store's sandbox, or that a person has to
        /// decide about, is not stored.
        case waiting(WaitReason, isKept: Bool)
    }
}

extension WaitReason {
    /// The delays of retries.
    var backoff: Backoff {
        switch self {
        case .gatewayUnavailable: .gatewayUnavailable
        case .awaitingPayment, .unknownStatus, .cancellationPending, .unknownStoreProduct, .priceNotBookable,
            .worthOutOfRange:
            .awaitingPayment
        case .claimPending: .claimPending
        }
    }

    /// Whether the payment may be credited later without a decision of a person.
    var mayEnd: Bool { self != .worthOutOfRange }

    /// Whether the gateway has confirmed the payment, so that users can't make up receipts that wait for this.
    var isOfPaid: Bool { self == .priceNotBookable }
}
