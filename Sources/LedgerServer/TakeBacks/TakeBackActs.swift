import Foundation
package import Ledger

/// Takes back spends and captures of a purchase's coins and refunds the purchase, for services and people.
package struct TakeBackActs: Sendable {
    let ledger: Ledger
    let desk: RefundDesk
    /// How long coins of lots that have expired meanwhile can be used.
    let grace: Duration

    /// What is asked for.
    struct Request: Sendable {
        let purchase: Purchase
        let spends: SpendChoice
        let reason: String
        /// The account that receives the money, for payment methods that can't return it themselves.
        var account: BankAccount?
        /// What must hold, because a person decided about it.
        var terms = TakeBackTerms.none
    }

    /// What was done, and the refund as it stands.
    struct Done: Sendable {
        let made: TakenBackAndRefunded
        let refund: Refund
    }

    /// The caller of previews, which are recorded nowhere.
    private static let previewer = UserID(rawValue: "preview")

    /// What taking back would do now, beside all that could come back.
    ///
    /// - Parameter spends: nil: all spends and captures of the purchase that can come back.
    package func quote(_ spends: SpendChoice?, of purchase: Purchase) async throws -> TakeBackQuote {
        let listed = try await ledger.redemptions.list(ofPurchase: purchase)
        let chosen = spends ?? SpendChoice(listed.prefix(TakeBackAndRefund.mostRedemptions).map(\.id))
        guard let chosen else {
            let none = TakeBackPreview(
                purchase: purchase, chosen: [], outcome: .refused(.noSuchRedemption), returnedBefore: 0)
            return TakeBackQuote(none, spends: [])
        }
        return TakeBackQuote(try await preview(chosen, of: purchase), spends: listed)
    }

    /// What taking these back would do now.
    package func preview(_ spends: SpendChoice, of purchase: Purchase) async throws -> TakeBackPreview {
        let found = try await ledger.redemptions.find(spends.ids, of: purchase.user)
        return TakeBackPreview(
            purchase: purchase, chosen: spends.ids, outcome: try await outcome(spends, found, of: purchase),
            returnedBefore: found.reduce(0) { $0 + $1.returned })
    }

    private func outcome(
        _ chosen: SpendChoice, _ found: [Redemption], of purchase: Purchase
    ) async throws -> Outcome<TakenBackAndRefunded> {
        if let unknown = chosen.unknown(beside: found) { return .refused(.noSuchRedemptionOf(entry: unknown)) }
        if let refusal = ledger.redemptions.refusal(ofTakingBack: found) { return .refused(refusal) }
        guard let key = Self.previewer.flatMap({ CallerKey(UUID().uuidString, of: $0) }) else {
            throw LedgerError.unexpected("the key of a preview is invalid")
        }
        return try await ledger.previews.preview(act(found, of: purchase, because: "preview", under: key)).outcome
    }

    private func act(
        _ redemptions: [Redemption], of purchase: Purchase, because reason: String, to account: BankAccount? = nil,
        terms: TakeBackTerms = .none, under key: CallerKey
    ) -> TakeBackAndRefund {
        TakeBackAndRefund(
            idempotencyKey: key, of: redemptions, and: purchase, explanation: reason, account: account,
            policy: desk.policy, grace: grace.components.seconds, terms: terms)
    }

    /// Whether the gateway of the purchase is configured.
    package func canAskGateway(of purchase: Purchase) -> Bool { desk.canAskGateway(of: purchase) }

    /// Takes the spends back and begins the refund, at once and together, and attempts the refund.
    ///
    /// If the gateway refuses the refund, the coins that came back stay in the wallet, and the purchase can be refunded
    /// in another way.
    ///
    /// - Throws: `gateway_off`; ``RefusedAct``.
    func takeBack(_ asked: Request, under key: CallerKey) async throws -> Performed<Done> {
        let purchase = asked.purchase
        try await desk.requireGateway(of: purchase, under: key)
        let found = try await ledger.redemptions.find(asked.spends.ids, of: purchase.user)
        if let unknown = asked.spends.unknown(beside: found) {
            throw RefusedAct(.noSuchRedemptionOf(entry: unknown))
        }
        if let refusal = ledger.redemptions.refusal(ofTakingBack: found), try await !ledger.hasRecorded(key) {
            throw RefusedAct(refusal)
        }
        let performed = try await ledger.perform(
            act(
                found, of: purchase, because: asked.reason, to: asked.account, terms: asked.terms, under: key))
        let made = performed.success
        let refund = try await desk.attempt(made.refund, to: asked.account, isRepeat: performed.isRepeat)
        return Performed(success: Done(made: made, refund: refund), isRepeat: performed.isRepeat)
    }
}

/// The spends and captures that are taken back together, by their journal entries.
package struct SpendChoice: Sendable, Equatable {
    /// 1 to ``TakeBackAndRefund/mostRedemptions`` ids, each once.
    package let ids: [Int64]

    /// The rule, as a text for messages.
    package static let rule = "1 to \(TakeBackAndRefund.mostRedemptions) ids of spends or captures, each once"

    package init?(_ ids: [Int64]) {
        guard (1...TakeBackAndRefund.mostRedemptions).contains(ids.count), Set(ids).count == ids.count,
            ids.allSatisfy({ $0 > 0 })
        else { return nil }
        self.ids = ids
    }

    /// Reads `4120,4131`.
    package init?(_ text: String) {
        var ids: [Int64] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let id = Int64(part.trimmingCharacters(in: .whitespaces)) else { return nil }
            ids.append(id)
        }
        self.init(ids)
    }

    /// The ids as they are read.
    package var text: String { ids.map(String.init).joined(separator: ",") }

    /// An id that is not among these spends; nil: all are.
    fileprivate func unknown(beside found: [Redemption]) -> Int64? {
        ids.first { id in !found.contains { $0.id == id } }
    }
}
