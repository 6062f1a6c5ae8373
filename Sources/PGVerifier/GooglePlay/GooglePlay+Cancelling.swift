import Synchronization

extension GooglePlay: CancelsPayments {
    /// Google has no idempotency key.
    package var cancelsOncePerKey: Bool { false }

    /// Refunds the whole order and takes the purchase back (`POST …/orders/{orderId}:refund?revoke=true`).
    ///
    /// Google refunds no part by request, and nothing that is older than three years. With `revoke` it is among the voided
    /// purchases. After an attempt without a response, the order is only read.
    ///
    /// - Throws: ``GatewayError`` if it is unknown whether the order was refunded. If a request may have arrived, the error
    ///   says so.
    package func cancel(_ request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome {
        if let flaw = request.flaw { return .refused(flaw) }
        guard request.amount == request.believedBalance else {
            let message = "Google Play refunds only all that is left"
            return .refused(CancellationRefusal(.partRefused, message: message))
        }
        let token = try request.receipt.purchaseToken
        let unanswered = Mutex<Unanswered?>(nil)
        do throws(GatewayError) {
            return try await client.calls.ask(
                "refund", within: client.configuration.limits.cancelTimeout
            ) { attempt throws(GatewayError) in
                if let sent = unanswered.withLock(\.self) {
                    guard let known = try await outcome(of: request, sent.order, attempt) else { throw sent.error }
                    return known
                }
                let payment = try await client.payment(token, wasKnown: true, attempt)
                if let known = request.outcome(ofWhole: payment) { return known }
                if let refusal = try request.refusal(ofWhole: payment) { return .refused(refusal) }
                let order = try payment.orderID
                return try await refund(order, request, attempt) { error in
                    unanswered.withLock { $0 = Unanswered(order: order, error: error) }
                }
            }
        } catch {
            // A look-up that fails afterwards must not hide that the request may have arrived.
            throw error.mayHaveBeenCarriedOut ? error : unanswered.withLock { $0?.error } ?? error
        }
    }

    /// A refund that may have been carried out, although the request for it failed.
    private struct Unanswered {
        let order: GooglePlayOrderID
        let error: GatewayError
    }

    /// Reads the order again.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    package func outcome(of request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome? {
        _ = try request.receipt.purchaseToken
        return request.outcome(ofWhole: try await client.look(up: request.receipt, wasKnown: true).get())
    }

    /// By the order: Google may not know the token of a purchase that was taken back.
    private func outcome(
        of request: CancellationRequest, _ order: GooglePlayOrderID, _ attempt: Attempt
    ) async throws(GatewayError) -> CancellationOutcome? {
        request.outcome(ofWhole: try await client.order(order, attempt).payment())
    }

    /// - Parameter unanswered: called if the request may have been carried out, although it failed.
    private func refund(
        _ order: GooglePlayOrderID, _ request: CancellationRequest, _ attempt: Attempt,
        unanswered: (GatewayError) -> Void
    ) async throws(GatewayError) -> CancellationOutcome {
        let limit = client.configuration.limits.cancelTimeout
        let call = GatewayCall(
            method: .post, path: ["orders", order.text], verb: "refund", query: [("revoke", "true")], timeout: limit,
            leastTime: limit / 2, isUnrepeatable: true)
        do throws(GatewayError) {
            _ = try await client.answer(to: call, of: .refund, attempt)
        } catch {
            // The refund was not sent, or Google did not look at it: this error is no refusal of it.
            guard attempt.sent.mayHaveBeenCarriedOut else { throw error }
            unanswered(error)
            guard error.code == .refused else { throw error }
            let now = try await client.order(order, attempt).payment()
            return request.outcome(ofWhole: now) ?? .refused(request.refusal(by: now, error))
        }
        // It is accepted, whatever a look-up says; the order can show it later.
        return (try? await outcome(of: request, order, attempt)) ?? .pending(nil)
    }
}

extension GatewayPayment {
    fileprivate var orderID: GooglePlayOrderID {
        get throws(GatewayError) {
            guard let id = merchantPaymentID.flatMap({ try? GooglePlayOrderID($0) }) else {
                throw GatewayError(.invalidRequest, message: "the purchase has no order")
            }
            return id
        }
    }
}

extension CancellationRequest {
    /// The outcome according to the payment; nil: all that is left is still there.
    ///
    /// An order can be refunded whole once, so it is this request's refund whoever made it: the money went back.
    fileprivate func outcome(ofWhole payment: GatewayPayment) -> CancellationOutcome? {
        if payment.isRestBeingCancelled { return .pending(payment.cancellations.last(where: \.isPending)) }
        return outcome(in: payment, isAnswer: true)
    }

    /// Why the payment can't be refunded as the caller believes; nil: it can.
    ///
    /// - Throws: ``GatewayError/Code/malformedAnswer`` for a state that is not known.
    fileprivate func refusal(ofWhole payment: GatewayPayment) throws(GatewayError) -> CancellationRefusal? {
        switch payment.status {
        case .unknown(let state):
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the purchase is in the state \(state)")
        case .paid where payment.balance == believedBalance: return nil
        case .partiallyCancelled where payment.balance == believedBalance: return nil
        default:
            return refusal(by: payment, GatewayError(.refused, message: "the order is not as it is believed to be"))
        }
    }
}
