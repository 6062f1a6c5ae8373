/// Spends a user's coins.
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr coins:redeemed  coins
/// Dr wallet:<user>:bonus     coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins   won, less VAT
///                                  / Cr tax:vat-payable (or tax:vat-deferred)  VAT
/// ```
/// The coins come from the user's lots in the ledger's ``LotOrdering``; the won are what was paid for those coins.
/// Expired lots can't be spent, and a user in debt can't spend.
package struct Spend: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let coins: Coins
    /// The caller's reference, such as an order number.
    package let reference: String?
    package let reason: String?

    package init(
        idempotencyKey: CallerKey, user: UserID, coins: Coins, reference: String? = nil, reason: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reference = reference
        self.reason = reason
    }
}

/// The result of a spend.
package struct Spent: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    package let coins: Int64
    /// The lots that the coins came from, with the won recognised for each.
    package let lots: [LotUse]
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension Spend {
    package var touches: Touches {
        Touches(systemAccounts: [.coinsRedeemed, .deferredRevenue, .revenue], userLots: .first)
    }

    package func plan(on books: inout Plan) -> Answer<Spent> { books.spend(self) }
}

extension Plan {
    fileprivate mutating func spend(_ act: Spend) -> Answer<Spent> {
        let user = act.user
        let coins = act.coins.count
        let choices: [Choice]
        switch choose(coins, of: user) {
        case .coins(let chosen): choices = chosen
        case .refused(let refusal): return .refused(refusal)
        }
        let stripe = stripe(of: user)
        let (lots, uses) = using(choices) { lot, coins in lot.take(coins) }
        let entryID = post(
            .spend, reference: act.reference ?? "user:\(user.rawValue)", reason: act.reason,
            effectiveAt: recordedAt, in: stripe,
            walletLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: user)
                + [Line(account: .system(.coinsRedeemed, stripe), side: .credit, amount: coins)]
                + recognition(of: uses.amount, outputVAT(of: lots), in: stripe))
        change(lots, by: entryID)
        return .done(Spent(journalEntryID: entryID, coins: coins, lots: uses, balance: balance(of: user)))
    }
}

// MARK: - How it is recorded under its key

extension Spend {
    package static let name = "spend"
    package static let successName = "spent"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, String(coins.count), reference, reason)
    }
}
