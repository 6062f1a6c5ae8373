import Foundation
import LedgerTestSupport
import TestSupport

@testable import Ledger

/// Commands at random, the same for the same seed: new ones, repeated ones, and ones that must be refused.
struct RandomHistory {
    var random: SplitMix64
    var purchases: [CreditPurchase] = []
    private var grants: [Grant] = []
    private var grantVoids: [VoidGrant] = []
    private var gifts: [Gift] = []
    /// Lots of grants, and the bonus lots of purchases; not of given coins.
    private var bonusLots: [Lot] = []
    private var bonusLotPlaces: [Int64: Int] = [:]
    private var spends: [Spend] = []
    private var holds: [(id: Int64, user: UserID)] = []
    var lots: [(id: Int64, user: UserID)] = []
    var bought: [(id: Int64, user: UserID)] = []
    var refunds: [Owned] = []
    private var redemptions: [Redemption] = []
    var disputes: [Dispute] = []
    /// The lots of each purchase.
    var lotsBought: [Int64: [Int64]] = [:]
    private var serial = 0

    private let largestBatch: Int
    private let users: Int
    private let gives: Bool

    /// - Parameters:
    ///   - users: a short history has few, so that each has as many lots as in a long one.
    ///   - gives: whether users give coins to each other.
    init(seed: UInt64, largestBatch: Int = 48, users: Int = 300, gives: Bool = false) {
        random = SplitMix64(seed: seed)
        self.largestBatch = largestBatch
        self.users = users
        self.gives = gives
    }

    mutating func batch() -> [any Act] {
        (0..<Int.random(in: 1...largestBatch, using: &random)).map { _ in command() }
    }

    /// Takes note of the holds and lots that a plan made, to name them later.
    mutating func learn(from plan: Plan) {
        bought += plan.purchases.new.map { ($0.id, $0.user) }
        disputes += plan.disputes.new
        for lot in plan.lots.new { lot.purchaseID.map { lotsBought[$0, default: []].append(lot.id) } }
        refunds += plan.refunds.new.map { Owned(id: $0.refund.id, user: $0.refund.user) }
        holds += plan.holds.new.map { ($0.id, $0.user) }
        redemptions += plan.answers.compactMap { $0.answer?.redeemed }
        for lot in plan.lots.new where lot.kind == .bonus && lot.originID == nil {
            bonusLotPlaces[lot.id] = bonusLots.count
            bonusLots.append(lot)
        }
        lots += plan.lots.new.filter { $0.expiresAt != nil }.map { ($0.id, $0.user) }
    }

    mutating func command() -> any Act {
        if gives, Int.random(in: 0..<16, using: &random) == 0 { return newGift() }
        return switch Int.random(in: 0..<64, using: &random) {
        case 0 where !purchases.isEmpty: pick(purchases)
        case 1 where !purchases.isEmpty: changed(pick(purchases), user: user())
        case 2 where !purchases.isEmpty:
            Bool.random(using: &random)
                ? changed(pick(purchases), paymentID: "imp_other_\(next())") : inOtherAPI(pick(purchases))
        case 3 where !purchases.isEmpty: changed(pick(purchases), merchantUID: "other_\(next())")
        case 4 where !grants.isEmpty: pick(grants)
        case 5 where !grants.isEmpty: changed(pick(grants))
        case 6 where !purchases.isEmpty: newClawBack()
        case 7 where !spends.isEmpty: pick(spends)
        case 8...14: newGrant()
        case 15...22: newSpend()
        case 23...26: newHold()
        case 27...30 where !holds.isEmpty: newCapture()
        case 31 where !holds.isEmpty: newVoid()
        case 32...33 where !holds.isEmpty: newHoldExpiry()
        case 34...35 where !lots.isEmpty: newLotExpiry()
        case 36...38 where !bought.isEmpty: newRefund()
        case 39...40 where !refunds.isEmpty: newCompletion()
        case 41 where !refunds.isEmpty: newRelease()
        case 42: PayDebt(user: user())
        case 43...46 where !redemptions.isEmpty: newReversal()
        case 47...48 where !refunds.isEmpty: newRefundPayment()
        case 49...50 where !refunds.isEmpty: newRefundReversal()
        case 51: newDebtPayment()
        case 52: newWriteOff()
        case 53...55 where !purchases.isEmpty: newDispute()
        case 56...57 where !disputes.isEmpty: newDecision()
        case 58 where !refunds.isEmpty: newRepayment()
        case 60...63 where !bonusLots.isEmpty: newGrantVoid()
        default: newPurchase()
        }
    }

