import Foundation

/// Takes back a spend or capture, whole or in part: its coins come back into the lots that they came from.
///
/// ```
/// Dr coins:redeemed (or earnings:<provider>)  coins / Cr wallet:<user>:paid        coins
///                                                   / Cr wallet:<user>:bonus       coins
/// Dr revenue:coins                            won   / Cr coins:deferred-revenue    won
/// ```
/// A provider with terms loses the share of the won: see ``Plan/recognition(of:_:for:side:in:)``.
///
/// The coins that were used last come back first, each with the won that was recognised for it. If the user owes coins,
/// the debt is paid first: see ``CreditPurchase``. Coins of a cancelled payment take back what was written off of its
/// debt: see ``Plan/reverseWriteOff(of:returned:reference:)``.
///
/// A lot that has expired meanwhile expires again after ``grace``; without it, its coins expire at once. What comes back of a
/// grant that was voided as a whole is voided in the same act, by an entry of its own, and pays no debt: ``VoidGrant``.
package struct ReverseRedemption: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    /// The journal entry of the spend or capture.
    package let redemptionID: Int64
    package let redeemed: Redemption.Act
    /// Who earned the coins; nil: nobody.
    package let provider: UserID?
    /// The coins that come back; nil: all that did not come back yet.
    package let coins: Coins?
    package let reason: String?
    /// The seconds for which coins of expired lots can be used; 0: they expire at once.
    ///
    /// They are not part of the ``fingerprint``.
    package let grace: Int64
    /// What must hold; otherwise ``Refusal/changedMeanwhile`` or ``Refusal/exceedsOwnLimit(required:available:)``.
    ///
    /// They are not part of the ``fingerprint``.
    package let terms: ReversalTerms
    /// The lots that coins can come back into, at most.
    private let mostLots: Int

    /// - Parameter redemption: the spend or capture, as it was read. Only members that never change are used, and the number
    ///   of lots that are left, which only falls.
    package init(
        idempotencyKey: CallerKey, of redemption: Redemption, coins: Coins? = nil, reason: String? = nil,
        grace: Int64 = 0, terms: ReversalTerms = .none
    ) {
        self.idempotencyKey = idempotencyKey
        user = redemption.user
        redemptionID = redemption.id
        redeemed = redemption.act
        provider = redemption.provider
        self.coins = coins
        self.reason = reason
        self.grace = grace
        self.terms = terms
        mostLots = redemption.left.count
    }
}

/// What must hold when a spend or capture is reversed, because a person decided by it.
package struct ReversalTerms: Sendable, Equatable {
    /// The coins that could come back, as the person saw them; nil: whatever they are.
    package let left: Int64?
    /// The most that may come back of the spend or capture in all, with this reversal; nil: no limit.
    package let mostInAll: Int64?

    /// Nothing was decided by what somebody saw.
    package static let none = ReversalTerms()

    package init(left: Int64? = nil, mostInAll: Int64? = nil) {
        self.left = left
        self.mostInAll = mostInAll
    }

    /// Why a reversal of these coins is refused; nil: it is not.
    func refusal(of coins: Int64, from redemption: Redemption) -> Refusal? {
        if let left, left != redemption.coins { return .changedMeanwhile }
        let before = redemption.returned
        guard let mostInAll, before + coins > mostInAll else { return nil }
        return .exceedsOwnLimit(required: coins, available: mostInAll > before ? mostInAll - before : 0)
    }
}

/// The result of reversing a spend or capture.
package struct RedemptionReversed: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The journal entry of the spend or capture.
    package let redemptionID: Int64
    /// The coins that came back.
    package let coins: Int64
    /// The lots that they came back into, with the won that is deferred again for each.
    package let lots: [LotUse]
    /// The coins of the spend or capture that can still come back.
    package let left: Int64
    /// Who earned the coins, and lost them again; nil: nobody.
    package let provider: UserID?
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension ReverseRedemption {
    package var givesCoins: Bool { true }

    package var touches: Touches {
        Touches(
            systemAccounts: [.coinsRedeemed, .deferredRevenue, .revenue, .coinsWrittenOff, .coinsPromotions],
            provider: provider, userLots: .ifInDebt, redemption: redemptionID, debtHistory: true)
    }

    /// Each lot can need an entry of its own: a void of a grant, or what was written off of a purchase's debt.
    package var mostIDs: Int { Plan.mostIDs + mostLots }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<RedemptionReversed> {
        try books.reverseRedemption(self)
    }
}

