/// Takes coins that were set aside: to a provider's earnings, or as redeemed.
///
/// ```
/// Dr held:<user>:paid        coins / Cr earnings:<provider> (or coins:redeemed)  coins
/// Dr held:<user>:bonus       coins
/// Dr coins:deferred-revenue  won   / Cr revenue:coins                            won
/// ```
package struct CaptureHold: KeyedAct, Equatable {
    /// The caller's key: the same key again is answered with the first outcome.
    package let idempotencyKey: CallerKey
    /// Whose coins.
    package let user: UserID
    /// Which hold.
    package let holdID: Int64
    /// How many; nil: all that are still set aside.
    package let coins: Coins?
    /// Who earns them; nil: nobody does, and they count as redeemed.
    package let provider: UserID?
    /// Whether what is still set aside afterwards goes back to the wallet, because no other capture will come.
    package let isFinal: Bool
    /// Why, for people.
    package let reason: String?

    /// A capture to make.
    package init(
        idempotencyKey: CallerKey, user: UserID, holdID: Int64, coins: Coins? = nil, provider: UserID? = nil,
        isFinal: Bool = false, reason: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.holdID = holdID
        self.coins = coins
        self.provider = provider
        self.isFinal = isFinal
        self.reason = reason
    }
}

/// Coins that were set aside and were taken.
package struct HoldCaptured: Sendable, Equatable, Codable {
    /// The hold as it is now.
    package let hold: Hold
    /// The journal entry that records it.
    package let journalEntryID: Int64
    /// How many coins this capture took.
    package let coins: Int64
    /// Where they came from, and the won recognised for them.
    package let lots: [LotUse]
    /// Who earned them; nil: nobody did, and they count as redeemed.
    package let provider: UserID?
    /// The user's balance right after the act.
    package let balance: Balance
}

// MARK: - Planning

extension CaptureHold {
    package var touches: Touches {
        Touches(
            systemAccounts: [.coinsRedeemed, .deferredRevenue, .revenue], provider: provider, userLots: .ifInDebt,
            hold: holdID)
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

        var (captured, entryID, uses) = capture(coins, of: hold, for: act)
        if act.isFinal { captured = release(captured, as: .captured, because: act.reason) }
        return .done(
            HoldCaptured(
                hold: captured, journalEntryID: entryID, coins: coins, lots: uses, provider: act.provider,
                balance: balance(of: act.user)))
    }

    private mutating func capture(
        _ coins: Int64, of hold: Hold, for act: CaptureHold
    ) -> (hold: Hold, journalEntryID: Int64, uses: [LotUse]) {
        let stripe = stripe(of: hold.user)
        let (choices, left) = holds.lots(of: hold).taking(coins)
        let (lots, uses) = using(choices) { lot, coins in lot.capture(coins) }
        let destination =
            act.provider.map { openEarnings(of: $0, in: stripe) } ?? .system(.coinsRedeemed, stripe)
        let entryID = post(
            .capture, reference: "hold:\(hold.id)", reason: act.reason, effectiveAt: recordedAt, in: stripe,
            heldLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: hold.user)
                + [Line(account: destination, side: .credit, amount: coins)]
                + recognition(of: uses.amount, in: stripe))
        change(lots, by: entryID)
        var hold = hold
        hold.captured += coins
        if hold.remaining == 0 {
            hold.status = .captured
            hold.closedAt = recordedAt
        }
        holds.change(hold, left, by: entryID)
        return (hold, entryID, uses)
    }
}

// MARK: - How it is recorded under its key

extension CaptureHold {
    package static let name = "capture"
    package static let successName = "holdCaptured"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(holdID), coins.map { String($0.count) }, provider?.rawValue,
            String(isFinal), reason)
    }

    package static func journalEntryID(of success: HoldCaptured) -> Int64? { success.journalEntryID }
}
