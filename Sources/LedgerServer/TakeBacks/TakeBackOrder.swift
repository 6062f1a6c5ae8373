package import Ledger
package import WireFormats

/// Takes back spends of a purchase and refunds it, as one decision of a person.
package struct TakeBackOrder: PersonOrder {
    package static let act = AuditAct.takeBack

    package let purchase: Int64
    package let spends: SpendChoice
    package let account: BankAccount?

    package init(purchase: Int64, spends: SpendChoice, account: BankAccount?) {
        self.purchase = purchase
        self.spends = spends
        self.account = account
    }

    package var parameters: [String: JSON] { ["purchase": .integer(purchase), "spends": .string(spends.text)] }

    package func target(of _: UserID?) -> String { "purchase:\(purchase)" }

    package static let decisive = ["amount", "foreign_amount", "refunded_before", "left"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        guard let user, let purchase = try await desk.desks.ledger.purchases.find(purchase, of: user) else {
            return nil
        }
        return try await desk.seen(of: try await desk.desks.takeBacks.preview(spends, of: purchase))
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let purchase = try await terms.desks.ledger.purchases.require(self.purchase, of: terms.user)
        let asked = TakeBackActs.Request(
            purchase: purchase, spends: spends, reason: terms.reason, account: account,
            terms: terms.decision.takeBackTerms(
                refund: terms.limits.refund(in: purchase.currency.code), coins: terms.limits.grant))
        let done = try await terms.desks.takeBacks.takeBack(asked, under: terms.key).success
        if done.refund.status == .refused { throw Problem.refundRefused(done.refund) }
        return [
            "refund": .integer(done.refund.id), "status": .string(done.refund.status.rawValue),
            "amount": .integer(done.refund.amount), "coins": .integer(done.made.returned),
        ].merging(terms.desk.seen(of: done.refund.foreign)) { $1 }
    }

    package init?(_ stored: JSON, account: BankAccount?) {
        guard let purchase = stored["purchase"]?.integer, let spends = stored["spends"]?.text.flatMap(SpendChoice.init)
        else { return nil }
        self.init(purchase: purchase, spends: spends, account: account)
    }
}

extension ApprovalDesk {
    /// What a person sees before spends are taken back, as it is kept with it.
    package func seen(of preview: TakeBackPreview) async throws -> [String: JSON] {
        var seen = try await seen(of: preview.purchase.user)
        seen["refunded_before"] = .integer(preview.purchase.refundedAmount)
        seen["returned_before"] = .integer(preview.returnedBefore)
        guard let made = preview.made else { return seen }
        seen["amount"] = .integer(made.refund.amount)
        seen["currency"] = .string(preview.purchase.currency.code)
        seen["fee"] = .integer(made.refund.fee)
        seen["bonus_coins"] = .integer(made.refund.bonusCoins)
        seen["left"] = .integer(made.returned)
        return seen.merging(self.seen(of: made.refund.foreign)) { $1 }
    }

    /// Whether it is above what one person can do alone, with what was refunded and came back before.
    ///
    /// The act checks it again, because other acts can come first.
    package func needsSecondPerson(_ preview: TakeBackPreview) -> Bool {
        guard let made = preview.made else { return false }
        return preview.purchase.refundedAmount + made.refund.amount > limits.refund(in: preview.purchase.currency.code)
            || preview.returnedBefore + made.returned > limits.grant
    }
}