    private mutating func newPurchase() -> CreditPurchase {
        let number = next()
        let coins = Int64.random(in: 1...(seldom() ? 10 : 100_000), using: &random)
        let bonus = Bool.random(using: &random) ? Int64.random(in: 1...max(50, 2 * min(coins, 500)), using: &random) : 0
        let purchase = CreditPurchase.sample(
            number, by: user(), coins: coins, bonus: bonus, won: .random(in: 1...1_000_000, using: &random),
            expiresAt: expiry(), bonusExpiresAt: expiry(), vat: VATRule.allCases[number % VATRule.allCases.count])
        purchases.append(purchase)
        return purchase
    }

    private mutating func newGrant() -> Grant {
        let grant = Grant.sample(
            "grant-\(next())", to: user(), coins: .random(in: 1...1000, using: &random), expiresAt: expiry())
        grants.append(grant)
        return grant
    }

    private mutating func newSpend() -> Spend {
        let spend = Spend.sample("spend-\(next())", by: user(), coins: someCoins())
        spends.append(spend)
        return spend
    }

    private mutating func newHold() -> PlaceHold {
        .sample("hold-\(next())", by: user(), coins: someCoins(), timeout: .random(in: 1...2000, using: &random))
    }

    /// Often of the last hold, which is still open; now and then of another user's.
    private mutating func newCapture() -> CaptureHold {
        let hold = Bool.random(using: &random) ? sure(holds.last) : recent(holds)
        return .sample(
            "capture-\(next())", of: hold.id, by: seldom() ? user() : hold.user,
            coins: Bool.random(using: &random) ? someCoins() : nil,
            provider: Bool.random(using: &random) ? "provider-\(Int.random(in: 0..<4, using: &random))" : nil,
            isFinal: Bool.random(using: &random))
    }

    private mutating func newVoid() -> VoidHold {
        let hold = recent(holds)
        return .sample("void-\(next())", of: hold.id, by: seldom() ? user() : hold.user)
    }

    private mutating func newHoldExpiry() -> ExpireHold {
        let hold = pick(holds)
        return ExpireHold(user: hold.user, holdID: hold.id)
    }

    /// Often of a lot that was just used, whose coins can still come back.
    private mutating func newLotExpiry() -> ExpireLot {
        if Bool.random(using: &random), !redemptions.isEmpty {
            let redemption = recent(redemptions)
            if let used = redemption.left.last { return ExpireLot(user: redemption.user, lotID: used.lotID) }
        }
        let lot = pick(lots)
        return ExpireLot(user: lot.user, lotID: lot.id)
    }

    /// Now and then of another user's spend or capture, or of more than is left.
    private mutating func newReversal() -> ReverseRedemption {
        let redemption = recent(redemptions)
        let another = Redemption(
            id: redemption.id, act: redemption.act, user: user(), provider: redemption.provider,
            share: redemption.share, left: [])
        return .sample(
            "reversal-\(next())", of: seldom() ? another : redemption,
            coins: Bool.random(using: &random) ? .random(in: 1...max(1, redemption.coins), using: &random) : nil,
            grace: Bool.random(using: &random) ? 500 : 0)
    }

    /// Often of a lot that was just used, whose coins can still come back; now and then of another user's grant, or of bonus
    /// coins that came with a purchase.
    private mutating func newGrantVoid() -> VoidGrant {
        if !grantVoids.isEmpty, seldom() { return pick(grantVoids) }
        var lot = recent(bonusLots)
        if Bool.random(using: &random), !redemptions.isEmpty {
            let used = recent(redemptions).left.compactMap { bonusLotPlaces[$0.lotID] }
            lot = used.last.map { bonusLots[$0] } ?? lot
        }
        if seldom() {
            lot = .issued(
                id: lot.id, stripe: lot.stripe, user: user(), kind: .bonus, coins: lot.coins, amount: 0,
                acquiredAt: lot.acquiredAt, expiresAt: nil, purchaseID: nil, journalEntryID: lot.journalEntryID)
        }
        let coins = Bool.random(using: &random) ? Int64.random(in: 1...500, using: &random) : nil
        let void = VoidGrant.sample("grant-void-\(next())", of: lot, coins: coins)
        grantVoids.append(void)
        return void
    }

