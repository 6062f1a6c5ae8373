// Moving coins from one user to another, by a gift and back.

extension Plan {
    /// Moves coins out of a user's lots into new lots of another user.
    mutating func give(
        _ choices: [Choice], from giver: UserID, to receiver: UserID, because reason: String?
    ) -> GivenCoins {
        let stripe = stripe(of: receiver)
        return move(choices, (giver, .giftSent), (receiver, .giftReceived), because: reason) { plan, moved, entryID in
            let lots = moved.map { lot, use in
                lot.given(use, as: plan.newID(), to: receiver, in: stripe, by: entryID, at: plan.recordedAt)
            }
            return (lots, lots.reduce(OutputVAT()) { $0 + $1.outputVAT })
        } keep: { plan, lots, _ in
            for lot in lots {
                plan.lots.insert(lot)
                plan.gifts.note(lot)
            }
        }
    }

    /// Moves given coins of a purchase back into the lots that were bought.
    ///
    /// Why the buyer gets the money back is not told to those who had the coins.
    mutating func recall(_ recall: Recall, of purchase: Purchase) {
        let choices = recall.choices(from: lots.given(of: purchase), at: recordedAt)
        for choice in choices {
            guard let holder = lots[choice.lotID]?.user else { preconditionFailure("a given lot was not loaded") }
            _ = move(
                [choice], (holder, .giftTakenBack), (purchase.user, .giftReturned), of: purchase, because: nil
            ) { plan, moved, _ in
                let lots = moved.map { lot, use in
                    guard var origin = lot.originID.flatMap({ plan.lots[$0] }) else {
                        preconditionFailure("the lot that was bought was not loaded")
                    }
                    origin.regain(use.coins, use.amount, at: plan.recordedAt)
                    return origin
                }
                return (lots, plan.outputVAT(of: lots))
            } keep: { plan, lots, entryID in
                plan.change(lots, by: entryID)
            }
        }
    }

    /// Moves won that were recognised from lots with given coins to the lot that was bought, because their money goes back there:
    /// with it goes the VAT.
    ///
    /// First those of used coins, then those of held and expired ones, for which nothing was recognised yet: as in a lot that
    /// was not split (``Lot/takeBackRecognised(_:)``). Without VAT nothing is kept of what was recognised, and the revenue is that of all stripes.
    mutating func recallRecognised(_ won: Int64, of purchase: Purchase) {
        var missing = won
        func part(_ most: Int64) -> Int64 {
            let part = max(0, min(missing, most))
            missing -= part
            return part
        }
        let taxed = lots.given(of: purchase).filter { $0.vat != nil }.sorted { $0.id > $1.id }
        let ofUsed = taxed.map { part($0.taxed - $0.beganTaxed) }
        let ofOthers = zip(taxed, ofUsed).map { part($0.taxed - $0.beganTaxed + $0.deferred + $0.breakage - $1) }
        for (given, won) in zip(taxed, zip(ofUsed, ofOthers).map(+)) where won > 0 {
            guard let origin = given.originID.flatMap({ lots[$0] }) else { continue }
            let id = newID()
            let sentID = moveRecognised(-won, of: given, by: .giftTakenBack, GivenCoins.reference(of: id))
            let receivedID = moveRecognised(won, of: origin, by: .giftReturned, GivenCoins.reference(of: id))
            gifts.insert(
                GivenCoins(
                    id: id, giver: given.user, receiver: origin.user, coins: 0, amount: won, sentEntryID: sentID,
                    receivedEntryID: receivedID, purchaseID: purchase.id, recordedAt: recordedAt),
                [
                    GivenLot(
                        giftID: id, fromLotID: given.id, toLotID: origin.id, coins: 0, amount: 0, recognised: won)
                ])
        }
    }

    private mutating func moveRecognised(
        _ won: Int64, of lot: Lot, by kind: EntryKind, _ reference: String
    ) -> Int64 {
        var lot = lot
        lot.recognise(won)
        let stripe = stripe(of: lot.user)
        let vat = outputVAT(of: [lot])
        let revenue = won - vat.recognised
        let entryID = post(
            kind, reference: reference, effectiveAt: recordedAt, in: stripe,
            [
                Line(account: .system(.clearingWon, stripe), side: won > 0 ? .debit : .credit, amount: abs(won)),
                Line(account: .system(.revenue, stripe), side: revenue > 0 ? .credit : .debit, amount: abs(revenue)),
            ] + lines(of: vat, in: stripe))
        change([lot], by: entryID)
        return entryID
    }

    /// Posts both entries of coins that move, and changes the lots of each side.
    ///
    /// - Parameters:
    ///   - end: whose coins they are, and the kind of the entry.
    ///   - arrive: the lots in which the coins arrive, and the VAT that comes with them.
    ///   - keep: records these lots, after the entry is posted.
    private mutating func move(
        _ choices: [Choice], _ sender: (user: UserID, kind: EntryKind), _ receiver: (user: UserID, kind: EntryKind),
        of purchase: Purchase? = nil, because reason: String?,
        arrive: (inout Plan, [(lot: Lot, use: LotUse)], _ entryID: Int64) -> (lots: [Lot], vat: OutputVAT),
        keep: (inout Plan, [Lot], _ entryID: Int64) -> Void
    ) -> GivenCoins {
        let id = newID()
        let (lots, uses) = using(choices) { lot, coins in lot.give(coins) }
        let gone = outputVAT(of: lots)
        let sentID = post(
            sender.kind, reference: GivenCoins.reference(of: id), reason: reason, effectiveAt: recordedAt,
            in: stripe(of: sender.user), lines(.debit, uses, gone, of: sender.user))
        change(lots, by: sentID)
        // The lots that get the coins name the entry, which posts their VAT: so its id is taken first.
        let receivedID = newID()
        let arrived = arrive(&self, Array(zip(lots, uses)).map { (lot: $0, use: $1) }, receivedID)
        post(
            receiver.kind, id: receivedID, reference: GivenCoins.reference(of: id), reason: reason,
            effectiveAt: recordedAt, in: stripe(of: receiver.user),
            lines(.credit, uses, arrived.vat, of: receiver.user))
        keep(&self, arrived.lots, receivedID)
        let moved = GivenCoins(
            id: id, giver: sender.user, receiver: receiver.user, coins: uses.reduce(0) { $0 + $1.coins },
            amount: uses.amount, sentEntryID: sentID, receivedEntryID: receivedID, purchaseID: purchase?.id,
            recordedAt: recordedAt)
        gifts.insert(
            moved,
            zip(uses, arrived.lots).map {
                GivenLot(giftID: id, fromLotID: $0.lotID, toLotID: $1.id, coins: $0.coins, amount: $0.amount)
            })
        return moved
    }

    /// The lines of one user's entry: the coins leave the wallet (debit) or get there, with their won and VAT.
    private mutating func lines(_ side: Side, _ uses: [LotUse], _ vat: OutputVAT, of user: UserID) -> [Line] {
        let stripe = stripe(of: user)
        let coins = uses.reduce(0) { $0 + $1.coins }
        return walletLines(side, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: user) + [
            Line(account: .system(.clearingCoins, stripe), side: side.opposite, amount: coins),
            Line(account: .system(.deferredRevenue, stripe), side: side, amount: uses.amount),
            Line(account: .system(.clearingWon, stripe), side: side.opposite, amount: uses.amount),
        ] + taxLines(of: vat, in: stripe)
    }
}
