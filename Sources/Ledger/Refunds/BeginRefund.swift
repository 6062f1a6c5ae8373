/// Sets coins of a purchase aside, to be given back for the money they were bought for.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  bonus / Cr held:<user>:bonus  bonus
/// ```
/// Only the purchase's own coins are taken, as far as they are unused, with the part of its given coins that is still
/// there. Then the gateway is asked, and ``CompleteRefund`` or ``ReleaseRefund`` ends it.
package struct BeginRefund: KeyedAct, Equatable {
    /// The caller's key: the same key again is answered with the refund it began.
    package let idempotencyKey: CallerKey
    /// Whose coins.
    package let user: UserID
    /// Which purchase.
    package let purchaseID: Int64
    /// How many of its bought coins; nil: all that can be given back.
    package let coins: Coins?
    /// Why, for people.
    package let explanation: String
    /// Where the money goes, for methods that can't return it by themselves.
    package let account: BankAccount?
    /// What is kept; not a part of what is asked for.
    package let policy: RefundPolicy

    /// A refund to begin.
    package init(
        idempotencyKey: CallerKey, user: UserID, purchaseID: Int64, coins: Coins? = nil, explanation: String,
        account: BankAccount? = nil, policy: RefundPolicy = .free
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.purchaseID = purchaseID
        self.coins = coins
        self.explanation = explanation
        self.account = account
        self.policy = policy
    }
}

/// A refund whose coins are set aside.
package struct RefundBegun: Sendable, Equatable, Codable {
    /// The refund.
    package let refund: Refund
    /// The user's balance right after the act.
    package let balance: Balance
}

// MARK: - Planning

extension BeginRefund {
    package var touches: Touches {
        Touches(userLots: .always, purchase: purchaseID)
    }

    package func plan(on books: inout Plan) -> Answer<RefundBegun> { books.beginRefund(self) }
}

extension Plan {
    fileprivate mutating func beginRefund(_ act: BeginRefund) -> Answer<RefundBegun> {
        guard let purchase = purchases.purchase(act.purchaseID, of: act.user) else { return .refused(.noSuchPurchase) }
        let quote = RefundQuote(
            act.coins, of: purchase, lots: lots.of(purchase), policy: act.policy,
            obstacles: .init(
                debt: balance(of: act.user).debt, isInProgress: refunds.pending(of: purchase) != nil),
            at: recordedAt)
        if let refusal = quote.refusal { return .refused(refusal) }

        let id = newID()
        let refund = Refund(
            id: id, purchaseID: purchase.id, user: purchase.user, status: .pending, coins: quote.coins,
            bonusCoins: quote.bonusCoins, charged: quote.bonusCharged, value: quote.value, fee: quote.fee,
            currency: purchase.currency,
            explanation: act.explanation, believedBalance: purchase.amount - purchase.refundedAmount,
            requestedAt: recordedAt, journalEntryID: setAside(quote, for: id, because: act.explanation))
        refunds.insert(refund, to: act.account)
        return .done(RefundBegun(refund: refund, balance: balance(of: act.user)))
    }

    private mutating func setAside(_ quote: RefundQuote, for id: Int64, because reason: String) -> Int64 {
        let user = quote.purchase.user
        let choices = choices(of: quote.purchase, paid: quote.coins, bonus: quote.bonusCoins)
        let (lots, _) = using(choices) { lot, coins in
            lot.hold(coins)
            return 0
        }
        let entryID = post(
            .refundHold, reference: "refund:\(id)", reason: reason, effectiveAt: recordedAt, in: stripe(of: user),
            walletLines(.debit, paid: quote.coins, bonus: quote.bonusCoins, of: user)
                + heldLines(.credit, paid: quote.coins, bonus: quote.bonusCoins, of: user))
        change(lots, by: entryID)
        return entryID
    }
}

// MARK: - How it is recorded under its key

extension BeginRefund {
    package static let name = "refund"
    package static let successName = "refundBegun"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(purchaseID), coins.map { String($0.count) }, explanation, account?.bank,
            account?.number, account?.holder, account?.phone)
    }

    package static func journalEntryID(of success: RefundBegun) -> Int64? { success.refund.journalEntryID }
}
