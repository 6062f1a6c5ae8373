import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// A history of coins that move, drawn by chance, and the naive wallets beside it.
struct MovedCoins {
    static let steps = Effort.count(300, upTo: 3_000)
    /// What must have happened.
    let wanted: Set = [
        "buy", "grant", "spend", "hold", "capture", "void", "reverse", "void grant", "refund", "claw back", "gift",
        "campaign", "merge", "rename", "exceedsGiveable", "receiverMerged", "giftToOneself", "userMerged",
    ]

    var now = Date.distantPast
    private(set) var outcomes: [String: Int] = [:]
    private var random: SplitMix64
    private let end: Date
    /// The present ids.
    private var users = (0..<6).map { "user-\($0)" }
    private var ids = 6
    private(set) var wallets: [String: NaiveWallet] = [:]
    /// What former ids refer to.
    private var aliases: [String: String] = [:]
    /// The ids that have accounts.
    private var owners: Set<String> = []
    private var purchases: [Purchase] = []
    private var holds: [(id: Int64, name: String)] = []
    private var redemptions: [(redemption: Redemption, name: String)] = []
    /// The lots of grants, with their place in the wallet of who has them.
    private var grants: [(lot: Lot, owner: String, place: Int)] = []

    init(seed: UInt64, end: Date) {
        random = SplitMix64(seed: seed)
        self.end = end
    }

    mutating func step(_ number: Int, _ ledger: Ledger) async throws {
        let name = "\(number)"
        switch Int.random(in: 0..<23, using: &random) {
        case 0...2: try await buy(number, ledger)
        case 3, 4: try await grant(name, ledger)
        case 5...7: try await spend(name, ledger)
        case 8: try await hold(name, ledger)
        case 9: try await capture(name, ledger)
        case 10: try await void(name, ledger)
        case 11, 12: try await reverse(name, ledger)
        case 13: try await voidGrant(name, ledger)
        case 14: try await refund(name, ledger)
        case 15: try await clawBack(ledger)
        case 16...18: try await give(name, ledger)
        case 19: try await give(campaign: name, ledger)
        case 20: try await expire(ledger)
        default: try await merge(name, ledger)
        }
    }

    // MARK: Coins come

    private mutating func buy(_ number: Int, _ ledger: Ledger) async throws {
        let asked = anID()
        let bought = CreditPurchase.sample(
            number, by: asked, coins: some(150), bonus: some(20) - 1, won: some(3000), expiresAt: expiry(),
            bonusExpiresAt: expiry())
        purchases.append(try await ledger.buy(bought))
        change(asked) { wallet, now in
            wallet.purchase(
                bought.payment.paymentID, coins: bought.coins.count, bonus: bought.bonusCoins?.count ?? 0,
                won: bought.price.amount, expiresAt: bought.expiresAt?.moment,
                bonusExpiresAt: bought.bonusExpiresAt?.moment, at: now)
        }
        owners.insert(user(asked))
        count("buy")
    }

    private mutating func grant(_ name: String, _ ledger: Ledger) async throws {
        let (asked, end) = (anID(), expiry())
        let grant = Grant.sample("grant-\(name)", to: asked, coins: some(80), expiresAt: end)
        let granted = try await ledger.submit(grant)
        guard let success = granted.success else { return try settle(granted, "alreadyExpired", "grant") }
        let lot = try #require(try await ledger.lots.ofGrant(success.journalEntryID))
        let owner = user(asked)
        grants.append((lot, owner, wallets[owner]?.lots.count ?? 0))
        change(asked) { $0.grant(coins: grant.coins.count, expiresAt: end, at: $1) }
        owners.insert(owner)
        count("grant")
    }

    /// A person whose ids are on the list gets the coins once.
    ///
    /// One person, because lots of two that came at the same moment would have no order when these become one.
    private mutating func give(campaign name: String, _ ledger: Ledger) async throws {
        let (user, isFixed) = (sure(users.randomElement(using: &random)), Bool.random(using: &random))
        let list = (0..<3).map { _ in CampaignUser(.named(anID(of: user))) }
        let id = try await ledger.make(.sample(name, canBeMoved: !isFixed))
        _ = try await ledger.campaigns.add(list, to: id).get()
        try await ledger.runCampaign(id)
        change(user) { $0.grant(coins: 10, expiresAt: nil, isFixed: isFixed, at: $1) }
        owners.insert(user)
        count("campaign")
    }

    // MARK: Coins go

