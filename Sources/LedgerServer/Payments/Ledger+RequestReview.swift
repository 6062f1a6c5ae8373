import Ledger

extension Ledger {
    /// Has a credited payment looked up at the gateway, as after an event from there, and the books updated.
    ///
    /// The webhook worker of a running service does it. Acts request it after they are booked, and so do their repeats: a
    /// process that ends in between leaves nothing undone for good.
    ///
    /// - Parameters:
    ///   - name: identifies what makes it necessary; there is one review for each.
    ///   - type: what happened, as the type of an event.
    func requestReview(of payment: PaymentIdentity, after name: String, type: String) async throws(LedgerError) {
        _ = try await webhooks.store(WebhookRecordDraft(reviewing: payment, after: name, type: type))
    }
}

extension WebhookRecordDraft {
    /// The internal event that has a payment reviewed.
    init(reviewing payment: PaymentIdentity, after name: String, type: String) {
        self.init(
            gateway: payment.gateway, eventID: name, type: type, paymentID: payment.paymentID,
            merchantUID: payment.merchantUID, merchantPaymentID: payment.merchantPaymentID)
    }
}
