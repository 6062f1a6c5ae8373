import Foundation
import Ledger
import PGVerifier

/// Stores the questions about refunds that come as events of stores, and ends those that later events decide.
struct RefundQuestionIntake: Sendable {
    let ledger: Ledger
    let rules: RefundQuestionRules

    /// What an event asks or ends.
    ///
    /// - Returns: false: it asks about a purchase that is not credited.
    func take(_ event: WebhookRecord, receipt: Receipt?) async throws(LedgerError) -> Bool {
        guard let store = Gateways.asker(named: event.gateway) else { return true }
        let asks = event.asks
        guard asks || store.questionEnds[event.type] != nil else { return true }
        guard let purchase = try await purchase(of: event, receipt) else { return !asks }
        if asks, let draft = draft(of: event, about: purchase, store) {
            try await ledger.refundQuestions.store(draft, about: purchase, endedBy: store.outcomes)
        }
        try await ledger.refundQuestions.settle(purchase, by: store.outcomes)
        return true
    }

    private func purchase(of event: WebhookRecord, _ receipt: Receipt?) async throws(LedgerError) -> Purchase? {
        if let receipt { return try await ledger.purchases.find(of: PaymentIdentity(receipt)) }
        guard let order = event.merchantPaymentID, event.gateway == GooglePlay.name else { return nil }
        return try await ledger.refundQuestions.purchase(ofPlayOrder: order)
    }

    private func draft(
        of event: WebhookRecord, about purchase: Purchase, _ store: any AnswersRefundQuestions.Type
    ) -> RefundQuestionDraft? {
        guard let token = event.questionToken else { return nil }
        return RefundQuestionDraft(
            purchaseID: purchase.id, gateway: event.gateway, token: token, storeReason: event.questionReason,
            askedAt: event.askedAt, deadline: event.askedAt + store.answersWithin / .seconds(1),
            answeredFrom: event.askedAt + rules.answerAfter / .seconds(1))
    }
}

extension WebhookRecord {
    /// Whether a store asks about a refund.
    var asks: Bool {
        questionToken != nil && Gateways.asker(named: gateway)?.questions.contains(type) == true
    }

    var askedAt: Date { toldAt ?? receivedAt }

    /// What becomes of a question about a purchase that is not credited: it can still be, until the deadline.
    func outcomeOfUncredited(at now: Date) -> WorkOutcome<Decision> {
        let time = Gateways.asker(named: gateway)?.answersWithin ?? .zero
        return now < askedAt + time / .seconds(1)
            ? .postponed(Backoff.awaitingPayment.delay(afterAttempts: Int(attempts)), "not_credited")
            : .decided(.ignored, "not_credited")
    }
}
