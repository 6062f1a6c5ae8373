package import Foundation

/// Gives coins of a user to another user.
///
/// Two entries, because each lies in the stripe of its user; the clearing accounts are zero over all stripes afterwards:
/// ```
/// Dr wallet:<giver>:paid     coins / Cr clearing:coins         coins
/// Dr wallet:<giver>:bonus    coins
/// Dr coins:deferred-revenue  won   / Cr clearing:won           won
///
/// Dr clearing:coins          coins / Cr wallet:<receiver>:paid   coins
///                                  / Cr wallet:<receiver>:bonus  coins
/// Dr clearing:won            won   / Cr coins:deferred-revenue   won
/// ```
/// VAT that was paid ahead for the coins (Dr `tax:vat-deferred` / Cr `tax:vat-payable`) goes with them.
///
/// The coins come from the giver's lots in the ledger's ``LotOrdering``, out of those that may be given. Of each, they become a
/// lot of the receiver, with its price, purchase, expiry and VAT. If the receiver owes coins, the debt is paid first. A fee is a
/// ``Spend`` of the giver.
///
/// When the purchase of given coins is refunded, what is left of them comes back: see ``Recall``.
package struct Gift: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    /// The giver.
    package var user: UserID { didSet { fee?.user = user } }
    package let receiver: UserID
    package let coins: Coins
    package let reason: String?
    /// What may be given; not part of the ``fingerprint``.
    package let rules: GiftRules
    /// The fee; nil: there is none.
    private(set) var fee: Spend?

    /// The most lots of one gift.
    static let mostLots = 100
    /// The most lots with given coins of one purchase, open or with VAT: a refund takes them all back in one transaction.
    ///
    /// Holders of two stripes may split it at the same time, and then there are more.
    static let mostGivenLots = 100

    package init(
        idempotencyKey: CallerKey, from giver: UserID, to receiver: UserID, coins: Coins, reason: String? = nil,
        rules: GiftRules
    ) {
        self.idempotencyKey = idempotencyKey
        user = giver
        self.receiver = receiver
        self.coins = coins
        self.reason = reason
        self.rules = rules
        fee = rules.fee(of: coins).map {
            Spend(
                idempotencyKey: idempotencyKey.part("fee"), user: giver, coins: $0, reference: Self.feeReference,
                reason: reason)
        }
    }

    /// The reference of the spend that is a fee.
    static let feeReference = "gift-fee"
}

/// What a gift may move.
package struct GiftRules: Sendable, Equatable {
    package let coins: GiveableCoins
    /// The fee in percent of the coins, rounded up to a coin.
    package let feePercent: Int64
    /// The most coins that a user gives, and gets, from ``since`` on; nil: no limit.
    package let mostGiven, mostReceived: Int64?
    /// The beginning of the day.
    package let since: Date

    package init(
        _ coins: GiveableCoins, feePercent: Int64 = 0, mostGiven: Int64? = nil, mostReceived: Int64? = nil,
        since: Date = .distantPast
    ) {
        self.coins = coins
        self.feePercent = feePercent
        self.mostGiven = mostGiven
        self.mostReceived = mostReceived
        self.since = since
    }

    fileprivate func fee(of coins: Coins) -> Coins? {
        let (percents, rest) = coins.count.quotientAndRemainder(dividingBy: 100)
        return Coins(percents * feePercent + (rest * feePercent + 99) / 100)
    }
}

/// Which coins may be given away.
package struct GiveableCoins: Sendable, Equatable {
    package let kinds: Set<LotKind>
    /// The gateways whose coins may not: a store's rules may forbid it.
    package let exceptGateways: Set<String>

    package init(kinds: Set<LotKind>, exceptGateways: Set<String> = []) {
        self.kinds = kinds
        self.exceptGateways = exceptGateways
    }
}