    private mutating func spend(_ name: String, _ ledger: Ledger) async throws {
        let (asked, coins) = (anID(), some(60))
        let answer = try await ledger.submit(Spend.sample("spend-\(name)", by: asked, coins: coins))
        let isDone = change(asked) { $0.spend(coins, as: name, at: $1) }
        if let redemption = answer.redeemed { redemptions.append((redemption, name)) }
        try settle(answer, isDone ? nil : "insufficientCoins", "spend")
    }

    private mutating func hold(_ name: String, _ ledger: Ledger) async throws {
        let (asked, coins) = (anID(), some(60))
        let answer = try await ledger.submit(
            PlaceHold.sample("hold-\(name)", by: asked, coins: coins, timeout: 1_000_000))
        let isDone = change(asked) { $0.hold(name, coins, until: .distantFuture, at: $1) }
        if let hold = answer.placed?.hold { holds.append((hold.id, name)) }
        try settle(answer, isDone ? nil : "insufficientCoins", "hold")
    }

    private mutating func capture(_ name: String, _ ledger: Ledger) async throws {
        guard let (id, hold, asked) = aHold() else { return }
        let (coins, isFinal) = (perhaps(some(40)), Bool.random(using: &random))
        let answer = try await ledger.submit(
            CaptureHold.sample("capture-\(name)", of: id, by: asked, coins: coins, isFinal: isFinal))
        let refusal = change(asked) { $0.capture(hold, coins, for: nil, isFinal: isFinal, as: name, at: $1) }
        if let redemption = answer.redeemed { redemptions.append((redemption, name)) }
        try settle(answer, refusal, "capture")
    }

    private mutating func void(_ name: String, _ ledger: Ledger) async throws {
        guard let (id, hold, asked) = aHold() else { return }
        let answer = try await ledger.submit(VoidHold.sample("void-\(name)", of: id, by: asked))
        try settle(answer, change(asked) { $0.void(hold, at: $1) }, "void")
    }

    private mutating func reverse(_ name: String, _ ledger: Ledger) async throws {
        guard let (redemption, used) = redemptions.randomElement(using: &random) else { return }
        let coins = perhaps(some(30))
        let answer = try await ledger.submit(
            ReverseRedemption.sample("reversal-\(name)", of: redemption, coins: coins))
        let refusal = change(redemption.user.rawValue) { $0.reverse(used, coins, at: $1) }
        try settle(answer, refusal, "reverse")
    }

    private mutating func voidGrant(_ name: String, _ ledger: Ledger) async throws {
        guard let (lot, owner, place) = grants.randomElement(using: &random) else { return }
        let coins = perhaps(some(40))
        let answer = try await ledger.submit(VoidGrant.sample("grant-void-\(name)", of: lot, coins: coins))
        try settle(answer, change(owner) { $0.voidGrant(place, coins, at: $1) }, "void grant")
    }

    private mutating func refund(_ name: String, _ ledger: Ledger) async throws {
        guard let purchase = aPurchaseNotGiven() else { return }
        let (payment, coins, isRefused) = (purchase.payment.paymentID, perhaps(some(60)), seldom())
        let asked = anID(of: user(purchase.user.rawValue))
        let answer = try await ledger.submit(
            BeginRefund.sample("refund-\(name)", of: purchase.id, by: asked, coins: coins))
        let refusal = change(asked) { $0.beginRefund(name, of: payment, coins, feePercent: 0, at: $1) }
        try settle(answer, refusal, "refund")
        guard let refund = answer.begun else { return }
        if isRefused {
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            change(asked) { $0.releaseRefund(name, at: $1) }
        } else {
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            change(asked) { $0.completeRefund(name, at: $1) }
        }
    }

    private mutating func clawBack(_ ledger: Ledger) async throws {
        guard let purchase = aPurchaseNotGiven() else { return }
        let cancelled = Bool.random(using: &random) ? purchase.amount : some(purchase.amount)
        _ = try await ledger.submit(ClawBack.sample(of: purchase, cancelled))
        change(purchase.user.rawValue) { $0.clawBack(purchase.payment.paymentID, cancelled: cancelled, at: $1) }
        count("claw back")
    }

    private mutating func expire(_ ledger: Ledger) async throws {
        try await ledger.expireLots()
        for user in Array(wallets.keys) {
            change(user) { wallet, now in
                for place in wallet.lots.indices { wallet.expireLot(place, at: now) }
            }
        }
    }

    // MARK: Coins move

