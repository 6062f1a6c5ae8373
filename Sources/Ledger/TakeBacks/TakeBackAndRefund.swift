/// Takes back spends and captures of a purchase's coins and refunds the purchase, as one act: a child spent what a parent
/// had bought.
///
/// Each spend or capture comes back whole, as by ``ReverseRedemption``, and then all coins of the purchase that can be
/// refunded are, as by ``BeginRefund``. Nothing is done unless all of it is: the coins come back and are on hold for the
/// refund in the same transaction, so a refund never waits for a reversal, and no coins are spent in between.
///
/// Each part is recorded under a key of its own as well, so entries, events and repeats are those of the acts.
package struct TakeBackAndRefund: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID {
        didSet {
            refund.user = user
            for place in reversals.indices { reversals[place].user = user }
        }
    }
    package let purchaseID: Int64
    /// The reversals, in the order in which they are done.
    private(set) var reversals: [ReverseRedemption]
    private(set) var refund: BeginRefund
    /// What must hold; otherwise ``Refusal/changedMeanwhile`` or ``Refusal/exceedsOwnLimit(required:available:)``.
    ///
    /// They are not part of the ``fingerprint``.
    package let terms: TakeBackTerms

    /// The most spends and captures of one act.
    package static let mostRedemptions = 50

    /// - Parameters:
    ///   - redemptions: the spends and captures, each once, as they were read. Only members that never change are used.
    ///   - explanation: why, for people; the gateway may show it to the buyer.
    ///   - account: the account that receives the money, for payment methods that can't return it themselves.
    ///   - grace: the seconds for which coins of expired lots can be used; 0: they expire at once.
    package init(
        idempotencyKey: CallerKey, of redemptions: [Redemption], and purchase: Purchase, explanation: String,
        account: BankAccount? = nil, policy: RefundPolicy = .free, grace: Int64 = 0, terms: TakeBackTerms = .none
    ) {
        self.idempotencyKey = idempotencyKey
        user = purchase.user
        purchaseID = purchase.id
        reversals = redemptions.map {
            ReverseRedemption(
                idempotencyKey: idempotencyKey.part("reversal-\($0.id)"), of: $0, reason: explanation, grace: grace)
        }
        refund = BeginRefund(
            idempotencyKey: idempotencyKey.part("refund"), user: purchase.user, purchaseID: purchase.id,
            explanation: explanation, account: account, policy: policy, terms: terms.refund)
        self.terms = terms
    }
}

/// What must hold when spends are taken back and their purchase is refunded, because a person decided by it.
package struct TakeBackTerms: Sendable, Equatable {
    /// The coins that come back, as the person saw them; nil: whatever they are.
    package let returning: Int64?
    /// The most that may come back of the spends and captures in all, with this act; nil: no limit.
    package let mostReturned: Int64?
    /// What must hold of the refund.
    package let refund: RefundTerms

    /// Nothing was decided by what somebody saw.
    package static let none = TakeBackTerms()

    package init(returning: Int64? = nil, mostReturned: Int64? = nil, refund: RefundTerms = .none) {
        self.returning = returning
        self.mostReturned = mostReturned
        self.refund = refund
    }

    /// Why an act on these spends and captures is refused; nil: it is not.
    func refusal(of redemptions: [Redemption]) -> Refusal? {
        let coins = redemptions.reduce(0) { $0 + $1.coins }
        if let returning, returning != coins { return .changedMeanwhile }
        let before = redemptions.reduce(0) { $0 + $1.returned }
        guard let mostReturned, before + coins > mostReturned else { return nil }
        return .exceedsOwnLimit(required: coins, available: max(0, mostReturned - before))
    }
}

/// The result of taking back spends and refunding their purchase.
package struct TakenBackAndRefunded: Sendable, Equatable, Codable {
    /// The reversals, in the order in which they were done.
    package let reversals: [RedemptionReversed]
    /// The refund as it was begun.
    package let refund: Refund
    /// The user's balance after the act.
    package let balance: Balance

    /// The coins that came back.
    package var returned: Int64 { reversals.reduce(0) { $0 + $1.coins } }
}

// MARK: - Planning

extension TakeBackAndRefund {
    package var touches: Touches {
        Touches(
            parts: reversals.map(\.touches) + [refund.touches],
            partKeys: reversals.map(\.idempotencyKey) + [refund.idempotencyKey])
    }

    package var mostIDs: Int { reversals.reduce(Plan.mostIDs) { $0 + $1.mostIDs } }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<TakenBackAndRefunded> {
        Answer(try books.allOrNothing { plan throws(LedgerError) in try plan.takeBackAndRefund(self) })
    }
}

extension Plan {
    fileprivate mutating func takeBackAndRefund(
        _ act: TakeBackAndRefund
    ) throws(LedgerError) -> Outcome<TakenBackAndRefunded> {
        guard let purchase = purchases.purchase(act.purchaseID, of: act.user) else { return .refused(.noSuchPurchase) }
        guard disputes.open(of: purchase).isEmpty else { return .refused(.purchaseDisputed) }
        if let refusal = refusal(of: act, purchase) { return .refused(refusal) }
        var reversals: [RedemptionReversed] = []
        for part in act.reversals {
            switch try planPart(part) {
            case .done(let reversed): reversals.append(reversed)
            case .refused(let refusal): return .refused(refusal)
            }
        }
        switch try planPart(act.refund) {
        case .done(let begun):
            return .done(TakenBackAndRefunded(reversals: reversals, refund: begun.refund, balance: begun.balance))
        case .refused(let refusal): return .refused(refusal)
        }
    }

    /// Why the spends and captures can't come back together.
    private func refusal(of act: TakeBackAndRefund, _ purchase: Purchase) -> Refusal? {
        var found: [Redemption] = []
        for id in act.reversals.map(\.redemptionID) {
            guard let redemption = redemptions[id], redemption.user == act.user else {
                return .noSuchRedemptionOf(entry: id)
            }
            if redemption.coins == 0 { return .redemptionAlreadyReversed(entry: id) }
            guard redemption.left.contains(where: { lots[$0.lotID]?.purchaseID == purchase.id }) else {
                return .redemptionOfOtherPurchase(entry: id)
            }
            found.append(redemption)
        }
        if let refusal = lotLimits.refusal(of: found.flatMap { $0.left.map(\.coins) }) { return refusal }
        return act.terms.refusal(of: found)
    }
}

// MARK: - How it is recorded under its key

extension TakeBackAndRefund {
    package static let name = "take_back"
    package static let successName = "takenBack"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(purchaseID),
            reversals.map { String($0.redemptionID) }.joined(separator: ","), refund.fingerprint.text)
    }

    /// Its entries are recorded by its parts.
    package static func journalEntryID(of _: TakenBackAndRefunded) -> Int64? { nil }
}
