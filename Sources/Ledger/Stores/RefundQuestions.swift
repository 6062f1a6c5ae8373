package import Foundation
import Postgres

/// The questions of stores about refunds that are not answered.
package typealias RefundQuestions = WorkList<RefundQuestion>

extension RefundQuestions {
    /// Stores a question about a purchase; one that is known changes nothing.
    ///
    /// What has ended it before is seen in the same transaction, so that nobody answers it in between. Call
    /// ``settle(_:by:)`` next: an event that was stored meanwhile may not have found it.
    package func store(
        _ draft: RefundQuestionDraft, about purchase: Purchase, endedBy ends: [String: RefundQuestion.Outcome]
    ) async throws(LedgerError) {
        try await reading {
            try await pools.work.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.pipeline(
                        RefundQuestion.insert(draft),
                        RefundQuestion.settle(purchase.id, of: purchase.payment, by: ends))
                }
            }
        }
    }

    /// Ends the questions of a purchase that the store has decided since, by the stored events of its payment.
    ///
    /// - Parameter ends: what the store did, by the types of the events that tell it.
    /// - Returns: whether one was ended.
    package func settle(
        _ purchase: Purchase, by ends: [String: RefundQuestion.Outcome]
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.work.run(RefundQuestion.settle(purchase.id, of: purchase.payment, by: ends)) > 0
        }
    }

    /// Keeps the answer that is sent next.
    ///
    /// - Returns: false: the question was overruled, has ended or was taken again since it was read, so nothing is to be sent.
    package func keep(_ answer: RefundAnswer, to question: RefundQuestion) async throws(LedgerError) -> Bool {
        try await reading { try await pools.work.run(RefundQuestion.keep(answer, to: question)) == 1 }
    }

    /// Overrules the answer, which is sent at once.
    ///
    /// - Returns: the question; nil: it waits for no answer any more, or is unknown.
    package func overrule(
        _ id: Int64, by overruling: RefundQuestion.Overruling
    ) async throws(LedgerError) -> RefundQuestion? {
        try await reading { try await pools.writes.run(RefundQuestion.overrule(id, by: overruling)) }
    }

    package func find(_ id: Int64) async throws(LedgerError) -> RefundQuestion? {
        try await reading { try await pools.reads.run(RefundQuestion.find(id)) }
    }

    /// The questions about purchases, newest first.
    package func list(ofPurchases ids: [Int64]) async throws(LedgerError) -> [RefundQuestion] {
        try await reading { try await pools.reads.run(RefundQuestion.list(ofPurchases: ids)) }
    }

    /// The first deadline of those that can be answered; nil: there is none.
    package func firstDeadline() async throws(LedgerError) -> Date? {
        try await reading { try await pools.work.run(RefundQuestion.firstDeadline) }
    }

    /// What became of the paid coins of a purchase.
    package func coins(of purchase: Purchase) async throws(LedgerError) -> PurchasedCoins {
        try await reading {
            let own = try await pools.reads.run(Lot.open(of: [purchase.payment]))
            let given = try await pools.reads.run(Lot.givenWithOrigins(ofPurchases: [purchase.id], []))
            let all = Dictionary((own + given).map { ($0.id, $0) }) { $1 }
            return PurchasedCoins(of: purchase, Array(all.values))
        }
    }

    /// The purchase that a question of Google Play is about, by its order; nil: none is credited.
    package func purchase(ofPlayOrder order: String) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.lookups.run(Purchase.ofPlayOrder(order)) }
    }
}
