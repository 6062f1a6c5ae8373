// Expired coins of refunds, by the policy's `ExpiredCoinRule`.

extension Plan {
    /// Takes the expired coins of a refund back into the wallet, from where the refund takes them in the same batch.
    ///
    /// ```
    /// Dr coins:expired     coins / Cr wallet:<user>:paid      coins
    /// Dr revenue:breakage  won   / Cr coins:deferred-revenue  won
    /// ```
    /// What the expiry did to the VAT is taken back. Coins past their expiry that are still in the wallet expire first
    /// (``ExpireLot``).
    ///
    /// - Returns: the refund with the entry and its won; the same refund, if it has no expired coins.
    mutating func reverseExpiry(for refund: Refund, of purchase: Purchase) -> Refund {
        guard let expired = refund.expired, let lot = paidLot(of: purchase) else { return refund }
        if lot.remaining > 0, lot.isExpired(at: recordedAt), let expiresAt = lot.expiresAt {
            expire(lot.remaining, of: lot, at: max(expiresAt, lot.returnedAt ?? expiresAt))
        }
        let stripe = stripe(of: refund.user)
        let (lots, uses) = using([Choice(lotID: lot.id, coins: expired.coins)]) { lot, coins in
            lot.reverseExpiry(of: coins, at: recordedAt)
        }
        let entryID = post(
            .expiryReversal, reference: refund.reference, reason: refund.explanation, effectiveAt: recordedAt,
            in: stripe,
            [Line(account: .system(.coinsExpired, stripe), side: .debit, amount: expired.coins)]
                + walletLines(.credit, paid: expired.coins, bonus: 0, of: refund.user)
                + breakage(of: uses.amount, -outputVAT(of: lots), in: stripe).map(\.opposite))
        change(lots, by: entryID)
        var refund = refund
        refund.expiryReversalID = entryID
        refund.expiredWon = uses.amount
        return refund
    }

    /// Lets the expired coins of a refund expire again, after the refund gave them back to the wallet.
    ///
    /// What was recognised for them before is recognised again, whatever the price of the lot's other coins.
    mutating func expireAgain(_ refund: Refund, of purchase: Purchase) {
        guard let expired = refund.expired, let lot = paidLot(of: purchase) else { return }
        expire(expired.coins, of: lot, worth: refund.expiredWon, at: recordedAt)
    }

    /// The lot of the coins that were paid for.
    func paidLot(of purchase: Purchase) -> Lot? { lots.of(purchase).first { $0.kind == .paid } }
}
