extension CancelOrder {
    /// The reason as it is sent, the order's key first, so that its cancellation is known again later: V1 knows no
    /// idempotency key, and V2 forgets it after three hours.
    ///
    /// At most 256 characters (PortOne V1 contract, cancel); whoever cuts it shorter leaves the key.
    var markedReason: String {
        String((mark + " " + reason).unicodeScalars.prefix(256).map(Character.init))
    }

    private var mark: String { "[\(key)]" }

    /// What would keep the order from ever being carried out.
    var flaw: CancelRefusal? {
        guard amount > 0 else { return CancelRefusal(.invalidAmount, message: "nothing is to be cancelled") }
        guard amount <= believedBalance else {
            return CancelRefusal(.invalidAmount, message: "more is to be cancelled than is left")
        }
        return nil
    }

    /// The cancellation by which this order was carried out, if the payment shows one that bears the order's key.
    public func cancellation(markedIn payment: GatewayPayment) -> GatewayCancellation? {
        payment.cancellations.last { $0.status == .succeeded && $0.reason?.contains(mark) == true }
    }

    /// What the payment tells of this order; nil when nothing.
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

    /// The cancellation that bears the order's mark; else the newest, if it and the balance are what this order would
    /// have left, and the gateway answered with it or kept no reason at all.
    ///
    /// Should a cancellation without a reason have been made by hand at the same moment, the money went back all the
    /// same, and it is booked once, by its id.
    private func cancellation(in payment: GatewayPayment, _ isAnswer: Bool) -> GatewayCancellation? {
        if let marked = payment.cancellations.last(where: { $0.reason?.contains(mark) == true }) { return marked }
        guard let newest = payment.cancellations.last, isAnswer || newest.reason == nil, newest.status == .succeeded,
            newest.amount == amount, payment.balance == believedBalance - amount
        else { return nil }
        return newest
    }

    /// Why the gateway refused, by the payment as it stands and not by the gateway's words, which differ.
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
