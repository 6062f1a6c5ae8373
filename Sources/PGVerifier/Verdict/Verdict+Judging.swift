import FoundationEssentials

/// Judges a receipt by what the gateway said about it, and by what the books know.
///
/// Pure: no clock, no network. The first rule that applies decides (order of precedence):
///
/// 1. the answer is about another payment → wait, for it says nothing about this one;
/// 2. another `merchant_uid` → refuse, before anything about a stranger's payment is told;
/// 3. already credited → refuse another user, answer the same user with the same purchase;
/// 4. no order where one is needed, or another user's → refuse;
/// 5. a test-channel payment that policy doesn't allow → refuse;
/// 6. not paid, or no longer wholly paid → wait or refuse by its status and cancelled amount;
/// 7. currency and amount against what was expected;
/// 8. an order that was credited before, or had expired → refuse.
///
/// Source: PortOne V1 contract, client receipt and verification; PortOne V2 contract, verification procedure.
package func verdict(
    receipt: Receipt, payment: GatewayPayment, expectation: Expectation, policy: VerdictPolicy,
    books: Bookkeeping = Bookkeeping()
) -> Verdict {
    if let another = identity(of: payment, receipt) { return another }
    switch books.credited {
    case .no: break
    case .toPresenter: return .alreadyCredited
    case .toAnother: return .refuse(.receiptBelongsToAnotherUser)
    }
    if let stranger = ownership(of: expectation, payment, books) { return .refuse(stranger) }
    if isRefusedAsTest(payment, policy) { return .refuse(.testPayment) }
    if let unpaid = standing(of: payment) { return unpaid }
    switch expectation {
    case .offers(let offers): return match(payment, offers, policy)
    case .order(let order): return match(payment, order, policy)
    case .noOrder: return .refuse(.orderNotFound)
    }
}

/// What a failed question to the gateway means for the receipt: refused when the gateway itself said so, else unknown.
package func verdict(after error: GatewayError) -> Verdict {
    error.isDefinite && error.code == .notFound ? .refuse(.paymentNotFound) : .wait(.gatewayUnavailable)
}

/// The verdict on an answer that isn't about the receipt; nil when it is.
private func identity(of payment: GatewayPayment, _ receipt: Receipt) -> Verdict? {
    guard payment.gateway == receipt.gatewayName else { return .wait(.gatewayUnavailable) }
    switch receipt {
    case .v1(let impUID, let merchantUID):
        guard payment.impUID == impUID.text else { return .wait(.gatewayUnavailable) }
        return payment.merchantUID == merchantUID.text ? nil : .refuse(.merchantUIDMismatch)
    case .v2(let paymentID):
        return payment.paymentID == paymentID.text ? nil : .wait(.gatewayUnavailable)
    }
}

private func ownership(
    of expectation: Expectation, _ payment: GatewayPayment, _ books: Bookkeeping
) -> RefusalReason? {
    switch expectation {
    case .offers: return nil
    case .noOrder: return .orderNotFound
    case .order(let order):
        guard order.merchantUID == payment.merchantUID else { return .orderNotFound }
        // Byte by byte: texts that people read alike are two users.
        let isPresentersOwn = books.presenter.map { $0.utf8.elementsEqual(order.user.utf8) } ?? true
        return isPresentersOwn ? nil : .orderBelongsToAnotherUser
    }
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
    case .cancelled, .partiallyCancelled, .paid:
        cancellation(of: payment).map(Verdict.refuse)
            ?? (payment.isBeingCancelled ? .wait(.cancellationPending) : nil)
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
    return .credit(Verdict.Credit(offerID: best.id, payment: payment))
}

/// The order fixes what is owed; how it stands is told last, for a payment that is wrong in itself is wrong for any.
private func match(_ payment: GatewayPayment, _ order: ExpectedOrder, _ policy: VerdictPolicy) -> Verdict {
    guard payment.currency == order.currency else { return .refuse(.currencyMismatch) }
    guard payment.amount == order.amount, payment.amount > 0 else { return .refuse(.amountMismatch) }
    switch order.state {
    case .credited: return .refuse(.orderAlreadyCredited)
    case .open: break
    }
    guard order.isInTime(payment, policy) else { return .refuse(.orderExpired) }
    return .credit(Verdict.Credit(offerID: order.offerID, payment: payment))
}

extension ExpectedOrder {
    /// Whether the payment was begun or made before the order expired, or within the grace after it.
    ///
    /// A virtual account is opened in time and paid days later. The money was taken: whoever doubts gives the coins, so
    /// a payment without any time is in time.
    fileprivate func isInTime(_ payment: GatewayPayment, _ policy: VerdictPolicy) -> Bool {
        guard let expiresAt else { return true }
        let moments = [payment.startedAt, payment.paidAt].compactMap(\.self)
        let last = expiresAt.addingTimeInterval(policy.orderGrace / .seconds(1))
        return moments.isEmpty || moments.contains { $0 <= last }
    }
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
