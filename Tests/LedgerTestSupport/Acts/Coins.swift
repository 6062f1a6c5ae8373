package import Foundation
package import Ledger
import TestSupport

extension Grant {
    /// The grant under this key: 5 coins, by default.
    package static func sample(
        _ key: String = "key-1", to owner: some UserName = "ann", coins: Int64 = 5, issuer: String? = nil,
        expiresAt: Date? = nil
    ) -> Grant {
        Grant(
            idempotencyKey: .named(key), user: owner.userID, coins: sure(Coins(coins)), reason: "welcome",
            issuer: issuer, expiresAt: expiresAt)
    }
}

extension Spend {
    /// The spend under this key.
    package static func sample(_ key: String = "spend-1", by owner: some UserName = "ann", coins: Int64) -> Spend {
        Spend(idempotencyKey: .named(key), user: owner.userID, coins: sure(Coins(coins)))
    }
}

extension PlaceHold {
    /// The hold under this key: for an hour, by default.
    package static func sample(
        _ key: String = "hold-1", by owner: some UserName = "ann", coins: Int64, timeout: Int64 = 3600,
        reference: String? = nil
    ) -> PlaceHold {
        PlaceHold(
            idempotencyKey: .named(key), user: owner.userID, coins: sure(Coins(coins)), timeout: timeout,
            reference: reference)
    }
}

extension CaptureHold {
    /// The capture under this key.
    package static func sample(
        _ key: String = "capture-1", of holdID: Int64, by owner: some UserName = "ann", coins: Int64? = nil,
        provider: String? = nil, item: String? = nil, isFinal: Bool = false
    ) -> CaptureHold {
        CaptureHold(
            idempotencyKey: .named(key), user: owner.userID, holdID: holdID, coins: coins.flatMap(Coins.init),
            provider: provider.map(UserID.named), item: item, isFinal: isFinal)
    }
}

extension VoidHold {
    /// The voiding under this key.
    package static func sample(
        _ key: String = "void-1", of holdID: Int64, by owner: some UserName = "ann"
    ) -> VoidHold {
        VoidHold(idempotencyKey: .named(key), user: owner.userID, holdID: holdID)
    }
}

extension ReverseRedemption {
    /// The reversal under this key: of all that did not come back yet, by default.
    package static func sample(
        _ key: String = "reversal-1", of redemption: Redemption?, coins: Int64? = nil, grace: Int64 = 0,
        terms: ReversalTerms = .none
    ) -> ReverseRedemption {
        ReverseRedemption(
            idempotencyKey: .named(key), of: sure(redemption), coins: coins.flatMap(Coins.init),
            reason: "not delivered", grace: grace, terms: terms)
    }
}

extension PayDebtByBank {
    /// The user paid for what was used.
    package static func sample(
        _ key: String = "paid-1", by owner: some UserName = "ann", coins: Int64? = nil, won: Int64 = 200,
        at moment: Date = Date()
    ) -> PayDebtByBank {
        PayDebtByBank(
            idempotencyKey: .named(key), user: owner.userID, coins: coins.flatMap(Coins.init),
            price: sure(Price(won: won)), paidAt: moment, bankReference: "IBK 7")
    }
}

extension WriteOffDebt {
    /// The user is gone.
    package static func sample(
        _ key: String = "off-1", by owner: some UserName = "ann", coins: Int64? = nil, owedBefore: Int64? = nil
    ) -> WriteOffDebt {
        WriteOffDebt(
            idempotencyKey: .named(key), user: owner.userID, coins: coins.flatMap(Coins.init),
            reason: "can't be reached", owedBefore: owedBefore)
    }
}

extension VoidGrant {
    /// The void under this key of the grant with this lot: of all that is in the wallet, by default.
    package static func sample(
        _ key: String = "grant-void-1", of lot: Lot?, coins: Int64? = nil, terms: VoidTerms = .none
    ) -> VoidGrant {
        VoidGrant(
            idempotencyKey: .named(key), of: sure(lot), coins: coins.flatMap(Coins.init), reason: "by mistake",
            terms: terms)
    }
}

extension CampaignDraft {
    /// The campaign with this name: of 10 coins each, by default.
    package static func sample(
        _ name: String = "spring", coins: Int64 = 10, most: Int64? = nil, budget: Int64 = 1000, startsAt: Date? = nil,
        endsAt: Date? = nil, coinDays: Int64? = nil, code: String? = nil, canBeMoved: Bool = false
    ) -> CampaignDraft {
        CampaignDraft(
            name: name, coins: sure(Coins(coins)), mostPerUser: sure(Coins(most ?? coins)),
            budget: sure(Coins(budget)), startsAt: startsAt, endsAt: endsAt, coinDays: coinDays,
            reason: "spring campaign", note: "Spring is here!", code: code, canBeMoved: canBeMoved)
    }
}

extension MergeUsers {
    /// The merge under this key: of two users that are known, by default.
    package static func sample(
        _ key: String = "merge-1", _ former: some UserName = "ann", into user: some UserName = "cid",
        isRename: Bool = false, most: Int64? = nil
    ) -> MergeUsers {
        MergeUsers(
            idempotencyKey: .named(key), former.userID, into: user.userID, isRename: isRename,
            reason: "two accounts of one person", most: most)
    }
}

extension Ledger {
    /// Creates a campaign.
    package func make(
        _ draft: CampaignDraft, by creator: String = "shop", needsApproval: Bool = false
    ) async throws -> Int64 {
        sure(try await campaigns.create(draft, by: creator, needsApproval: needsApproval))
    }

    /// Gives or voids what a campaign has to, as the service does, until there is nothing to do.
    ///
    /// - Parameter most: the most users at a time.
    package func runCampaign(_ id: Int64, most: Int = 2) async throws {
        let run = CampaignRun(id: id, attempts: 1)
        while true {
            switch try await campaignRuns.next(of: run, most: most) {
            case .give(let round):
                var refused: [(user: UserID, code: String)] = []
                for act in round.acts {
                    guard let refusal = try await submit(act).outcome.refusal else { continue }
                    refused.append((user: act.user, code: refusal.row.code ?? "refused"))
                }
                try await campaignRuns.finish(round, refused: refused)
            case .void(let voids):
                for act in voids.acts { _ = try await submit(act) }
                try await campaignRuns.finish(voids)
            case .wait, .over: return
            }
        }
    }

    /// Has the lots expire whose time is up: a user's, or everybody's.
    package func expireLots(of user: UserID? = nil) async throws {
        for lot in try await lots.listDue(limit: 1000) where user == nil || lot.user == user {
            _ = try await submit(ExpireLot(user: lot.user, lotID: lot.id))
        }
    }
}

extension GiftRules {
    /// All coins may be given.
    package static let all = GiftRules(GiveableCoins(kinds: [.paid, .bonus]))
}

extension Gift {
    /// The gift under this key, from ann to bob by default.
    package static func sample(
        _ key: String = "gift-1", from giver: some UserName = "ann", to receiver: some UserName = "bob", coins: Int64,
        reason: String? = nil, rules: GiftRules = .all
    ) -> Gift {
        Gift(
            idempotencyKey: .named(key), from: giver.userID, to: receiver.userID, coins: sure(Coins(coins)),
            reason: reason, rules: rules)
    }
}
