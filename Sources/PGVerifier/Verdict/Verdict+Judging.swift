import FoundationEssentials

/// Judges a receipt by what the gateway said about it.
///
/// Pure: no clock, no network. The first rule that applies decides (order of precedence):
///
/// 1. the answer is about another payment → wait, for it says nothing about this one;
/// 2. another `merchant_uid` → refuse, before anything about a stranger's payment is told;
/// 3. a test-channel payment that policy doesn't allow → refuse;
/// 4. not paid, or no longer wholly paid → wait or refuse by its status and cancelled amount;
/// 5. amount and currency against what was expected.
///
/// Source: PortOne V1 contract, client receipt and verification.
public func verdict(
    receipt: Receipt, payment: GatewayPayment, expectation: Expectation, policy: VerdictPolicy
) -> Verdict {
    switch receipt {
    case .v1(let impUID, let merchantUID):
        guard payment.impUID == impUID.text else { return .wait(.gatewayUnavailable) }
        guard payment.merchantUID == merchantUID.text else { return .refuse(.merchantUIDMismatch) }
    }
    if isRefusedAsTest(payment, policy) { return .refuse(.testPayment) }
    if let unpaid = standing(of: payment) { return unpaid }
    switch expectation {
    case .offers(let offers): return match(payment, offers, policy)
    }
}

/// What a failed question to the gateway means for the receipt: refused when the gateway itself said so, else unknown.
public func verdict(after error: GatewayError) -> Verdict {
    error.isDefinite && error.code == .notFound ? .refuse(.paymentNotFound) : .wait(.gatewayUnavailable)
}

private func isRefusedAsTest(_ payment: GatewayPayment, _ policy: VerdictPolicy) -> Bool {
    if policy.allowTestPayments { return false }
    return payment.isTest ?? policy.refuseUnknownChannel
}

/// The verdict on a payment that isn't wholly paid; nil when it is.
private func standing(of payment: GatewayPayment) -> Verdict? {
    switch payment.status {
    case .ready: .wait(.awaitingPayment)
    case .unknown: .wait(.unknownStatus)
    case .failed: .refuse(.paymentFailed)
    case .cancelled, .partiallyCancelled, .paid: cancellation(of: payment).map(Verdict.refuse)
    }
}

/// The amounts decide how much is cancelled, not the status: V1 says `cancelled` after a partial cancellation too.
private func cancellation(of payment: GatewayPayment) -> RefusalReason? {
    if payment.cancelledAmount > 0 {
        return payment.cancelledAmount < payment.amount ? .paymentPartiallyCancelled : .paymentCancelled
    }
    switch payment.status {
    case .cancelled: return .paymentCancelled
    case .partiallyCancelled: return .paymentPartiallyCancelled
    default: return payment.cancelledAmount < 0 ? .amountMismatch : nil
    }
}

private func match(_ payment: GatewayPayment, _ offers: [Offer], _ policy: VerdictPolicy) -> Verdict {
    guard payment.amount > 0 else { return .refuse(.amountMismatch) }
    let inCurrency = offers.filter { $0.currency == payment.currency }
    if inCurrency.isEmpty, !offers.isEmpty { return .refuse(.currencyMismatch) }
    let candidates = inCurrency.filter { $0.price == payment.amount && $0.isSold(to: payment, policy) }
    guard let best = candidates.max(by: { $0.suits(payment, lessThan: $1) }) else { return .refuse(.amountMismatch) }
    return .credit(Verdict.Credit(offer: best, payment: payment))
}

extension Offer {
    /// Whether it was sold when the payment began or when it was paid.
    ///
    /// A virtual account is paid days after it was opened, and the buyer keeps the price that was shown. A payment
    /// without any time can only have bought what is still sold.
    fileprivate func isSold(to payment: GatewayPayment, _ policy: VerdictPolicy) -> Bool {
        let moments = [payment.startedAt, payment.paidAt].compactMap(\.self)
        if moments.isEmpty { return activeUntil == nil }
        return moments.contains { isActive(at: $0, skew: policy.clockSkew, grace: policy.offerGrace) }
    }

    fileprivate func isActive(at moment: Date, skew: Duration = .zero, grace: Duration = .zero) -> Bool {
        guard activeFrom <= moment.addingTimeInterval(skew / .seconds(1)) else { return false }
        guard let activeUntil else { return true }
        return moment < activeUntil.addingTimeInterval(grace / .seconds(1))
    }

    /// Prefers the version active when the money was taken, then the newest, then the highest id, so that the choice
    /// never depends on the order of the list.
    fileprivate func suits(_ payment: GatewayPayment, lessThan other: Offer) -> Bool {
        let mine = payment.paidAt.map { isActive(at: $0) } ?? false
        let theirs = payment.paidAt.map { other.isActive(at: $0) } ?? false
        if mine != theirs { return theirs }
        if activeFrom != other.activeFrom { return activeFrom < other.activeFrom }
        return id < other.id
    }
}