    /// Of coins that were granted: given coins of a purchase come back when it is refunded, which the naive wallets do not
    /// know.
    private mutating func newGift() -> Gift {
        if !gifts.isEmpty, seldom() { return pick(gifts) }
        let coins = GiveableCoins(kinds: [.paid, .bonus], exceptGateways: ["portone-v1", "portone-v2"])
        let gift = Gift.sample(
            "gift-\(next())", from: user(), to: user(), coins: .random(in: 1...(seldom() ? 2000 : 200), using: &random),
            rules: GiftRules(coins))
        gifts.append(gift)
        return gift
    }

    mutating func someCoins() -> Int64 { .random(in: 1...(seldom() ? 200_000 : 2000), using: &random) }

    /// Half of the lots expire, some of them while the history goes on.
    private mutating func expiry() -> Date? {
        Bool.random(using: &random)
            ? Date(timeIntervalSince1970: 1_767_225_600 + Double(Int.random(in: 0...20_000, using: &random))) : nil
    }

    mutating func seldom() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }

    /// One of the last, most of which still stand.
    mutating func recent<Element>(_ elements: [Element]) -> Element {
        pick(elements.suffix(seldom() ? elements.count : 50))
    }

    mutating func next() -> Int {
        serial += 1
        return serial
    }

    mutating func user() -> UserID {
        .named("user-\(Int.random(in: 0..<users, using: &random))")
    }

    mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
        sure(elements.randomElement(using: &random))
    }

    func changed(
        _ purchase: CreditPurchase, user: UserID? = nil, paymentID: String? = nil, merchantUID: String? = nil
    ) -> CreditPurchase {
        CreditPurchase(
            user: user ?? purchase.user,
            payment: PaymentIdentity(
                gateway: purchase.payment.gateway, paymentID: paymentID ?? purchase.payment.paymentID,
                merchantUID: merchantUID ?? purchase.payment.merchantUID),
            product: purchase.product, price: purchase.price, coins: purchase.coins, bonusCoins: purchase.bonusCoins,
            paidAt: purchase.paidAt)
    }

    /// A payment as the gateway's other API shows it, or another payment of its order.
    private mutating func inOtherAPI(_ purchase: CreditPurchase) -> CreditPurchase {
        let order = purchase.payment.merchantUID
        let won = seldom() ? purchase.price.amount + 1 : purchase.price.amount
        return CreditPurchase(
            user: seldom() ? user() : purchase.user,
            payment: .sampleInV2(paymentID: "tx_\(order)", merchantUID: order),
            product: purchase.product, price: sure(Price(won: won)), coins: purchase.coins,
            bonusCoins: purchase.bonusCoins, paidAt: purchase.paidAt + pick([0, 0.4, 1.999, 2, -1.5, -60, 700, 86_400]))
    }

    func changed(_ grant: Grant) -> Grant {
        Grant(
            idempotencyKey: grant.idempotencyKey, user: grant.user, coins: sure(Coins(grant.coins.count + 1)),
            reason: grant.reason)
    }
}

enum AnswerNames {
    /// What a history need not have.
    static let seldom: Set = ["disputeNotReversible", "noPlaceForCoins"]
    static let all = [
        "credited", "credited again", "granted", "granted again", "paymentBelongsToAnotherUser",
        "merchantUIDAlreadyCredited", "paymentHasAnotherMerchantUID", "idempotencyKeyReused", "noSuchPurchase",
        "clawed back", "clawed back again", "spent", "spent again", "hold placed", "hold captured", "hold voided",
        "hold voided again", "lot expired", "lot expired again", "debt paid again",
        "insufficientCoins", "noSuchHold", "holdClosed",
        "holdExpired", "exceedsHold", "alreadyExpired", "refund begun", "refund decided", "refund decided again",
        "refundInProgress",
        "redemption reversed", "noSuchRedemption", "alreadyReversed", "exceedsRedemption",
        "refund paid", "refund reversed", "refundNotApproved", "refundNotPaid", "debt paid by bank",
        "debt written off", "exceedsDebt",
        "grant voided", "grant voided again", "noSuchGrant", "exceedsGrant",
        "userInDebt", "nothingToRefund", "exceedsRefundable", "noSuchRefund", "dispute recorded",
        "dispute recorded again", "noSuchDispute", "disputeDecided",
        "gifted", "gifted again", "giftToOneself", "unknownReceiver", "exceedsGiveable",
    ]
}
