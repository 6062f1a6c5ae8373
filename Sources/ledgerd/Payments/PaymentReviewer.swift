import Ledger
import PGVerifier

/// Brings the books in line with what a gateway says of a payment that nobody is presenting just now.
///
/// Webhooks and the sweep end here. Who gets the coins of a payment is never told by the gateway: a payment of an order is
/// the order's user's, one that somebody has presented is given to the receipts' retries, and any other waits as a
/// finding until somebody presents it.
struct PaymentReviewer: Sendable {
    let verifier: ReceiptVerifier

    private var ledger: Ledger { verifier.ledger }

    /// What a review came to.
    enum Review: Sendable, Equatable {
        /// The books say what the gateway says.
        case agrees
        /// A cancellation was followed.
        case clawedBack
        /// It is paid, and was credited to the user of its order.
        case credited
        /// It is paid, and its order does not take it.
        case refused
        /// More of it is cancelled than the books say, and a refund that is pending may be why.
        case refundPending
        /// It is paid, and its receipt waits: it is asked again at once.
        case expedited
        /// It is paid, and nobody has claimed it.
        case unclaimed
        /// Nothing was paid yet.
        case nothingPaid
        /// It is cancelled or failed, and was never credited.
        case nothingCredited
        /// The gateway knows no such payment.
        case unknownPayment
        /// The gateway can't be asked, or is off.
        case gatewayUnavailable
    }

    /// Asks the gateway about a payment and follows what it says.
    func review(_ receipt: Receipt) async throws(LedgerError) -> Review {
        guard let gateway = verifier.gateways.gateway(for: receipt) else { return .gatewayUnavailable }
        do {
            return try await follow(try await gateway.payment(for: receipt))
        } catch let error as GatewayError {
            return error.isDefinite && error.code == .notFound ? .unknownPayment : .gatewayUnavailable
        } catch let error as LedgerError {
            throw error
        } catch {
            preconditionFailure("unexpected \(error)")
        }
    }

    /// Follows what the gateway said of a payment.
    func follow(_ payment: GatewayPayment) async throws(LedgerError) -> Review {
        let identity = PaymentIdentity(payment)
        if let purchase = try await ledger.purchase(of: identity) {
            return try await follow(payment, credited: purchase)
        }
        // The test channel takes no money: nobody has to look for whose it is.
        guard payment.isTest != true || verifier.policy.allowTestPayments else { return .nothingPaid }
        switch payment.status {
        case .ready, .unknown: return .nothingPaid
        case .paid where payment.cancelledAmount == 0: return try await claim(payment, identity)
        case .cancelled where payment.cancelledAmount < payment.amount && payment.cancelledAmount > 0,
            .partiallyCancelled, .paid:
            try await note(.partiallyCancelled, payment, identity)
            return .nothingCredited
        case .cancelled, .failed:
            try await ledger.findings.resolve(identity)
            return .nothingCredited
        }
    }

    private func follow(_ payment: GatewayPayment, credited purchase: Purchase) async throws(LedgerError) -> Review {
        guard payment.cancelledInAll > purchase.refundedAmount else { return .agrees }
        let command = ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: payment.cancelledInAll)
        let answer = try await ledger.submit(.clawBack(command))
        switch answer.outcome {
        case .clawedBack(let clawedBack):
            if try await isRefunding(clawedBack.purchase, payment) { return .refundPending }
            return answer.isRepeat ? .agrees : .clawedBack
        case .refused: return .agrees
        default: preconditionFailure("a claw-back is never answered with another act")
        }
    }

    /// Whether a pending refund of the purchase has to account for the rest that is cancelled: it is worked on at once.
    private func isRefunding(_ purchase: Purchase, _ payment: GatewayPayment) async throws(LedgerError) -> Bool {
        guard min(payment.cancelledInAll, purchase.amount) > purchase.refundedAmount else { return false }
        return try await ledger.refunds.expedite(ofPurchase: purchase.id)
    }

    private func claim(_ payment: GatewayPayment, _ identity: PaymentIdentity) async throws(LedgerError) -> Review {
        let waits = try await expedite(identity)
        let receipt = try? Receipt(
            gateway: identity.gateway, impUID: identity.impUID, merchantUID: identity.merchantUID)
        if let receipt, let order = try await ledger.orders.order(named: identity.merchantUID) {
            return try await verify(receipt, of: order)
        }
        if waits { return .expedited }
        try await note(.unclaimed, payment, identity)
        return .unclaimed
    }

    /// Verifies a payment as if its order's user had presented it: the order says who that is.
    private func verify(_ receipt: Receipt, of order: Order) async throws(LedgerError) -> Review {
        switch try await verifier.verify(receipt, for: order.user) {
        case .credited: .credited
        case .refused: .refused
        case .waiting(.gatewayUnavailable): .gatewayUnavailable
        case .waiting: .nothingPaid
        }
    }

    /// Has the receipts of a payment asked again, under whichever name they wait.
    private func expedite(_ identity: PaymentIdentity) async throws(LedgerError) -> Bool {
        if try await ledger.retries.expedite(identity) > 0 { return true }
        guard let presented = identity.asPresented else { return false }
        return try await ledger.retries.expedite(presented) > 0
    }

    private func note(
        _ kind: Finding.Kind, _ payment: GatewayPayment, _ identity: PaymentIdentity
    ) async throws(LedgerError) {
        try await ledger.findings.note(
            kind, identity, of: nil, amount: payment.amount, currency: payment.currency)
    }
}

extension GatewayPayment {
    /// What of it went back.
    ///
    /// A payment said to be cancelled without an amount went back whole.
    var cancelledInAll: Int64 {
        status == .cancelled && cancelledAmount == 0 ? amount : cancelledAmount
    }
}
