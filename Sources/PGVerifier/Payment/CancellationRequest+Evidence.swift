extension CancellationRequest {
    /// The reason that is sent.
    ///
    /// It begins with the request's key, so that the cancellation can be recognised later: V1 has no idempotency key,
    /// and V2 forgets it after three hours.
    ///
    /// At most 256 characters (PortOne V1 contract, cancel). The key comes first, so a payment company that cuts the
    /// text keeps it.
    var markedReason: String {
        String((mark + " " + reason).unicodeScalars.prefix(256).map(Character.init))
    }

    private var mark: String { "[\(key)]" }

    /// Why the request can never be carried out; nil: it can.
    var flaw: CancellationRefusal? {
        guard amount > 0 else { return CancellationRefusal(.invalidAmount, message: "the amount must be positive") }
        guard amount <= believedBalance else {
            return CancellationRefusal(.invalidAmount, message: "the amount is more than the balance")
        }
        guard (0...amount).contains(taxFree ?? 0) else {
            return CancellationRefusal(.invalidAmount, message: "the tax-free part is not within the amount")
        }
        return nil
    }

    /// The payment's completed cancellation with the request's key; nil: none.
    package func cancellation(markedIn payment: GatewayPayment) -> GatewayCancellation? {
        payment.cancellations.last { $0.status == .succeeded && $0.reason?.contains(mark) == true }
    }

    /// The outcome of this request according to the payment; nil: the payment does not show it.
    ///
    /// - Parameter isAnswer: whether the payment is the gateway's response to this request.
    func outcome(in payment: GatewayPayment, isAnswer: Bool = false) -> CancellationOutcome? {
        guard let ours = cancellation(in: payment, isAnswer) else { return nil }
        switch ours.status {
        case .succeeded: return .done(ours)
        case .requested, .unknown: return .pending(ours)
        case .failed: return .refused(CancellationRefusal(.refusedByGateway, message: "the cancellation failed"))
        }
    }

    /// The cancellation with the request's mark.
    ///
    /// Otherwise the newest one, if its amount and the balance fit this request, and it came with the response to it or
    /// has no reason.
    ///
    /// If somebody made a cancellation without a reason at the same time, the money went back anyway, and the
    /// cancellation is booked once, by its id.
    private func cancellation(in payment: GatewayPayment, _ isAnswer: Bool) -> GatewayCancellation? {
        if let marked = payment.cancellations.last(where: { $0.reason?.contains(mark) == true }) { return marked }
        guard let newest = payment.cancellations.last, isAnswer || newest.reason == nil, newest.status == .succeeded,
            newest.amount == amount, payment.balance == believedBalance - amount
        else { return nil }
        return newest
    }

    /// Why the gateway refused, from the state of the payment: the gateway's messages vary.
    func refusal(by payment: GatewayPayment, _ error: GatewayError) -> CancellationRefusal {
        let reason: CancellationRefusal.Reason =
            switch payment.status {
            case .ready, .failed: .paymentNotPaid
            case _ where payment.balance <= 0: .alreadyCancelled
            case _ where payment.balance != believedBalance: .balanceChanged
            case _ where error.isAboutTaxes: .taxPartsRefused
            default: .refusedByGateway
            }
        return CancellationRefusal(reason, error)
    }
}

extension GatewayError {
    /// Whether the gateway's own check of the taxable and tax-free parts refused: the same request never succeeds.
    ///
    /// Only V2 tells it (PortOne V2 contract, errors).
    fileprivate var isAboutTaxes: Bool {
        switch gatewayType {
        case "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT",
            "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT", "SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT":
            true
        default: false
        }
    }
}