extension Plan {
    fileprivate mutating func reverseRedemption(
        _ act: ReverseRedemption
    ) throws(LedgerError) -> Answer<RedemptionReversed> {
        guard var redemption = redemptions[act.redemptionID], redemption.user == act.user,
            redemption.act == act.redeemed, redemption.provider == act.provider
        else { return .refused(.noSuchRedemption) }
        let available = redemption.coins
        guard available > 0 else { return .refused(.alreadyReversed) }
        let coins = act.coins?.count ?? available
        guard coins <= available else { return .refused(.exceedsRedemption(required: coins, available: available)) }
        if let refusal = act.terms.refusal(of: coins, from: redemption) { return .refused(refusal) }

        let (returned, left) = redemption.dividing(returning: coins)
        let parts = returned.map(\.coins)
        guard !isTooMany(parts) else { return .refused(tooManyLots(parts, for: coins)) }
        if let refusal = lackOfPlace(for: returned) { return .refused(refusal) }
        let voided = Set(returned.map(\.lotID).filter { lots[$0]?.isVoided ?? false })
        var changes = try putBack(returned) { voided.contains($0.lotID) ? 0 : act.grace }
        let share = redemption.share?.reversed(from: redemption.left.amount, to: left.amount)
        let supplied = redemption.suppliedByLot(nowLeft: left)
        for place in changes.indices { changes[place].lot.recognise(supplied[changes[place].lot.id] ?? 0) }
        let vat = -outputVAT(of: changes.map(\.lot))
        let entryID = postReversal(of: redemption, returned, share, vat, because: act.reason)
        note(
            share, of: redemption.id, by: entryID, for: redemption.provider, won: returned.amount, vat,
            in: stripe(of: act.user))
        change(changes.map(\.lot), by: entryID)
        redemption.left = left
        redemption.returned += coins
        redemptions.change(
            redemption,
            returning: CoinReturn.of(redemption.id, by: entryID, returned, changes.map(\.extension)))
        for use in returned where voided.contains(use.lotID) {
            voidCoins(use.coins, of: use.lotID, because: act.reason, cameBackBy: entryID)
        }
        let choices = returned.filter { !voided.contains($0.lotID) }.map(Choice.init)
        payDebt(of: act.user, returned: choices, reference: redemption.reference)
        reverseWriteOff(of: act.user, returned: choices, reference: redemption.reference)
        return .done(
            RedemptionReversed(
                journalEntryID: entryID, redemptionID: redemption.id, coins: coins, lots: returned,
                left: available - coins, provider: act.provider, balance: balance(of: act.user)))
    }

    /// Why these coins can't come back, in this order; nil: they have a place in their lots.
    func lackOfPlace(for returned: [LotUse]) -> Refusal? {
        let coins = returned.reduce(0) { $0 + $1.coins }
        let fitting = returned.fitting { lots[$0]?.place }
        return fitting < coins ? .noPlaceForCoins(required: coins, available: fitting) : nil
    }

    /// The lots after the coins came back.
    ///
    /// - Parameter grace: the seconds for which coins of the lot can be used if it has expired.
    /// - Throws: ``LedgerError/Code/fault`` when a lot of the redemption does not exist.
    func putBack(
        _ returned: [LotUse], grace: (LotUse) -> Int64
    ) throws(LedgerError) -> [(lot: Lot, extension: CoinReturn.Extension?)] {
        var changes: [(lot: Lot, extension: CoinReturn.Extension?)] = []
        for use in returned {
            guard var lot = lots[use.lotID] else { throw .unexpected("lot \(use.lotID) of a redemption is missing") }
            lot.takeIn(use.coins, worth: use.amount, at: recordedAt)
            let `extension` = lot.extend(by: grace(use), at: recordedAt, coinDays)
            changes.append((lot, `extension`))
        }
        return changes
    }

    private mutating func postReversal(
        of redemption: Redemption, _ returned: [LotUse], _ share: ProviderShare?, _ vat: OutputVAT,
        because reason: String?
    ) -> Int64 {
        let stripe = stripe(of: redemption.user)
        let source = redemption.provider.map { openEarnings(of: $0, in: stripe) } ?? .system(.coinsRedeemed, stripe)
        let kind: EntryKind = redemption.act == .spend ? .spendReversal : .captureReversal
        return post(
            kind, reference: redemption.reference, reason: reason, effectiveAt: recordedAt, in: stripe,
            reverses: redemption.id,
            [Line(account: source, side: .debit, amount: returned.reduce(0) { $0 + $1.coins })]
                + walletLines(
                    .credit, paid: returned.coins(.paid), bonus: returned.coins(.bonus), of: redemption.user)
                + recognition(of: returned.amount, share, vat, for: redemption.provider, in: stripe).map(\.opposite))
    }
}

extension Redemption {
    /// The part of each lot's won that the provider supplied as long as nothing came back, and not when this is left.
    fileprivate func suppliedByLot(nowLeft left: [LotUse]) -> [Int64: Int64] {
        func supplied(_ uses: [LotUse]) -> [Int64: Int64] {
            zip(uses, share?.supplied(of: uses) ?? []).reduce(into: [:]) { $0[$1.0.lotID, default: 0] += $1.1 }
        }
        return supplied(self.left).merging(supplied(left).mapValues { -$0 }, uniquingKeysWith: +)
    }

    /// What entries that reverse it refer to.
    fileprivate var reference: String {
        switch act {
        case .spend: "spend:\(id)"
        case .capture(let holdID): "hold:\(holdID)"
        }
    }
}

extension Lot {
    /// Takes in coins that an act had taken, with the won that was recognised for them.
    fileprivate mutating func takeIn(_ coins: Int64, worth won: Int64, at moment: Date) {
        remaining += coins
        deferred += won
        recognise(-won)
        returnedAt = moment
    }

    /// Lets an expired lot expire `grace` seconds after the moment, or with the last of as many days.
    ///
    /// - Returns: the change; nil: the lot has not expired, or there is no grace.
    fileprivate mutating func extend(by grace: Int64, at moment: Date, _ days: CoinDays) -> CoinReturn.Extension? {
        guard grace > 0, isExpired(at: moment), let expiredAt = expiresAt else { return nil }
        let end = days.end(of: CoinExpiry(after: .seconds(grace), from: moment), from: moment)
        expiresAt = end
        return CoinReturn.Extension(expiredAt: expiredAt, expiresAt: end)
    }
}

// MARK: - How it is recorded under its key

extension ReverseRedemption {
    package static let name = "reversal"
    package static let successName = "redemptionReversed"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, String(redemptionID), coins.map { String($0.count) }, reason)
    }
}
