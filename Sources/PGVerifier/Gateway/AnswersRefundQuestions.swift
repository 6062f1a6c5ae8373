/// A gateway that decides refunds itself, and asks before what the shop says.
package protocol AnswersRefundQuestions: PaymentGateway {
    /// Within which time after the question it takes an answer.
    static var answersWithin: Duration { get }

    /// Whether nothing may be said without the user's consent; otherwise what follows from the use is left out.
    static var answersNeedConsent: Bool { get }

    /// The types of events that ask.
    static var questions: Set<String> { get }

    /// The types of events that end a question: true if money went back.
    static var questionEnds: [String: Bool] { get }

    /// Answers a question about a purchase that is credited.
    ///
    /// - Throws: ``GatewayError``.
    func answer(_ answer: RefundStatement, to question: RefundQuestionName) async throws(GatewayError)
}

/// Which question is answered.
package struct RefundQuestionName: Hashable, Sendable {
    /// The receipt of the purchase.
    package let receipt: Receipt
    /// The purchase's order at the gateway; nil: it has none.
    package let order: String?
    /// What the gateway calls the question.
    package let token: String

    package init(receipt: Receipt, order: String?, token: String) {
        self.receipt = receipt
        self.order = order
        self.token = token
    }
}

/// What the shop says about a refund that the gateway decides: the purchase was delivered, and this much of it was used.
package struct RefundStatement: Hashable, Sendable {
    /// What the shop would do.
    package enum Preference: Hashable, Sendable, CaseIterable {
        case grantFull
        /// Give the unused part back.
        case grantProrated
        case decline
    }

    package let preference: Preference
    /// Whether there was a free sample, or information about how it works.
    package let isSampleProvided: Bool
    /// The used part, in thousandths of a percent; nil: not told.
    package let percentage: Int64?

    package init(preference: Preference, isSampleProvided: Bool, percentage: Int64?) {
        self.preference = preference
        self.isSampleProvided = isSampleProvided
        self.percentage = percentage
    }
}

extension AppStore: AnswersRefundQuestions {
    package static var answersWithin: Duration { .seconds(12 * 3600) }
    package static var answersNeedConsent: Bool { true }
    package static var questions: Set<String> { [AppStoreNotification.Kind.consumptionRequest.rawValue] }
    package static var questionEnds: [String: Bool] {
        [AppStoreNotification.Kind.refund.rawValue: true, AppStoreNotification.Kind.refundDeclined.rawValue: false]
    }

    /// In the environment in which the transaction is.
    package func answer(
        _ answer: RefundStatement, to question: RefundQuestionName
    ) async throws(GatewayError) {
        let transaction = try await transaction(try question.receipt.transactionID)
        let preference: AppStoreConsumption.Preference =
            switch answer.preference {
            case .grantFull: .grantFull
            case .grantProrated: .grantProrated
            case .decline: .decline
            }
        try await send(
            AppStoreConsumption(
                delivery: .delivered, isSampleProvided: answer.isSampleProvided, percentage: answer.percentage,
                preference: preference), about: transaction.id, in: transaction.environment)
    }
}

extension GooglePlay: AnswersRefundQuestions {
    package static var answersWithin: Duration { .seconds(24 * 3600) }
    package static var answersNeedConsent: Bool { false }
    package static var questions: Set<String> { ["refund_review"] }
    /// Voids of one-time products, whole and in part.
    package static var questionEnds: [String: Bool] { ["voided.2.1": true, "voided.2.2": true] }

    /// Without uses one by one, which are not required.
    package func answer(
        _ answer: RefundStatement, to question: RefundQuestionName
    ) async throws(GatewayError) {
        guard let order = question.order, let id = try? GooglePlayOrderID(order) else {
            throw GatewayError(.invalidRequest, message: "the purchase has no order")
        }
        let preference: GooglePlayReview.Preference =
            switch answer.preference {
            case .grantFull: .approve
            // Google takes no part: how much was used says the rest.
            case .grantProrated: .neutral
            case .decline: .decline
            }
        try await send(
            GooglePlayReview(
                preference: preference, isSampleProvided: answer.isSampleProvided, percentage: answer.percentage),
            about: GooglePlayNotification.RefundReview(token: question.token, orderID: id))
    }
}
