/// Writes off coins that a user owes and won't pay.
///
/// ```
/// Dr coins:written-off  coins / Cr debt:<user>  coins
/// ```
/// No won move: the claw-back has reversed their revenue. `coins:redeemed` stays, so what was used stays visible. If used
/// coins of the cancelled payment come back later, they are owed again: ``Plan/reverseWriteOff(of:returned:reference:)``.
package struct WriteOffDebt: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    /// The owed coins to write off; nil: all.
    package let coins: Coins?
    package let reason: String
    /// The coins that the user owed, as a person saw them who decided by it; nil: whatever they are.
    ///
    /// If the user owes more or fewer now, the act is refused: ``Refusal/changedMeanwhile``. It is not part of the
    /// ``fingerprint``.
    package let owedBefore: Int64?

    package init(
        idempotencyKey: CallerKey, user: UserID, coins: Coins? = nil, reason: String, owedBefore: Int64? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reason = reason
        self.owedBefore = owedBefore
    }
}

/// The result of writing off a debt.
package struct DebtWrittenOff: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The owed coins that were written off.
    package let coins: Int64
    package let reason: String
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension WriteOffDebt {
    package var touches: Touches { Touches(systemAccounts: [.coinsWrittenOff]) }

    package func plan(on books: inout Plan) -> Answer<DebtWrittenOff> { books.writeOffDebt(self) }
}

extension Plan {
    fileprivate mutating func writeOffDebt(_ act: WriteOffDebt) -> Answer<DebtWrittenOff> {
        let (coins, refusal) = owed(act.coins, by: act.user)
        if let refusal { return .refused(refusal) }
        if let before = act.owedBefore, before != balance(of: act.user).debt { return .refused(.changedMeanwhile) }
        let stripe = stripe(of: act.user)
        let entryID = post(
            .debtWriteOff, reference: "user:\(act.user.rawValue)", reason: act.reason, effectiveAt: recordedAt,
            in: stripe,
            [
                Line(account: .system(.coinsWrittenOff, stripe), side: .debit, amount: coins),
                Line(account: open(.debt, of: act.user), side: .credit, amount: coins),
            ])
        debts[act.user, default: DebtHistory()].writeOff(coins)
        if balance(of: act.user).debt == 0 { debts[act.user]?.end() }
        return .done(
            DebtWrittenOff(
                journalEntryID: entryID, coins: coins, reason: act.reason, balance: balance(of: act.user)))
    }
}

// MARK: - How it is recorded under its key

extension WriteOffDebt {
    package static let name = "debt_write_off"
    package static let successName = "debtWrittenOff"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, coins.map { String($0.count) }, reason)
    }
}
