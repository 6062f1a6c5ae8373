/// Reserves coins of a user.
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  coins / Cr held:<user>:bonus  coins
/// ```
/// The lots are chosen as for a ``Spend``. The same coins are captured or released later: held coins do not expire,
/// even if their lot does.
package struct PlaceHold: UserAct, KeyedAct, Equatable {
    /// The allowed durations of a hold, in seconds: up to 366 days.
    package static let timeouts: ClosedRange<Int64> = 1...31_622_400

    package let idempotencyKey: CallerKey
    package var user: UserID
    package let coins: Coins
    /// Seconds until the rest is released automatically; one of ``timeouts``.
    package let timeout: Int64
    /// The caller's reference, such as an order number.
    package let reference: String?
    package let reason: String?

    package init(
        idempotencyKey: CallerKey, user: UserID, coins: Coins, timeout: Int64, reference: String? = nil,
        reason: String? = nil
    ) {
        precondition(Self.timeouts.contains(timeout), "a hold's timeout is 1 second to 366 days")
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.timeout = timeout
        self.reference = reference
        self.reason = reason
    }
}

/// The result of placing a hold.
package struct HoldPlaced: Sendable, Equatable, Codable {
    package let hold: Hold
    /// The lots that the coins came from.
    package let lots: [LotUse]
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension PlaceHold {
    package var touches: Touches {
        Touches(userLots: .first)
    }

    package func plan(on books: inout Plan) -> Answer<HoldPlaced> { books.placeHold(self) }
}

extension Plan {
    fileprivate mutating func placeHold(_ act: PlaceHold) -> Answer<HoldPlaced> {
        let user = act.user
        let coins = act.coins.count
        let choices: [Choice]
        switch choose(coins, of: user) {
        case .coins(let chosen): choices = chosen
        case .refused(let refusal): return .refused(refusal)
        }
        let id = newID()
        let (lots, uses) = using(choices) { lot, coins in
            lot.hold(coins)
            return 0
        }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let entryID = post(
            .hold, reference: "hold:\(id)", reason: act.reason, effectiveAt: recordedAt, in: stripe(of: user),
            walletLines(.debit, paid: paid, bonus: bonus, of: user)
                + heldLines(.credit, paid: paid, bonus: bonus, of: user))
        change(lots, by: entryID)
        let hold = Hold(
            id: id, user: user, status: .open, coins: coins, captured: 0, released: 0, reference: act.reference,
            placedAt: recordedAt,
            expiresAt: recordedAt.addingTimeInterval(Double(act.timeout)).inMicroseconds, closedAt: nil,
            journalEntryID: entryID)
        let holdLots = choices.enumerated().map { place, choice in
            HoldLot(
                holdID: id, place: Int64(place), lotID: choice.lotID, coins: choice.coins, held: choice.coins)
        }
        holds.insert(hold, holdLots)
        return .done(HoldPlaced(hold: hold, lots: uses, balance: balance(of: user)))
    }
}

// MARK: - How it is recorded under its key

extension PlaceHold {
    package static let name = "hold"
    package static let successName = "holdPlaced"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, String(coins.count), String(timeout), reference, reason)
    }

    package static func journalEntryID(of success: HoldPlaced) -> Int64? { success.hold.journalEntryID }
}
