import Foundation

// Shared by the acts on a refund.

extension Plan {
    /// The refund with this id; nil: not found, or another user's.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when the refund is pending and the lots of its purchase contradict it.
    func refund(_ id: Int64, of user: UserID) throws(LedgerError) -> Refund? {
        guard let refund = refunds.refund(id, of: user) else { return nil }
        guard refund.status == .pending, let purchase = purchases.purchase(refund.purchaseID, of: user) else {
            return refund
        }
        let lots = lots.of(purchase)
        let held = (
            paid: lots.first { $0.kind == .paid }?.held ?? 0, bonus: lots.first { $0.kind == .bonus }?.held ?? 0
        )
        guard held.paid >= refund.coins, held.bonus >= refund.bonusCoins, refund.coins >= refund.bonusCharged else {
            throw .unexpected("refund \(id) and the lots of its purchase contradict each other")
        }
        return refund
    }

    /// Coins of the purchase's lots.
    ///
    /// It has at most one lot of each kind.
    func choices(of purchase: Purchase, paid: Int64, bonus: Int64) -> [Choice] {
        lots.of(purchase).map { Choice(lotID: $0.id, coins: $0.kind == .paid ? paid : bonus) }.filter { $0.coins > 0 }
    }

    /// Where a refund takes its coins from.
    enum RefundSource {
        case hold, wallet
    }

    /// Takes a refund's coins permanently, and reverses the purchase for them.
    ///
    /// - Parameter account: what the payer's money comes from.
    /// - Returns: the entry, and what was taken of each lot with the won that were deferred for it.
    mutating func takeBack(
        _ refund: Refund, of purchase: Purchase, from source: RefundSource, against account: SystemAccount,
        at effectiveAt: Date
    ) -> (entryID: Int64, uses: [LotUse]) {
        let choices = choices(of: purchase, paid: refund.coins, bonus: refund.bonusCoins)
        let (lots, uses) = using(choices) { lot, coins in
            if source == .wallet { lot.hold(coins) }
            guard lot.kind == .paid else { return lot.giveBack(coins, worth: 0) }
            return lot.capture(refund.bonusCharged, worth: lot.won(ofChargedBy: refund))
                + lot.giveBack(refund.coinsPaidFor, worth: refund.value)
        }
        let taken =
            source == .wallet
            ? walletLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
            : heldLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
        let entryID = post(
            .refund, reference: refund.reference, reason: refund.explanation, effectiveAt: effectiveAt,
            in: stripe(of: refund.user), reverses: purchase.journalEntryID,
            refundLines(refund, uses, outputVAT(of: lots), from: taken, against: account))
        change(lots, by: entryID)
        return (entryID, uses)
    }

    /// The lines of a refund's entry; those of its reversal are the opposite ones.
    ///
    /// - Parameters:
    ///   - uses: what is taken of each lot, with the won that were deferred for it.
    ///   - vat: the output VAT of the lots that arises from it, or falls away. That of the fee is added.
    ///   - taken: the lines of the user's accounts.
    ///   - account: what the payer's money comes from.
    func refundLines(
        _ refund: Refund, _ uses: [LotUse], _ vat: OutputVAT, from taken: [Line], against account: SystemAccount
    ) -> [Line] {
        let stripe = stripe(of: refund.user)
        let rest = uses.amount - refund.value - vat.recognised
        let feeVAT = refund.feeVAT ?? 0
        return taken + [
            Line(account: .system(.coinsIssued, stripe), side: .credit, amount: refund.coinsPaidFor),
            Line(
                account: .system(.coinsPromotions, stripe), side: .credit,
                amount: refund.bonusCoins + refund.bonusCharged),
            Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: uses.amount),
        ] + owedLines(refund.part, on: account, in: refund.foreign?.currency, .credit, stripe) + [
            Line(account: .system(.refundFees, stripe), side: .credit, amount: refund.fee - feeVAT),
            Line(account: .system(.revenue, stripe), side: rest > 0 ? .credit : .debit, amount: abs(rest)),
        ] + lines(of: vat + OutputVAT(payable: feeVAT), in: stripe)
    }

    /// The answer for a refund that was decided before.
    func asItIs(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        Answer(decided(refund, of: purchase).outcome, isRepeat: true)
    }

    func decided(_ refund: Refund, of purchase: Purchase) -> Answer<RefundDecided> {
        .done(RefundDecided(refund: refund, purchase: purchase, balance: balance(of: refund.user)))
    }
}

extension Plan {
    /// What a refund of the purchase would come to now.
    func quote(_ coins: Coins?, of purchase: Purchase, _ policy: RefundPolicy, isWaived: Bool) -> RefundQuote {
        RefundQuote(
            coins, of: purchase, lots: lots.of(purchase), given: lots.given(of: purchase), policy: policy,
            obstacles: .init(
                debt: balance(of: purchase.user).debt, isInProgress: refunds.pending(of: purchase) != nil),
            before: refunds.completed(of: purchase), isWaived: isWaived, at: recordedAt)
    }
}

extension Refund {
    /// A new refund as quoted; its journal entry is still to be posted.
    init(
        _ quote: RefundQuote, id: Int64, status: Status, for act: BeginRefund, feeVAT: Int64?, at moment: Date
    ) {
        let purchase = quote.purchase
        self.init(
            id: id, purchaseID: purchase.id, user: purchase.user, status: status, coins: quote.coins,
            bonusCoins: quote.bonusCoins, charged: quote.bonusCharged, value: quote.value, fee: quote.fee,
            currency: purchase.currency, explanation: act.explanation,
            believedBalance: purchase.amount - purchase.cancelledAmount, requestedAt: moment, journalEntryID: 0,
            feeRule: quote.feeRule, feeWaiver: act.feeWaiver, feeVAT: feeVAT, expired: quote.expired,
            foreign: quote.foreign)
    }

    /// What its journal entries refer to.
    var reference: String { "refund:\(id)" }

    /// The part of the purchase that it takes back.
    func reversal(by entryID: Int64) -> PurchaseReversal {
        PurchaseReversal(
            journalEntryID: entryID, purchaseID: purchaseID, amount: amount, foreignAmount: foreign?.amount,
            coins: coinsPaidFor,
            bonusCoins: bonusCoins + bonusCharged, chargedCoins: bonusCharged, isTransfer: method == .bankTransfer)
    }
}

extension Lot {
    /// The won paid for the coins that a refund charges, while its expired coins are in the lot.
    ///
    /// Unused coins are charged first. Expired ones have what was recognised for them and is not refunded.
    fileprivate func won(ofChargedBy refund: Refund) -> Int64 {
        guard let expired = refund.expired, let back = refund.expiredWon else { return won(of: refund.bonusCharged) }
        let unused = min(refund.bonusCharged, refund.unusedCoins)
        let others = remaining + held - expired.coins
        return (others > 0 ? max(0, deferred - back).share(unused, of: others) : 0) + back - expired.value
    }

    /// Takes held coins permanently, because `value` won paid for them were refunded.
    ///
    /// The value of the coins was fixed when they were held. Spends and claw-backs in the meantime change it only by
    /// rounding, and the lot's last coins take the difference.
    ///
    /// - Returns: the won that were still deferred for them.
    fileprivate mutating func giveBack(_ coins: Int64, worth value: Int64) -> Int64 {
        held -= coins
        let won = remaining + held == 0 ? deferred : min(deferred, value)
        deferred -= won
        recognise(won - value)
        return won
    }
}
