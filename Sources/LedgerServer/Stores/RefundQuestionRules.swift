import Foundation
import Ledger
import PGVerifier

/// How stores are answered that ask about refunds.
struct RefundQuestionRules: Sendable {
    /// How long after the question, so that a person can overrule the rule.
    var answerAfter: Duration = .zero
    /// Whether what is sold can be tried, or is described before it is bought.
    var isSampleProvided = false

    init(_ configuration: ServeConfiguration) throws(ConfigurationError) {
        answerAfter = try configuration[Settings.receipts.refundAnswerAfter]
        isSampleProvided = try configuration[Settings.receipts.refundSampleProvided]
    }

    init() {}
}

extension Gateways {
    /// The known gateway with this name, configured or not; nil: it asks nothing about refunds.
    static func asker(named name: String) -> (any AnswersRefundQuestions.Type)? {
        known(as: name) as? any AnswersRefundQuestions.Type
    }
}

extension AnswersRefundQuestions {
    /// What the types of events say that the store did.
    static var outcomes: [String: RefundQuestion.Outcome] { questionEnds.mapValues { $0 ? .refunded : .declined } }
}
