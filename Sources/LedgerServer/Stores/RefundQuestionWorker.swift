import Foundation
import Ledger
import PGVerifier
import Timing

/// Answers stores that ask about refunds, until the deadline.
///
/// The answer is kept before it is sent: a repeat after a crash, or after a request whose end is unknown, says the same.
struct RefundQuestionWorker: WorkItemWorker {
    let gateways: Gateways
    let ledger: Ledger
    let rules: RefundQuestionRules
    let name = "questions of stores"
    let metric = "ledgerd_refund_questions"

    func work(on question: RefundQuestion) async throws -> WorkOutcome<RefundQuestion.Decision> {
        guard let purchase = try await ledger.purchases.find(question.purchaseID) else {
            return .decided(.ended, "purchase_unknown")
        }
        // Also if only a sweep has seen it, and no event.
        guard purchase.cancelledAmount < purchase.amount else { return .decided(.ended, "refunded") }
        let consents = try await ledger.stores.consent(of: purchase.user)?.consents == true
        let mayAnswer = consents || Gateways.asker(named: question.gateway)?.answersNeedConsent == false
        let left = question.deadline.timeIntervalSince(Time.current.now)
        guard left > 0 else { return try await end(question, about: purchase, mayAnswer) }
        let delay = min(Backoff.gatewayUnavailable.delay(afterAttempts: Int(question.attempts)), .seconds(left))
        guard mayAnswer else { return .postponed(delay, RefundQuestion.noConsent) }
        guard let receipt = purchase.payment.receipt,
            let gateway = gateways.gateway(for: receipt) as? any AnswersRefundQuestions
        else { return .postponed(delay, "gateway_off") }
        let answer = try await answer(to: question, about: purchase, isUseTold: consents)
        // It was overruled or has ended meanwhile: whoever takes it next knows.
        guard try await ledger.refundQuestions.keep(answer, to: question) else { return .postponed(.zero, nil) }
        do throws(GatewayError) {
            try await gateway.answer(
                RefundStatement(answer, isSampleProvided: rules.isSampleProvided),
                to: RefundQuestionName(
                    receipt: receipt, order: purchase.payment.merchantPaymentID, token: question.token))
            return .decided(.answered, "answered")
        } catch {
            return .postponed(delay, error.code.rawValue)
        }
    }

    /// The one that was kept, unless it tells more than the user lets us now.
    private func answer(
        to question: RefundQuestion, about purchase: Purchase, isUseTold: Bool
    ) async throws(LedgerError) -> RefundAnswer {
        if let kept = question.answer, isUseTold || kept.percentage == nil { return kept }
        return RefundAnswer(
            of: try await ledger.refundQuestions.coins(of: purchase), overruledTo: question.overruling?.preference,
            isUseTold: isUseTold)
    }

    /// The deadline has passed: a person is told, unless nothing was to be sent.
    private func end(
        _ question: RefundQuestion, about purchase: Purchase, _ mayAnswer: Bool
    ) async throws(LedgerError) -> WorkOutcome<RefundQuestion.Decision> {
        guard mayAnswer else { return .decided(.unconsented, RefundQuestion.noConsent) }
        try await ledger.findings.note(
            .refundQuestionUnanswered, purchase.payment, of: purchase.user, amount: purchase.amount,
            currency: purchase.currency.code, paidAt: purchase.paidAt)
        return .decided(.unanswered, question.reason)
    }
}

extension RefundStatement {
    fileprivate init(_ answer: RefundAnswer, isSampleProvided: Bool) {
        let preference: Preference =
            switch answer.preference {
            case .grantFull: .grantFull
            case .grantProrated: .grantProrated
            case .decline: .decline
            }
        self.init(preference: preference, isSampleProvided: isSampleProvided, percentage: answer.percentage)
    }
}
