// Giving back what a claw-back took: of a dispute that is won after all, or of a refund that the store took back.

extension Plan {
    /// Gives back what a claw-back took of its purchase.
    ///
    /// ```
    /// Dr coins:issued        coins / Cr wallet:<user>:paid      coins
    /// Dr coins:promotions    bonus / Cr wallet:<user>:bonus     bonus
    ///                              / Cr debt:<user>             what is still owed
    /// Dr gateway:receivable amount / Cr coins:deferred-revenue  for coins that come back
    ///                              / Cr revenue:coins           for coins that stay used
    /// ```
    /// The entry is the opposite of the ``ClawBack``'s, by the present state of its debt:
    ///
    /// - What is still owed is cut off. What was written off is owed again first, and cut off with it.
    /// - What was paid comes back as coins of the purchase, paid ones first, with the won that the claw-back took out of
    ///   revenue for them: what paid the debt stays used in their place.
    ///
    /// Coins that had expired expire again at once. A lot that has expired meanwhile expires after the grace.
    ///
    /// - Returns: what came back; nil: the purchase's lots have no place for coins that paid the debt, because the used
    ///   coins came back too, or are held.
    /// - Throws: ``LedgerError/Code/fault`` when a lot does not exist.
    mutating func giveBack(
        _ loss: ClawBackLoss, of purchase: Purchase, because reason: String?, grace: Int64
    ) throws(LedgerError) -> TakenBack? {
        let own = lots.of(purchase)
        let debt = ReversedDebt(of: loss, purchase.id, owing: balance(of: purchase.user).debt, debts[purchase.user])
        let parts = own.map { ReturningPart(of: loss, repaid: debt.repaid($0.kind), into: $0) }
        guard parts.allSatisfy(\.fits) else { return nil }

        if debt.writtenOff > 0 { takeBackWriteOff(of: debt.writtenOff, by: purchase.user, for: purchase.id) }
        let uses = parts.map(\.use).filter { $0.coins > 0 }
        var changes = try putBack(uses) { use in parts.contains { $0.use == use && $0.usable > 0 } ? grace : 0 }
        recognise(loss.amount, in: &changes, among: own)
        let entryID = postGivingBack(
            loss, uses, debt.ended, outputVAT(of: changes.map(\.lot)), of: purchase, because: reason)
        change(changes.map(\.lot), by: entryID)
        redemptions.note(CoinReturn.of(loss.journalEntryID, by: entryID, uses, changes.map(\.extension)))
        if debt.ended > 0 {
            debts[purchase.user]?.giveBack(of: purchase.id)
            if balance(of: purchase.user).debt == 0 { debts[purchase.user]?.end() }
        }
        let reversed = purchases.reverse(purchase, by: loss.reversal(by: entryID, of: purchase.id))
        for part in parts where part.expired > 0 {
            guard let lot = lots[part.use.lotID] else { continue }
            expire(part.expired, of: lot, worth: part.breakage, at: recordedAt)
        }
        let usable = parts.filter { $0.usable > 0 }.map { Choice(lotID: $0.use.lotID, coins: $0.usable) }
        payDebt(of: purchase.user, returned: usable, reference: "purchase:\(purchase.id)")
        return TakenBack(
            purchase: reversed, amount: loss.amount, foreignAmount: loss.foreignAmount, coins: loss.coins,
            bonusCoins: loss.bonusCoins, chargedCoins: loss.chargedCoins, journalEntryID: entryID, lots: [])
    }

    /// Notes that the won of the purchase are kept again; ``putBack(_:grace:)`` took off what is deferred of them.
    private func recognise(
        _ won: Int64, in changes: inout [(lot: Lot, extension: CoinReturn.Extension?)], among own: [Lot]
    ) {
        if let place = changes.firstIndex(where: { $0.lot.kind == .paid }) {
            changes[place].lot.recognise(won)
        } else if var lot = own.first(where: { $0.kind == .paid }), lot.vat != nil {
            lot.recognise(won)
            changes.append((lot, nil))
        }
    }