/// The result of a gift.
package struct Gifted: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the giver.
    package let journalEntryID: Int64
    package let giftID: Int64
    package let receiver: UserID
    package let coins: Int64
    /// The paid ones of the coins.
    package let paid: Int64
    /// The coins that the giver paid as a fee.
    package let fee: Int64
    /// The giver's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension Gift {
    package var touches: Touches {
        Touches(
            gift: GiftTouch(receiver: receiver, rules: rules), parts: fee.map { [$0.touches] } ?? [],
            partKeys: fee.map { [$0.idempotencyKey] } ?? [])
    }

    package var mostIDs: Int { Plan.mostIDs + Self.mostLots }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<Gifted> {
        // Only the fee can be refused when something is planned already.
        guard fee != nil else { return Answer(try books.gift(self)) }
        return Answer(try books.allOrNothing { plan throws(LedgerError) in try plan.gift(self) })
    }
}

extension Plan {
    fileprivate mutating func gift(_ act: Gift) throws(LedgerError) -> Outcome<Gifted> {
        let coins = act.coins.count
        if let refusal = refusal(ofReceiving: act.receiver, from: act.user) { return .refused(refusal) }
        guard !journal.accounts.isFull(for: act.receiver, in: stripe(of: act.receiver)) else {
            return .refused(.accountFull)
        }
        // Whoever is in debt has no coins that can be used.
        let usable = giveableLots(of: act.user)
        guard let choices = choose(coins, outOf: usable) else {
            let available = usable.reduce(0) { $0 + $1.remaining }
            return .refused(
                gifts.giveable(by: act.user).count < Gift.mostLots
                    ? .exceedsGiveable(required: coins, available: available)
                    : .tooManyLots(required: coins, available: available, limit: Int64(Gift.mostLots)))
        }
        if let refusal = gifts.refusal(of: act) { return .refused(refusal) }
        let moved = give(choices, from: act.user, to: act.receiver, because: act.reason)
        payDebt(of: act.receiver, reference: moved.reference)
        if let fee = act.fee {
            if case .refused(let refusal) = try planPart(fee) { return .refused(refusal) }
        }
        return .done(
            Gifted(
                journalEntryID: moved.sentEntryID, giftID: moved.id, receiver: act.receiver, coins: coins,
                paid: choices.reduce(0) { $0 + (lots[$1.lotID]?.kind == .paid ? $1.coins : 0) },
                fee: act.fee?.coins.count ?? 0, balance: balance(of: act.user)))
    }

    /// The user's lots with coins that may be given away, in the order of use.
    ///
    /// If an act of the batch took coins of their purchase back, or voided their grant, they stay
    /// (``Lot/giveable(by:_:in:)``).
    private func giveableLots(of user: UserID) -> [Lot] {
        let found = gifts.giveable(by: user).compactMap { lots[$0] }
        let usable = found.filter { lot in
            let refunded = lot.purchaseOfCoins.flatMap { purchases[$0] }?.refundedAmount ?? 0
            return lot.remaining > 0 && !lot.isVoided && !lot.isExpired(at: recordedAt) && refunded == 0
        }
        return gifts.withinLimit(lots.ordered(usable))
    }

    /// Why a user can't be given coins; nil: they can.
    private func refusal(ofReceiving receiver: UserID, from giver: UserID) -> Refusal? {
        if receiver == giver { return .giftToOneself }
        if let user = merges.aliases[receiver] { return .receiverMerged(into: user) }
        if receiver.isForgotten { return .userForgotten }
        // An id that never had coins may be a typing mistake, and nobody could take the coins back. A user who was renamed with
        // nothing left is known, but has no accounts yet.
        if !journal.accounts.hasAccounts(of: receiver), merges.aliases.otherNames(of: receiver).isEmpty {
            return .unknownReceiver
        }
        return nil
    }
}

// MARK: - How it is recorded under its key

extension Gift {
    package static let name = "gift"
    package static let successName = "gifted"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, receiver.rawValue, String(coins.count), reason)
    }
}
