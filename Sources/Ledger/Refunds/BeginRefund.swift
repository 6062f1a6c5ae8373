/// Holds coins of a purchase for a refund of the money paid for them.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  bonus / Cr held:<user>:bonus  bonus
/// ```
/// Only unused coins of the purchase itself are held, with a share of its bonus coins that are still there. Then the
/// gateway is asked to cancel, and ``CompleteRefund`` or ``ReleaseRefund`` ends the refund.
package struct BeginRefund: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let user: UserID
    package let purchaseID: Int64
    /// Paid coins to refund; nil: all that can be refunded.
    package let coins: Coins?
    package let explanation: String
    /// The account that receives the money, for payment methods that can't return it themselves.
    package let account: BankAccount?
    /// The fee and the rule for used bonus coins.
    ///
    /// They are not part of the ``fingerprint``.
    package let policy: RefundPolicy

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

/// The result of beginning a refund.
package struct RefundBegun: Sendable, Equatable, Codable {
    package let refund: Refund
    /// The user's balance after the act.
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