    private mutating func postGivingBack(
        _ loss: ClawBackLoss, _ uses: [LotUse], _ debt: Int64, _ vat: OutputVAT, of purchase: Purchase,
        because reason: String?
    ) -> Int64 {
        let user = purchase.user
        let stripe = stripe(of: user)
        let revenue = loss.amount - uses.amount - vat.recognised
        var lines = [
            Line(account: .system(.coinsIssued, stripe), side: .debit, amount: loss.coins),
            Line(account: .system(.coinsPromotions, stripe), side: .debit, amount: loss.bonusCoins),
        ]
        lines += owedLines(loss.part, of: purchase, .debit, in: stripe)
        lines += walletLines(.credit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: user)
        if debt > 0 { lines.append(Line(account: open(.debt, of: user), side: .credit, amount: debt)) }
        lines += [
            Line(account: .system(.deferredRevenue, stripe), side: .credit, amount: uses.amount),
            Line(account: .system(.revenue, stripe), side: revenue > 0 ? .credit : .debit, amount: abs(revenue)),
        ]
        return post(
            .clawBackReversal, reference: "purchase:\(purchase.id)", reason: reason, effectiveAt: recordedAt,
            in: stripe,
            reverses: loss.journalEntryID, lines + self.lines(of: vat, in: stripe))
    }
}

/// What becomes of the debt that a claw-back made, when the claw-back is reversed.
private struct ReversedDebt {
    /// Owed coins that end: those that are still owed, and ``writtenOff``.
    let ended: Int64
    /// Coins of a write-off that is taken back.
    let writtenOff: Int64
    /// Coins that were paid, and come back.
    private let paid: Int64
    private let bonus: Int64

    init(of loss: ClawBackLoss, _ purchase: Int64, owing present: Int64, _ history: DebtHistory?) {
        let all = loss.owed(.paid) + loss.owed(.bonus)
        let left = min(all, present)
        writtenOff = min(all - left, history?.writtenOff(of: purchase, beside: left) ?? 0)
        ended = left + writtenOff
        paid = min(all - ended, loss.owed(.paid))
        bonus = all - ended - paid
    }

    func repaid(_ kind: LotKind) -> Int64 { kind == .paid ? paid : bonus }
}

/// What comes back into one lot of the purchase.
private struct ReturningPart {
    /// The coins with the won that are deferred for them.
    let use: LotUse
    /// Coins that expire again at once.
    let expired: Int64
    /// The won of ``expired``.
    let breakage: Int64
    /// Whether the lot has a place for the coins.
    let fits: Bool

    /// Coins that do not expire at once.
    var usable: Int64 { use.coins - expired }

    /// - Parameter repaid: coins that were owed and paid.
    init(of loss: ClawBackLoss, repaid: Int64, into lot: Lot) {
        let taken = loss.taken(lot.kind)
        let coins = taken.coins + taken.expired + repaid
        let before = taken.deferred + taken.breakage
        let won = lot.kind == .paid ? loss.won(ofRepaid: repaid, in: lot) : 0
        use = LotUse(lotID: lot.id, kind: lot.kind, coins: coins, amount: coins > 0 ? before + won : 0)
        (expired, breakage) = (taken.expired, taken.breakage)
        fits = coins <= lot.place
    }
}

extension ClawBackLoss {
    /// The won of owed coins that were paid and come back: their share of what was taken out of revenue, rounded down,
    /// and no more than was paid for them.
    fileprivate func won(ofRepaid coins: Int64, in lot: Lot) -> Int64 {
        guard coins > 0, revenue > 0 else { return 0 }
        let room = lot.amount - lot.deferred - lot.breakage - taken(.paid).deferred - taken(.paid).breakage
        return max(0, min(revenue.share(coins, of: owed(.paid)), lot.amount.share(coins, of: lot.coins), room))
    }

    /// What the gateway had given back.
    fileprivate var part: PaidPart { PaidPart(won: amount, foreign: foreignAmount) }

    /// What takes the claw-back back.
    fileprivate func reversal(by entryID: Int64, of purchase: Int64) -> PurchaseReversal {
        PurchaseReversal(
            journalEntryID: entryID, purchaseID: purchase, amount: -amount, foreignAmount: foreignAmount.map { -$0 },
            coins: -coins, bonusCoins: -bonusCoins, chargedCoins: -chargedCoins)
    }
}
