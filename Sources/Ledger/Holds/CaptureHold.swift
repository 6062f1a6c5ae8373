import Foundation

/// Takes held coins.
///
/// They become a provider's earnings, or they are redeemed.
///
/// ```
/// Dr held:<user>:paid        coins / Cr earnings:<provider> (or coins:redeemed)  coins
/// Dr held:<user>:bonus       coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins                            won
/// ```
/// A provider with terms gets a share of the won: see ``Plan/recognition(of:_:for:side:in:)``.
package struct CaptureHold: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let holdID: Int64
    /// The coins to capture; nil: all that are still held.
    package let coins: Coins?
    /// Who earns the coins; nil: nobody, the coins are redeemed.
    package let provider: UserID?
    /// What the provider sells, which chooses the terms; nil: not named.
    package let item: String?
    /// Whether the rest is released to the wallet, because this is the last capture.
    package let isFinal: Bool
    package let reason: String?

    package init(
        idempotencyKey: CallerKey, user: UserID, holdID: Int64, coins: Coins? = nil, provider: UserID? = nil,
        item: String? = nil, isFinal: Bool = false, reason: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.holdID = holdID
        self.coins = coins
        self.provider = provider
        self.item = item?.precomposedStringWithCanonicalMapping
        self.isFinal = isFinal
        self.reason = reason
    }
}

/// The result of a capture.
package struct HoldCaptured: Sendable, Equatable, Codable, PostedSuccess {
    /// The hold after the act.
    package let hold: Hold
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The coins that this capture took.
    package let coins: Int64
    /// The lots that the coins came from, with the won recognised for each.
    package let lots: [LotUse]
    /// Who earned the coins; nil: nobody, the coins were redeemed.
    package let provider: UserID?
    /// What the provider sold; nil: not named.
    package let item: String?
    /// What the provider gets of the won; nil: nothing, there is no provider, or one without terms.
    package let share: ProviderShare?
    /// The user's balance after the act.
    package let balance: Balance

    /// Outcomes of acts are stored under these names.
    private enum CodingKeys: String, CodingKey {
        case hold, journalEntryID, coins, lots, provider, share, balance
        case item = "product"
    }
}

// MARK: - Planning

extension CaptureHold {
    package var touches: Touches {
        Touches(
            systemAccounts: [.coinsRedeemed, .deferredRevenue, .revenue] + (isFinal ? [.coinsWrittenOff] : []),
            provider: provider, item: item, userLots: .ifInDebt, hold: holdID, debtHistory: isFinal)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<HoldCaptured> {
        try books.captureHold(self)
    }
}

extension Plan {
    fileprivate mutating func captureHold(_ act: CaptureHold) throws(LedgerError) -> Answer<HoldCaptured> {
        guard let hold = try hold(act.holdID, of: act.user) else { return .refused(.noSuchHold) }
        guard hold.status == .open else { return .refused(.holdClosed(hold.status)) }
        guard hold.expiresAt > recordedAt else { return .refused(.holdExpired) }
        let coins = act.coins?.count ?? hold.remaining
        guard coins <= hold.remaining else {
            return .refused(.exceedsHold(required: coins, available: hold.remaining))
        }

        // Only a hold that was placed before there was a limit has so many lots.
        let parts = holds.lots(of: hold).taking(coins).choices.map(\.coins)
        guard !isTooMany(parts) else { return .refused(tooManyLots(parts, for: coins)) }

        var (captured, entryID, uses, share) = capture(coins, of: hold, for: act)
        if act.isFinal { captured = release(captured, as: .captured, because: act.reason) }
        return .done(
            HoldCaptured(
                hold: captured, journalEntryID: entryID, coins: coins, lots: uses, provider: act.provider,
                item: act.item, share: share, balance: balance(of: act.user)))
    }

    private mutating func capture(
        _ coins: Int64, of hold: Hold, for act: CaptureHold
    ) -> (hold: Hold, journalEntryID: Int64, uses: [LotUse], share: ProviderShare?) {
        let stripe = stripe(of: hold.user)
        let (choices, left) = holds.lots(of: hold).taking(coins)
        var (lots, uses) = using(choices) { lot, coins in lot.capture(coins) }
        let destination =
            act.provider.map { openEarnings(of: $0, in: stripe) } ?? .system(.coinsRedeemed, stripe)
        let share = share(of: uses.amount, for: act.provider, item: act.item)
        for (place, won) in (share?.supplied(of: uses) ?? []).enumerated() { lots[place].recognise(-won) }
        let vat = outputVAT(of: lots)
        let entryID = post(
            .capture, reference: "hold:\(hold.id)", reason: act.reason, effectiveAt: recordedAt, in: stripe,
            heldLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: hold.user)
                + [Line(account: destination, side: .credit, amount: coins)]
                + recognition(of: uses.amount, share, vat, for: act.provider, in: stripe))
        change(lots, by: entryID)
        note(
            share, of: entryID, by: entryID, for: act.provider, item: act.item, won: uses.amount, vat, in: stripe)
        var hold = hold
        hold.captured += coins
        if hold.remaining == 0 {
            hold.status = .captured
            hold.closedAt = recordedAt
        }
        holds.change(hold, left, by: entryID)
        return (hold, entryID, uses, share)
    }
}

// MARK: - How it is recorded under its key

extension CaptureHold {
    package static let name = "capture"
    package static let successName = "holdCaptured"

    package var fingerprint: Fingerprint {
        // A capture that names no item has the same fingerprint as before there were terms of items.
        guard let item else {
            return Fingerprint(
                Self.name, user.rawValue, String(holdID), coins.map { String($0.count) }, provider?.rawValue,
                String(isFinal), reason)
        }
        return Fingerprint(
            Self.name, user.rawValue, String(holdID), coins.map { String($0.count) }, provider?.rawValue, item,
            String(isFinal), reason)
    }
}
