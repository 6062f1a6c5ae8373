package import Foundation
import Postgres

/// The questions of stores about refunds that are not answered.
package typealias RefundQuestions = WorkList<RefundQuestion>

extension RefundQuestions {
    /// Stores a question about a purchase; one that is known changes nothing.
    ///
    /// If an earlier event has ended it, this transaction ends it, so that no worker answers it. Call ``settle(_:by:)`` next: an
    /// event that was stored meanwhile may not have found it.
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
    /// The finding that the store could not be told ends when no such question is left, also if another process settled the last
    /// one and stopped before it ended the finding.
    ///
    /// - Parameter ends: what the store did, by the types of the events that tell it.
    /// - Returns: whether one was ended.
    @discardableResult package func settle(
        _ purchase: Purchase, by ends: [String: RefundQuestion.Outcome]
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.work.withConnection { connection in
                try await connection.transaction { connection in
                    let settled = try connection.run(
                        RefundQuestion.settle(purchase.id, of: purchase.payment, by: ends))
                    // A process that gives another question up waits for this lock, or has committed before it.
                    _ = try connection.run(Finding.lock(purchase.payment))
                    if try !connection.run(RefundQuestion.isUnanswered(purchase.id)) {
                        _ = try connection.run(Finding.end(.refundQuestionUnanswered, under: purchase.payment))
                    }
                    return settled > 0
                }
            }
        }
    }

    /// Ends a question whose store could not be told until its deadline, with a finding.
    ///
    /// - Returns: false: the question was overruled, has ended or was taken again since it was read, so nothing was done.
    package func giveUp(_ question: RefundQuestion, about purchase: Purchase) async throws(LedgerError) -> Bool {
        let note = Finding.note(
            .refundQuestionUnanswered, purchase.payment, of: purchase.user, amount: purchase.paidAmount,
            currency: purchase.paidCurrency.code, paidAt: purchase.paidAt)
        return try await reading {
            try await pools.work.withConnection { connection in
                try await connection.transaction { connection in
                    guard try connection.run(RefundQuestion.giveUp(question)) == 1 else { return false }
                    _ = try connection.pipeline(Finding.lock(purchase.payment), note)
                    return true
                }
            }
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

    /// The last 20 questions about each of the purchases, newest first.
    package func list(ofPurchases ids: [Int64]) async throws(LedgerError) -> [RefundQuestion] {
        try await reading { try await pools.reads.run(RefundQuestion.list(ofPurchases: ids)) }
    }

    /// The first deadline of those that can be answered; nil: there is none.
    package func firstDeadline() async throws(LedgerError) -> Date? {
        try await reading { try await pools.work.run(RefundQuestion.firstDeadline) }
    }

    /// What became of the paid coins of each of the purchases.
    package func coins(of purchases: [Purchase]) async throws(LedgerError) -> [PurchasedCoins] {
        try await reading {
            let own = try await pools.reads.run(Lot.open(of: purchases.map(\.payment)))
            let given = try await pools.reads.run(Lot.givenWithOrigins(ofPurchases: purchases.map(\.id), []))
            let lots = Array(Dictionary((own + given).map { ($0.id, $0) }) { $1 }.values)
            return purchases.map { PurchasedCoins(of: $0, lots) }
        }
    }

    /// The purchase that a question of Google Play is about, by its order; nil: none is credited.
    package func purchase(ofPlayOrder order: String) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.lookups.run(Purchase.ofPlayOrder(order)) }
    }
}
