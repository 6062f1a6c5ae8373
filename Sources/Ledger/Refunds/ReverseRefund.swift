import Foundation

/// Takes back an approved refund that finance can't or need not pay: the purchase and its coins are as before.
///
/// ```
/// Dr coins:issued         coins / Cr wallet:<user>:paid      coins
/// Dr coins:promotions     bonus / Cr wallet:<user>:bonus     bonus
/// Dr refunds:payable     amount / Cr coins:deferred-revenue  value
/// Dr revenue:refund-fees    fee
/// ```
/// The entry is the opposite of the refund's. If the user owes coins, the debt is paid first: see ``CreditPurchase``.
///
/// A lot that has expired meanwhile expires again after ``grace``; without it, its coins expire at once. Coins that had
/// expired before the refund expire again at once.
package struct ReverseRefund: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let refundID: Int64
    package let reason: String
    /// The seconds for which coins of expired lots can be used; 0: they expire at once.
    ///
    /// They are not part of the ``fingerprint``.
    package let grace: Int64

    package init(idempotencyKey: CallerKey, user: UserID, refundID: Int64, reason: String, grace: Int64 = 0) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.refundID = refundID
        self.reason = reason
        self.grace = grace
    }
}

/// The result of reversing a refund.
package struct RefundReversed: Sendable, Equatable, Codable, PostedSuccess {
    package let refund: Refund
    /// The journal entry of the reversal.
    package let journalEntryID: Int64
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension ReverseRefund {
    package var touches: Touches { .reversing(refund: refundID, against: .refundsPayable) }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<RefundReversed> {
        try books.reverseRefund(self)
    }
}

extension Plan {
    fileprivate mutating func reverseRefund(_ act: ReverseRefund) throws(LedgerError) -> Answer<RefundReversed> {
        guard let refund = refunds.refund(act.refundID, of: act.user) else { return .refused(.noSuchRefund) }
        guard refund.status == .approved else { return .refused(.refundNotApproved(refund.status)) }
        if let refusal = lackOfPlace(for: refund.transfer?.taken ?? []) { return .refused(refusal) }
        return .done(
            try reverse(
                refund, against: .refundsPayable, because: act.reason, effectiveAt: recordedAt, grace: act.grace))
    }

    /// Takes back a refund by bank transfer: its coins come back.
    ///
    /// - Parameters:
    ///   - account: what the payer's money is taken off, or comes back to.
    ///   - grace: the seconds for which coins of expired lots can be used.
    mutating func reverse(
        _ refund: Refund, against account: SystemAccount, because reason: String?, effectiveAt: Date, grace: Int64
    ) throws(LedgerError) -> RefundReversed {
        guard let purchase = purchases.purchase(refund.purchaseID, of: refund.user),
            let reversed = refund.reversalEntryID, let uses = refund.transfer?.taken
        else { throw .unexpected("refund \(refund.id) by bank transfer has no purchase or took no coins") }
        var refund = refund
        var changes = try putBack(uses) { $0.kind == .paid && refund.unusedCoins == 0 ? 0 : grace }
        // What the payer was to get was recognised for no supply.
        if let paid = changes.firstIndex(where: { $0.lot.kind == .paid }) { changes[paid].lot.recognise(refund.value) }
        let vat = -outputVAT(of: changes.map(\.lot))
        let lines = refundLines(
            refund, uses, vat, from: walletLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user),
            against: account)
        let entryID = post(
            .refundReversal, reference: refund.reference, reason: reason, effectiveAt: effectiveAt,
            in: stripe(of: refund.user), reverses: reversed, lines.map(\.opposite))
        change(changes.map(\.lot), by: entryID)
        redemptions.note(CoinReturn.of(reversed, by: entryID, uses, changes.map(\.extension)))
        refund.status = .reversed
        refund.decidedAt = recordedAt
        refunds.decide(refund, by: entryID)
        _ = purchases.reverse(purchase, by: refund.reversal(by: entryID).negated)
        expireAgain(refund, of: purchase)
        let usable = choices(of: purchase, paid: refund.unusedCoins, bonus: refund.bonusCoins)
        payDebt(of: refund.user, returned: usable, reference: refund.reference)
        return RefundReversed(refund: refund, journalEntryID: entryID, balance: balance(of: refund.user))
    }
}

extension Touches {
    /// What an act reads and changes that takes back a refund by bank transfer.
    static func reversing(refund: Int64, against account: SystemAccount) -> Touches {
        Touches(
            systemAccounts: [
                .coinsIssued, .coinsPromotions, account, .deferredRevenue, .revenue, .refundFees, .coinsExpired,
                .breakage,
            ],
            userLots: .ifInDebt, refund: refund)
    }
}

extension PurchaseReversal {
    /// What takes it back.
    fileprivate var negated: PurchaseReversal {
        PurchaseReversal(
            journalEntryID: journalEntryID, purchaseID: purchaseID, amount: -amount, coins: -coins,
            bonusCoins: -bonusCoins, chargedCoins: -chargedCoins, isTransfer: isTransfer)
    }
}

// MARK: - How it is recorded under its key

extension ReverseRefund {
    package static let name = "refund_reversal"
    package static let successName = "refundReversed"

    package var fingerprint: Fingerprint { Fingerprint(Self.name, user.rawValue, String(refundID), reason) }
}
