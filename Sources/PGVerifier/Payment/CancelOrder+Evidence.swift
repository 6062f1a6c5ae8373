extension CancelOrder {
    /// The reason as sent, with the order's key in front, so that its cancellation can be recognised later.
    ///
    /// V1 has no idempotency key, and V2 forgets it after three hours.
    ///
    /// At most 256 characters (PortOne V1 contract, cancel); a shorter cut keeps the key.
    var markedReason: String {
        String((mark + " " + reason).unicodeScalars.prefix(256).map(Character.init))
    }

    private var mark: String { "[\(key)]" }

    /// The reason why the order can never be carried out; nil if there is none.
    var flaw: CancelRefusal? {
        guard amount > 0 else { return CancelRefusal(.invalidAmount, message: "the amount to cancel is zero") }
        guard amount <= believedBalance else {
            return CancelRefusal(.invalidAmount, message: "the amount to cancel exceeds the balance")
        }
        return nil
    }

    /// The cancellation that carried this order out: the one with the order's key in its reason.
    public func cancellation(markedIn payment: GatewayPayment) -> GatewayCancellation? {
        payment.cancellations.last { $0.status == .succeeded && $0.reason?.contains(mark) == true }
    }

    /// The outcome of this order that the payment shows; nil if it shows none.
    ///
    /// - Parameter isAnswer: whether the gateway showed the payment as its answer to this very order.
    func outcome(in payment: GatewayPayment, isAnswer: Bool = false) -> CancelOutcome? {
        guard let ours = cancellation(in: payment, isAnswer) else { return nil }
        switch ours.status {
        case .succeeded: return .done(ours)
        case .requested, .unknown: return .pending(ours)
        case .failed: return .refused(CancelRefusal(.refusedByGateway, message: "the cancellation failed"))
        }
    }

    /// The cancellation with the order's key.
    ///
    /// Without one, the newest cancellation, if it and the balance are what this order would have left, and the gateway
    /// returned it as the answer or stored no reason.
    ///
    /// If somebody made a cancellation without a reason at the same moment, the money still went back, and it is booked
    /// once, by its id.
    private func cancellation(in payment: GatewayPayment, _ isAnswer: Bool) -> GatewayCancellation? {
        if let marked = payment.cancellations.last(where: { $0.reason?.contains(mark) == true }) { return marked }
        guard let newest = payment.cancellations.last, isAnswer || newest.reason == nil, newest.status == .succeeded,
            newest.amount == amount, payment.balance == believedBalance - amount
        else { return nil }
        return newest
    }

    /// Why the gateway refused.
    ///
    /// The state of the payment decides, because the gateway's texts differ.
    func refusal(by payment: GatewayPayment, _ error: GatewayError) -> CancelRefusal {
        let reason: CancelRefusal.Reason =
            switch payment.status {
            case .ready, .failed: .paymentNotPaid
            case _ where payment.balance <= 0: .alreadyCancelled
            case _ where payment.balance != believedBalance: .balanceChanged
            default: .refusedByGateway
            }
        return CancelRefusal(reason, error)
    }
}
