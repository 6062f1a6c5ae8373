/// Begins a refund of a purchase: holds its coins, if the gateway gives the money back.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  bonus / Cr held:<user>:bonus  bonus
/// ```
/// Only unused coins of the purchase itself are held, with a share of its bonus coins that are still there. Then the
/// gateway is asked to cancel, and ``CompleteRefund`` or ``ReleaseRefund`` ends the refund.
///
/// A refund by bank transfer is approved: it takes the same coins at once, and the money is owed.
///
/// ```
/// Dr wallet:<user>:paid      coins / Cr coins:issued         coins
/// Dr wallet:<user>:bonus     bonus / Cr coins:promotions     bonus
/// Dr coins:deferred-revenue  value / Cr refunds:payable      amount
///                                    Cr revenue:refund-fees  fee
/// ```
/// With ``VATSettings/taxesRefundFees``, the fee is booked without its VAT, which the refund keeps.
/// ``PayRefund`` or ``ReverseRefund`` ends it. The gateway never cancels it.
///
/// Expired coins, if the policy has a rule for them, are taken back into the wallet first: see
/// ``Plan/reverseExpiry(for:of:)``.
package struct BeginRefund: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let purchaseID: Int64
    /// Paid coins to refund; nil: all that can be refunded.
    package let coins: Coins?
    /// Why, for people; never the payer's account.
    package let explanation: String
    package let method: Refund.Method
    /// The account that receives the money, for payment methods that can't return it themselves.
    package let account: BankAccount?
    /// The fee and the rule for used bonus coins.
    ///
    /// They are not part of the ``fingerprint``.
    package let policy: RefundPolicy
    /// Why the fee is waived; nil: it is not.
    package let feeWaiver: String?
    /// What must hold; otherwise ``Refusal/changedMeanwhile`` or ``Refusal/exceedsOwnLimit(required:available:)``.
    ///
    /// They are not part of the ``fingerprint``.
    package let terms: RefundTerms

    package init(
        idempotencyKey: CallerKey, user: UserID, purchaseID: Int64, coins: Coins? = nil, explanation: String,
        method: Refund.Method = .gateway, account: BankAccount? = nil, policy: RefundPolicy = .free,
        feeWaiver: String? = nil, terms: RefundTerms = .none
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.purchaseID = purchaseID
        self.coins = coins
        self.explanation = explanation
        self.method = method
        self.account = account
        self.policy = policy
        self.feeWaiver = feeWaiver
        self.terms = terms
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
        var accounts: [SystemAccount] =
            method == .gateway
            ? [] : [.coinsIssued, .coinsPromotions, .refundsPayable, .deferredRevenue, .revenue, .refundFees]
        if policy.expired != nil { accounts += [.coinsExpired, .breakage, .deferredRevenue] }
        return Touches(systemAccounts: accounts, userLots: .first, purchase: purchaseID)
    }

    package func plan(on books: inout Plan) -> Answer<RefundBegun> { books.beginRefund(self) }
}

extension Plan {
    fileprivate mutating func beginRefund(_ act: BeginRefund) -> Answer<RefundBegun> {
        guard let purchase = purchases.purchase(act.purchaseID, of: act.user) else { return .refused(.noSuchPurchase) }
        // A bank transfer is in won.
        guard purchase.foreign == nil || act.method == .gateway else { return .refused(.refundInForeignCurrency) }
        let quote = quote(act.coins, of: purchase, act.policy, isWaived: act.feeWaiver != nil)
        if let refusal = quote.refusal ?? act.terms.refusal(of: quote) { return .refused(refusal) }
        recall(quote.recall, of: purchase)

        let refund =
            switch act.method {
            case .gateway: hold(quote, for: act)
            case .bankTransfer: approve(quote, for: act)
            }
        return .done(RefundBegun(refund: refund, balance: balance(of: act.user)))
    }

    private mutating func hold(_ quote: RefundQuote, for act: BeginRefund) -> Refund {
        var refund = Refund(quote, id: newID(), status: .pending, for: act, feeVAT: feeVAT(of: quote), at: recordedAt)
        refund = reverseExpiry(for: refund, of: quote.purchase)
        refund.journalEntryID = setAside(quote, for: refund.id, because: act.explanation)
        refunds.insert(refund, to: act.account)
        return refund
    }

    private mutating func approve(_ quote: RefundQuote, for act: BeginRefund) -> Refund {
        var refund = Refund(quote, id: newID(), status: .approved, for: act, feeVAT: feeVAT(of: quote), at: recordedAt)
        refund = reverseExpiry(for: refund, of: quote.purchase)
        let (entryID, taken) = takeBack(
            refund, of: quote.purchase, from: .wallet, against: .refundsPayable, at: recordedAt)
        refund.journalEntryID = entryID
        refund.reversalEntryID = entryID
        refund.transfer = Refund.Transfer(taken: taken)
        refunds.insert(refund, to: nil)
        _ = purchases.reverse(quote.purchase, by: refund.reversal(by: entryID))
        return refund
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
        // What was asked for before there were methods and waivers has the same fingerprint as then.
        guard method == .gateway, feeWaiver == nil else {
            return Fingerprint(
                Self.name, method.rawValue, feeWaiver, user.rawValue, String(purchaseID),
                coins.map { String($0.count) }, explanation, account?.bank, account?.number, account?.holder,
                account?.phone)
        }
        return Fingerprint(
            Self.name, user.rawValue, String(purchaseID), coins.map { String($0.count) }, explanation, account?.bank,
            account?.number, account?.holder, account?.phone)
    }

    package static func journalEntryID(of success: RefundBegun) -> Int64? { success.refund.journalEntryID }
}
