package import Ledger
package import LedgerWire
import PGVerifier
import Timing

/// The questions of stores about a purchase, and what people choose in place of the rule, at every door.
package struct RefundQuestionActs: Sendable {
    private let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// What became of a purchase's coins, and what stores asked about it.
    ///
    /// - Throws: `not_found`.
    package func find(ofPurchase id: Int64) async throws -> PurchaseRefundQuestionsBody {
        guard let purchase = try await ledger.purchases.find(id) else {
            throw Problem(.notFound, "the purchase does not exist")
        }
        return PurchaseRefundQuestionsBody(
            try await ledger.refundQuestions.list(ofPurchases: [id]), try await standing(of: purchase))
    }

    /// The question, with what it is about.
    ///
    /// - Throws: `not_found`.
    package func find(_ id: Int64) async throws -> (purchase: Purchase, question: RefundQuestionBody) {
        guard let question = try await ledger.refundQuestions.find(id),
            let purchase = try await ledger.purchases.find(question.purchaseID)
        else { throw Problem(.notFound, "no store has asked that question") }
        let standing = try await standing(of: purchase)
        return (purchase, RefundQuestionBody(question, standing))
    }

    /// Chooses what the store is told the shop would do; it is sent at once, and a later choice takes its place.
    ///
    /// - Throws: `not_found`, `refund_question_closed`.
    package func overrule(
        _ id: Int64, to preference: RefundPreference, because reason: String, by person: String
    ) async throws -> RefundQuestionBody {
        let overruling = RefundQuestion.Overruling(
            preference: preference, by: person, reason: reason, at: Time.current.now)
        guard let question = try await ledger.refundQuestions.overrule(id, by: overruling),
            let purchase = try await ledger.purchases.find(question.purchaseID)
        else {
            _ = try await find(id)
            throw Problem(.refundQuestionClosed)
        }
        return RefundQuestionBody(question, try await standing(of: purchase))
    }

    /// Those of the purchases about which stores asked, with what they asked.
    package func list(
        about purchases: [Purchase]
    ) async throws -> [(purchase: Purchase, questions: PurchaseRefundQuestionsBody)] {
        let inStores = purchases.filter { Gateways.asker(named: $0.payment.gateway) != nil }
        guard !inStores.isEmpty else { return [] }
        let found = try await ledger.refundQuestions.list(ofPurchases: inStores.map(\.id))
        let byPurchase = Dictionary(grouping: found, by: \.purchaseID)
        let asked = inStores.filter { byPurchase[$0.id] != nil }
        guard !asked.isEmpty else { return [] }
        return try await RefundStanding.of(asked, in: ledger).map { standing in
            let id = standing.purchase.id
            return (standing.purchase, PurchaseRefundQuestionsBody(byPurchase[id] ?? [], standing))
        }
    }

    private func standing(of purchase: Purchase) async throws -> RefundStanding {
        try await RefundStanding.of([purchase], in: ledger)[0]
    }
}

extension PurchaseRefundQuestionsBody {
    init(_ questions: [RefundQuestion], _ standing: RefundStanding) {
        let coins = standing.coins
        self.init(
            purchaseID: standing.purchase.id, coins: coins.coins, usedCoins: coins.used, unusedCoins: coins.unused,
            expiredCoins: coins.expired, percentage: coins.percentage, consents: standing.consents,
            refundQuestions: questions.map { RefundQuestionBody($0, standing) })
    }
}

extension RefundQuestionBody {
    init(_ question: RefundQuestion, _ standing: RefundStanding) {
        let waits = question.status == .waiting
        let answer = waits ? standing.answer(to: question) : question.answer
        self.init(
            id: question.id, purchaseID: question.purchaseID, gateway: question.gateway,
            status: question.status.rawValue,
            reason: waits && !standing.mayAnswer(question) ? RefundQuestion.noConsent : question.reason,
            storeReason: question.storeReason, askedAt: question.askedAt, deadline: question.deadline,
            answersAt: waits ? question.nextAttemptAt : nil, decidedAt: question.decidedAt,
            preference: answer?.preference.rawValue, percentage: answer?.percentage,
            overruledTo: question.overruling?.preference.rawValue, overruledBy: question.overruling?.by,
            overruledBecause: question.overruling?.reason, overruledAt: question.overruling?.at,
            outcome: question.outcome?.rawValue, outcomeAt: question.outcomeAt)
    }
}
