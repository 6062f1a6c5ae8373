import FoundationEssentials

/// Judges a receipt by the gateway's payment and the books.
///
/// Pure: no clock, no network. The first matching rule decides:
///
/// 1. the payment is another one → wait, because nothing is known about this one;
/// 2. another `merchant_uid` → refuse, before the response reveals anything about another user's payment;
/// 3. already credited → refuse another user, answer the same user with the same purchase;
/// 4. a required order is missing, or belongs to another user → refuse;
/// 5. a test-channel payment that the policy doesn't allow → refuse;
/// 6. not paid, or not completely paid → wait or refuse by status and cancelled amount, unless a store gave back a part;
/// 7. currency and amount differ from the expectation → refuse; a store's purchase is shared by a family → refuse, and of an
///    unknown product or paid in another currency → wait, because who is refused in a store has lost the money;
/// 8. the order is already credited, or had expired → refuse.
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
    case .store(let sale): return match(payment, sale)
    }
}

/// The verdict after a failed request to the gateway: refused if the gateway itself said so, otherwise unknown.
package func verdict(after error: GatewayError) -> Verdict {
    error.isDefinite && error.code == .notFound ? .refuse(.paymentNotFound) : .wait(.gatewayUnavailable)
}

/// The verdict on a payment that is not the receipt's; nil if it is.
private func identity(of payment: GatewayPayment, _ receipt: Receipt) -> Verdict? {
    guard payment.gateway == receipt.gatewayName else { return .wait(.gatewayUnavailable) }
    guard let paymentID = receipt.paymentID else {
        return payment.merchantPaymentID == receipt.merchantUID ? nil : .wait(.gatewayUnavailable)
    }
    guard payment.paymentID == paymentID else { return .wait(.gatewayUnavailable) }
    return payment.merchantUID == receipt.merchantUID ? nil : .refuse(.merchantUIDMismatch)
}

private func ownership(
    of expectation: Expectation, _ payment: GatewayPayment, _ books: Bookkeeping
) -> RefusalReason? {
    switch expectation {
    case .offers, .store: return nil
    case .noOrder: return .orderNotFound
    case .order(let order):
        guard order.merchantUID == payment.merchantUID else { return .orderNotFound }
        // Compared byte by byte: texts that look alike are different users.
        let isPresentersOwn = books.presenter.map { $0.utf8.elementsEqual(order.user.utf8) } ?? true
        return isPresentersOwn ? nil : .orderBelongsToAnotherUser
    }
}

private func isRefusedAsTest(_ payment: GatewayPayment, _ policy: VerdictPolicy) -> Bool {
    if policy.allowTestPayments { return false }
    return payment.isTest ?? policy.refuseUnknownChannel
}

/// The verdict on a payment that is not completely paid; nil if it is.
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

/// The amounts decide, not the status: V1 also says `cancelled` after a partial cancellation.
///
/// Who bought several pieces in a store and got back some has paid for the others, and nobody but the store can refund them:
/// the whole is credited, and what the store gave back is clawed back at once.
private func cancellation(of payment: GatewayPayment) -> RefusalReason? {
    // Without the purchase itself, of which a store's order tells only the money, nobody knows whose it is.
    let isWhole = payment.store != nil && payment.isTest != nil
    let inPart: RefusalReason? = isWhole ? nil : .paymentPartiallyCancelled
    if payment.cancelledAmount > 0 { return payment.cancelledAmount < payment.amount ? inPart : .paymentCancelled }
    switch payment.status {
    case .cancelled: return .paymentCancelled
    case .partiallyCancelled: return inPart
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

/// A store's purchase is judged by its product: who has paid the store's price gets what it sold.
private func match(_ payment: GatewayPayment, _ sale: StoreSale) -> Verdict {
    guard payment.store?.isFamilyShared != true else { return .refuse(.familyShared) }
    switch sale {
    case .offer(let id) where payment.store?.isConsumable != false:
        return .credit(Verdict.Credit(offerID: id, payment: payment))
    case .notBookable: return .wait(.priceNotBookable)
    case .offer, .unknownProduct: return .wait(.unknownStoreProduct)
    }
}

/// The order sets the amount.
///
/// Its state is checked last, because a wrong payment is wrong for any order.
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
    /// Whether the payment was started or made before the order expired, or within the grace period.
    ///
    /// A virtual account can be opened in time and paid days later. The money was taken, so a payment without times
    /// counts as in time.
    fileprivate func isInTime(_ payment: GatewayPayment, _ policy: VerdictPolicy) -> Bool {
        guard let expiresAt else { return true }
        let moments = [payment.startedAt, payment.paidAt].compactMap(\.self)
        let last = expiresAt.addingTimeInterval(policy.orderGrace / .seconds(1))
        return moments.isEmpty || moments.contains { $0 <= last }
    }
}

extension Offer {
    /// Whether the offer was on sale when the payment was started or made.
    ///
    /// A virtual account can be paid days after it was opened, at the shown price. A payment without times matches only
    /// current offers.
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

    /// Prefers the version on sale at the time of payment, then the newest, then the highest id.
    ///
    /// So the choice does not depend on the order of the list.
    fileprivate func suits(_ payment: GatewayPayment, lessThan other: Offer) -> Bool {
        let mine = payment.paidAt.map { isActive(at: $0) } ?? false
        let theirs = payment.paidAt.map { other.isActive(at: $0) } ?? false
        if mine != theirs { return theirs }
        if activeFrom != other.activeFrom { return activeFrom < other.activeFrom }
        return id < other.id
    }
}