    private mutating func give(_ name: String, _ ledger: Ledger) async throws {
        let (asked, receiver, coins) = (anID(), anID(), some(60))
        let answer = try await ledger.submit(
            Gift.sample("gift-\(name)", from: asked, to: receiver, coins: coins))
        let refusal: String? =
            if receiver == user(asked) {
                "giftToOneself"
            } else if aliases[receiver] != nil {
                "receiverMerged"
            } else if !owners.contains(receiver) {
                "unknownReceiver"
            } else {
                nil
            }
        let given = refusal == nil ? change(asked) { $0.give(coins, at: $1) } : nil
        if let given { change(receiver) { $0.receive(given, at: $1) } }
        try settle(answer, given == nil ? refusal ?? "exceedsGiveable" : nil, "gift")
    }

    /// Another id takes the place of the former one.
    private mutating func merge(_ name: String, _ ledger: Ledger) async throws {
        let known = users.filter { owners.contains($0) || aliases.values.contains($0) }
        guard known.count > 1, let former = known.randomElement(using: &random) else { return }
        let (isRename, new) = (Bool.random(using: &random), "user-\(ids)")
        let other = sure(known.filter { $0 != former }.randomElement(using: &random))
        let into = isRename ? new : other
        if let again = aliases.keys.sorted().randomElement(using: &random), seldom() {
            let answer = try await ledger.submit(MergeUsers.sample("merge-\(name)", again, into: user(again)))
            return try settle(answer, "userMerged", "merge")
        }
        let answer = try await ledger.submit(
            MergeUsers.sample("merge-\(name)", former, into: into, isRename: isRename))
        try settle(answer, nil, isRename ? "rename" : "merge")
        take(former, into: into)
        if !isRename { users[sure(users.firstIndex(of: former))] = new }
        ids += 1
        guard sure(wallets[into]).debt > 0 else { return }
        _ = try await ledger.submit(PayDebt(user: .named(into)))
        change(into) { $0.payOwed(at: $1) }
    }

    private mutating func take(_ former: String, into other: String) {
        let (moved, offset) = (wallets.removeValue(forKey: former) ?? NaiveWallet(), wallets[other]?.lots.count ?? 0)
        wallets[other, default: NaiveWallet()].absorb(moved)
        owners.insert(other)
        for (id, user) in aliases where user == former { aliases[id] = other }
        aliases[former] = other
        for place in grants.indices where grants[place].owner == former {
            grants[place].owner = other
            grants[place].place += offset
        }
        if let place = users.firstIndex(of: former), !users.contains(other) { users[place] = other }
    }

    // MARK: Choosing

    private func user(_ id: String) -> String { aliases[id] ?? id }

    /// A user, now and then by a former id.
    private mutating func anID(of user: String? = nil) -> String {
        let user = user ?? sure(users.randomElement(using: &random))
        let formers = aliases.filter { $0.value == user }.keys.sorted()
        return Bool.random(using: &random) ? formers.randomElement(using: &random) ?? user : user
    }

    private mutating func aHold() -> (id: Int64, name: String, asked: String)? {
        guard let (id, name) = holds.suffix(10).randomElement(using: &random) else { return nil }
        let owner = sure(wallets.first { $0.value.holds[name] != nil }?.key)
        return (id, name, anID(of: owner))
    }

    private mutating func aPurchaseNotGiven() -> Purchase? {
        purchases.filter { purchase in
            wallets[user(purchase.user.rawValue)]?.purchases[purchase.payment.paymentID]?.isGiven == false
        }.randomElement(using: &random)
    }

    private mutating func expiry() -> Date? {
        let left = Int(end.timeIntervalSince(now))
        return Bool.random(using: &random) ? now + Double(Int.random(in: 1...left + 100, using: &random)) : nil
    }

    private mutating func some(_ most: Int64) -> Int64 { .random(in: 1...most, using: &random) }
    private mutating func seldom() -> Bool { Int.random(in: 0..<5, using: &random) == 0 }
    private mutating func perhaps(_ coins: Int64) -> Int64? { Bool.random(using: &random) ? coins : nil }

    // MARK: Comparing

    @discardableResult
    private mutating func change<Output>(_ id: String, _ body: (inout NaiveWallet, Date) -> Output) -> Output {
        body(&wallets[user(id), default: NaiveWallet()], now)
    }

    private mutating func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

    /// Expects the refusal that the naive model has.
    private mutating func settle<Success>(
        _ answer: Answer<Success>, _ refusal: String?, _ act: String
    ) throws {
        try #require(answer.refusal?.name == refusal, "\(act) at \(now)")
        count(refusal ?? act)
    }
}
