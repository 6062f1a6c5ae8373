extension CancellationRequest {
    /// The reason as it is sent, the request's key first, so that its cancellation is known again later: V1 knows no
    /// idempotency key, and V2 forgets it after three hours.
    ///
    /// At most 256 characters (PortOne V1 contract, cancel); whoever cuts it shorter leaves the key.
    var markedReason: String {
        String((mark + " " + reason).unicodeScalars.prefix(256).map(Character.init))
    }

    private var mark: String { "[\(key)]" }

    /// What would keep the request from ever being carried out.
    var flaw: CancellationRefusal? {
        guard amount > 0 else { return CancellationRefusal(.invalidAmount, message: "nothing is to be cancelled") }
        guard amount <= believedBalance else {
            return CancellationRefusal(.invalidAmount, message: "more is to be cancelled than is left")
        }
        return nil
    }

    /// The cancellation by which this request was carried out, if the payment shows one that bears the request's key.
    package func cancellation(markedIn payment: GatewayPayment) -> GatewayCancellation? {
        payment.cancellations.last { $0.status == .succeeded && $0.reason?.contains(mark) == true }
    }

    /// What the payment tells of this request; nil when nothing.
    ///
    /// - Parameter isAnswer: whether the gateway showed the payment as its answer to this very request.
    func outcome(in payment: GatewayPayment, isAnswer: Bool = false) -> CancellationOutcome? {
        guard let ours = cancellation(in: payment, isAnswer) else { return nil }
        switch ours.status {
        case .succeeded: return .done(ours)
        case .requested, .unknown: return .pending(ours)
        case .failed: return .refused(CancellationRefusal(.refusedByGateway, message: "the cancellation failed"))
        }
    }

    /// The cancellation that bears the request's mark; else the newest, if it and the balance are what this request would
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
    func refusal(by payment: GatewayPayment, _ error: GatewayError) -> CancellationRefusal {
        let reason: CancellationRefusal.Reason =
            switch payment.status {
            case .ready, .failed: .paymentNotPaid
            case _ where payment.balance <= 0: .alreadyCancelled
            case _ where payment.balance != believedBalance: .balanceChanged
            default: .refusedByGateway
            }
        return CancellationRefusal(reason, error)
    }
}
