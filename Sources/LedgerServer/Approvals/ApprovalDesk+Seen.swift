package import Ledger
package import WireFormats

// What a person sees before an act, as it is kept with the act and with its proposal: the console has words for each member
// (`ProposalDescriber`).
extension ApprovalDesk {
    /// The customer's balance; nothing of nobody.
    package func seen(of user: UserID?) async throws -> [String: JSON] {
        guard let user else { return [:] }
        let balance = try await desks.ledger.balances.find(of: user)
        return [
            "paid": .integer(balance.paid), "bonus": .integer(balance.bonus), "held": .integer(balance.held),
            "debt": .integer(balance.debt),
        ]
    }

    /// A refund, and what is left of its purchase.
    package func seen(of quote: RefundQuote) async throws -> [String: JSON] {
        try await seen(of: quote.purchase.user).merging([
            "amount": .integer(quote.amount), "currency": .string(quote.purchase.currency.code),
            "fee": .integer(quote.fee), "bonus_coins": .integer(quote.bonusCoins),
            "refunded_before": .integer(quote.purchase.refundedAmount), "unused": .integer(quote.unusedCoins),
        ]) { $1 }.merging(seen(of: quote.foreign)) { $1 }
    }

    /// What the payer gets of a payment in a foreign currency, and what is kept; nothing of one in won.
    func seen(of foreign: ForeignRefund?) -> [String: JSON] {
        guard let foreign else { return [:] }
        return [
            "foreign_amount": .integer(foreign.amount), "foreign_fee": .integer(foreign.fee),
            "foreign_currency": .string(foreign.currency.code),
        ]
    }

    /// What is left of a spend or capture, and how many coins of it have a place in their lots.
    package func seen(of redemption: Redemption, fitting: Int64) async throws -> [String: JSON] {
        try await seen(of: redemption.user).merging([
            "left": .integer(redemption.coins), "returned_before": .integer(redemption.returned),
            "fitting": .integer(fitting),
        ]) { $1 }
    }

    /// The payment of a finding, and the customer who is to get it, or whose it may be; nil: nobody knows.
    package func seen(of finding: Finding, for user: UserID?) async throws -> [String: JSON] {
        var seen = try await seen(of: user)
        seen["open"] = .bool(finding.isOpen)
        if let amount = finding.amount, let currency = finding.currency {
            seen["amount"] = .integer(amount)
            seen["currency"] = .string(currency)
        }
        return seen
    }

    /// The same of the finding with an id; nil: there is none.
    func seen(ofFinding id: Int64, for user: UserID?) async throws -> [String: JSON]? {
        guard let finding = try await desks.ledger.findings.find(id)?.finding else { return nil }
        return try await seen(of: finding, for: user)
    }
}

/// A proposal with its order, and what has become of its object since it was proposed.
package struct ProposalReview: Sendable {
    package let order: any PersonOrder
    /// What the proposer saw.
    package let then: [String: JSON]
    /// What they would see now.
    package let now: [String: JSON]

    /// Whether the approval would be refused, because the object has changed.
    ///
    /// The act decides it, in its own transaction. What was proposed before a member was kept is not compared.
    package var isOutdated: Bool {
        type(of: order).decisive.contains { name in then[name].map { $0 != now[name] } ?? false }
    }
}

extension ApprovalDesk {
    /// A proposal beside the present state of its object; nil for one that this version can't read, or whose object is gone.
    package func review(of approval: Approval) async throws -> ProposalReview? {
        guard let order = PersonOrders.stored(in: approval),
            let then = approval.storedSeen,
            let now = try await order.seen(at: self, of: approval.user)
        else { return nil }
        return ProposalReview(order: order, then: then, now: now)
    }
}

extension Approval {
    /// What the order asks for; nil for what was stored by hand.
    var storedParameters: JSON? { try? JSONParser.parse(Array(parameters.utf8)) }

    /// What the proposer saw; nil for what was stored by hand.
    var storedSeen: [String: JSON]? {
        guard case .object(let members)? = try? JSONParser.parse(Array(seen.utf8)) else { return nil }
        return members
    }
}
