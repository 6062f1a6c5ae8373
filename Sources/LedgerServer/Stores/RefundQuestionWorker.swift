import Foundation
import Ledger
import PGVerifier
import Timing

/// Answers stores that ask about refunds, until the deadline.
///
/// The answer is kept before it is sent: a repeat after a crash, or after a request whose end is unknown, says the same
/// (``RefundStanding/answer(to:)``).
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
        let standing = try await RefundStanding.of([purchase], in: ledger)[0]
        let left = question.deadline.timeIntervalSince(Time.current.now)
        guard left > 0 else { return try await end(question, standing) }
        let delay = min(Backoff.gatewayUnavailable.delay(afterAttempts: Int(question.attempts)), .seconds(left))
        guard let answer = standing.answer(to: question) else { return .postponed(delay, RefundQuestion.noConsent) }
        guard let receipt = purchase.payment.receipt,
            let gateway = gateways.gateway(for: receipt) as? any AnswersRefundQuestions
        else { return .postponed(delay, "gateway_off") }
        // It was overruled or has ended meanwhile: whoever takes it next knows, and this worker postpones nothing.
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

    /// The deadline has passed: a person is told, unless nothing was to be sent.
    private func end(
        _ question: RefundQuestion, _ standing: RefundStanding
    ) async throws(LedgerError) -> WorkOutcome<RefundQuestion.Decision> {
        guard standing.mayAnswer(question) else { return .decided(.unconsented, RefundQuestion.noConsent) }
        return try await ledger.refundQuestions.giveUp(question, about: standing.purchase)
            ? .recorded(.unanswered) : .postponed(.zero, nil)
    }
}

extension RefundStatement {
    init(_ answer: RefundAnswer, isSampleProvided: Bool) {
        let preference: Preference =
            switch answer.preference {
            case .grantFull: .grantFull
            case .grantProrated: .grantProrated
            case .decline: .decline
            }
        self.init(preference: preference, isSampleProvided: isSampleProvided, percentage: answer.percentage)
    }
}
