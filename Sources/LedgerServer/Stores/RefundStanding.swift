import Foundation
import Ledger
import PGVerifier
import Timing

/// What the answers to the questions of a store about a purchase are made of.
struct RefundStanding: Sendable {
    let purchase: Purchase
    let coins: PurchasedCoins
    /// Whether the user lets the store be told; nil: the user has said nothing.
    let consents: Bool?

    /// Those of the purchases, in their order.
    static func of(_ purchases: [Purchase], in ledger: Ledger) async throws(LedgerError) -> [RefundStanding] {
        var consents: [UserID: Bool] = [:]
        for user in Set(purchases.map(\.user)) { consents[user] = try await ledger.stores.consent(of: user)?.consents }
        return zip(purchases, try await ledger.refundQuestions.coins(of: purchases)).map { purchase, coins in
            RefundStanding(purchase: purchase, coins: coins, consents: consents[purchase.user])
        }
    }

    /// Whether the store may be told anything.
    func mayAnswer(_ question: RefundQuestion) -> Bool {
        consents == true || Gateways.asker(named: question.gateway)?.answersNeedConsent == false
    }

    /// What the store is told as things are now; nil: nothing.
    ///
    /// It is what was kept, unless that tells more than the user lets us now, or asks for money that went back by bank transfer: then
    /// nobody's choice asks for all of it.
    func answer(to question: RefundQuestion) -> RefundAnswer? {
        guard mayAnswer(question), purchase.cancelledAmount < purchase.amount, question.deadline > Time.current.now
        else { return nil }
        let isUseTold = consents == true
        if let kept = question.answer, isUseTold || kept.percentage == nil,
            purchase.transferredAmount == 0 || kept.preference == .decline
        {
            return kept
        }
        let chosen = question.overruling?.preference
        let asksTwice = purchase.transferredAmount > 0 && chosen == .grantFull
        return RefundAnswer(of: coins, overruledTo: asksTwice ? nil : chosen, isUseTold: isUseTold)
    }
}
