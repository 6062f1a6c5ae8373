import Foundation
import Ledger
import PGVerifier
import Timing

/// Answers a store that asks about a refund of what it sold for nothing, from what became of the coins.
///
/// No money is in question, so nobody is given time to overrule the answer: it is sent as soon as the user's consent allows it.
struct FreePurchaseAnswer {
    let worker: WebhookWorker
    let event: WebhookRecord
    let receipt: Receipt

    init(_ worker: WebhookWorker, _ event: WebhookRecord, _ receipt: Receipt) {
        (self.worker, self.event, self.receipt) = (worker, event, receipt)
    }

    /// What becomes of the question; nil: it is about another purchase.
    func send() async throws -> WorkOutcome<WebhookRecord.Decision>? {
        let crediter = worker.reviewer.crediter
        guard let free = try await crediter.ledger.freePurchases.find(of: PaymentIdentity(receipt)),
            let token = event.questionToken
        else { return nil }
        guard let gateway = crediter.gateways.gateway(for: receipt) as? any AnswersRefundQuestions else {
            return later("gateway_off")
        }
        let consents = try await crediter.ledger.stores.consent(of: free.user)?.consents
        guard consents == true || !type(of: gateway).answersNeedConsent else { return later(RefundQuestion.noConsent) }
        let answer = RefundAnswer(of: free.use, overruledTo: nil, isUseTold: consents == true)
        do throws(GatewayError) {
            try await gateway.answer(
                RefundStatement(answer, isSampleProvided: worker.questions.isSampleProvided),
                to: RefundQuestionName(receipt: receipt, order: event.merchantPaymentID, token: token))
            return .decided(.done, "answered")
        } catch {
            return later(error.code.rawValue)
        }
    }

    /// Until the deadline.
    private func later(_ reason: String) -> WorkOutcome<WebhookRecord.Decision> {
        let time = Gateways.asker(named: event.gateway)?.answersWithin ?? .zero
        return Time.current.now < event.askedAt + time / .seconds(1)
            ? .postponed(Backoff.gatewayUnavailable.delay(afterAttempts: Int(event.attempts)), reason)
            : .decided(.ignored, reason)
    }
}
