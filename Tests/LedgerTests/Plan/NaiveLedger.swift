import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// All users' wallets as `NaiveWallet` calculates them, by the same acts as the plans.
struct NaiveLedger {
    private(set) var wallets: [UserID: NaiveWallet] = [:]
    /// Whose payment it became, by the gateway's id; the order it was for.
    private var payments: [String: (user: UserID, order: String)] = [:]
    private var orders: [String: NaivePayment] = [:]
    /// How often a payment was presented under another API's name, and how often it was another payment of the order.
    private(set) var otherNames = (same: 0, another: 0)
    /// The first act under each key, and its outcome.
    private var first: [CallerKey: (act: any Act, name: String)] = [:]
    /// Which of the user's lots an id of the plan names.
    private var places: [Int64: Int] = [:]
    /// Whose lot an id of the plan names.
    private var owners: [Int64: UserID] = [:]
    /// Under which name the wallet knows a hold of the plan.
    private(set) var holdNames: [Int64: String] = [:]
    /// Under which name the wallet knows a spend or capture of the plan.
    private var redemptionNames: [Int64: String] = [:]
    /// Whose capture a name of a wallet is, and for whom.
    private(set) var captures: [(user: UserID, name: String, provider: String)] = []
    /// Under which name the wallet knows a purchase of the plan.
    private var purchaseNames: [Int64: String] = [:]
    /// Which purchase's dispute a dispute of the plan is, and when it began.
    private var disputeNames: [Int64: (purchase: String, beginning: Date)] = [:]
    /// Under which name the wallet knows a refund of the plan.
    private var refundNames: [Int64: String] = [:]

    /// The places of the lots with coins that givers could use before the batch: a gift has read no others.
    private var readByGifts: [UserID: Set<Int>] = [:]

    /// Performs the acts and compares each answer with the plan's.
    mutating func follow(_ acts: [any Act], _ plan: Plan) throws {
        note(plan)
        for gift in acts.compactMap({ $0 as? Gift }) {
            let lots = wallets[gift.user]?.lots ?? []
            readByGifts[gift.user] = Set(
                lots.indices.filter { place in
                    lots[place].remaining > 0 && (lots[place].expiresAt ?? .distantFuture) > plan.recordedAt
                })
        }
        for (act, answer) in zip(acts, try plan.answers.map { try $0.get() }) {
            let name = perform(act, answer, at: plan.recordedAt)
            try #require(answer.name == name, "\(act)")
        }
    }

    /// New lots of a user come in the order in which the wallet gets them.
    private mutating func note(_ plan: Plan) {
        for purchase in plan.purchases.new { purchaseNames[purchase.id] = purchase.payment.paymentID }
        for dispute in plan.disputes.new {
            disputeNames[dispute.id] = (purchaseNames[dispute.purchaseID] ?? "none", dispute.openedAt)
        }
        var count: [UserID: Int] = [:]
        for lot in plan.lots.new {
            let place = count[lot.user] ?? wallets[lot.user]?.lots.count ?? 0
            places[lot.id] = place
            owners[lot.id] = lot.user
            count[lot.user] = place + 1
        }
    }

    private mutating func perform(_ act: any Act, _ answer: any AnyAnswer, at now: Date) -> String {
        guard let key = act.keyed?.idempotencyKey else { return outcome(of: act, answer, at: now) }
        if let (earlier, name) = first[key] {
            guard isSame(earlier, act) else { return "idempotencyKeyReused" }
            return Refusal.allNames.contains(name) ? name : name + " again"
        }
        let name = outcome(of: act, answer, at: now)
        if !Self.temporary.contains(name) { first[key] = (act, name) }
        return name
    }

    /// Refusals that are not recorded under the key.
    private static let temporary: Set = [
        "refundInProgress", "exceedsGrant", "noPlaceForCoins", "unknownReceiver", "exceedsGiveable",
    ]

    private mutating func outcome(of act: any Act, _ answer: any AnyAnswer, at now: Date) -> String {
        var wallet = wallets[act.user] ?? NaiveWallet()
        defer { wallets[act.user] = wallet }
        switch act {
        case let command as CreditPurchase: return credit(command, to: &wallet, at: now)
        case let command as Grant:
            if let end = command.expiresAt, end <= now { return "alreadyExpired" }
            wallet.grant(coins: command.coins.count, expiresAt: command.expiresAt, at: now)
            return "granted"
        case let command as VoidGrant:
            guard owners[command.lotID] == command.user, let place = places[command.lotID] else { return "noSuchGrant" }
            return wallet.voidGrant(place, command.coins?.count, at: now) ?? "grant voided"
        case let command as Gift:
            if command.receiver == command.user { return "giftToOneself" }
            if wallets[command.receiver]?.lots.isEmpty ?? true { return "unknownReceiver" }
            let given = wallet.give(
                command.coins.count, ofPurchases: false, among: readByGifts[command.user], at: now)
            guard let given else { return "exceedsGiveable" }
            wallets[command.receiver]?.receive(given, at: now)
            return "gifted"
        case let command as ClawBack:
            guard payments[command.payment.paymentID]?.user == command.user else { return "noSuchPurchase" }
            let before = wallet.purchases[command.payment.paymentID]
            wallet.clawBack(
                command.payment.paymentID, cancelled: command.cancelledAmount, forgives: command.usedBonus == .forgive,
                freezes: command.freezes, at: now)
            return wallet.purchases[command.payment.paymentID] == before ? "clawed back again" : "clawed back"
        case let command as ReverseClawBack:
            guard let name = purchaseNames[command.purchaseID] else { return "noSuchPurchase" }
            return wallet.restore(
                name, cancelled: command.cancelledAmount, total: command.told.cancelledAmount,
                forgives: command.told.usedBonus == .forgive, freezes: command.told.freezes,
                grace: Double(command.grace), at: now)
                ? "claw back reversed" : "claw back reversed again"
        case let command as RecordDispute:
            guard payments[command.payment.paymentID]?.user == command.user else { return "noSuchPurchase" }
            let isNews = wallet.dispute(
                command.payment.paymentID, command.dispute.openedAt, isResolved: command.dispute.isResolved,
                freezes: command.freezes, at: now)
            return isNews == true ? "dispute recorded" : "dispute recorded again"
        case let command as DecideDispute:
            guard let (purchase, beginning) = disputeNames[command.disputeID],
                purchaseNames[command.purchaseID] == purchase, payments[purchase]?.user == command.user
            else { return "noSuchDispute" }
            return wallet.decide(
                purchase, beginning, isWon: command.isWon, forgives: command.usedBonus == .forgive,
                grace: Double(command.grace), at: now)
                ?? "dispute recorded"
        case let command as Spend:
            let name = command.idempotencyKey.text
            guard wallet.spend(command.coins.count, as: name, at: now) else { return "insufficientCoins" }
            if let id = answer.spent?.journalEntryID { redemptionNames[id] = name }
            return "spent"
        case let command as ReverseRedemption:
            let refusal = wallet.reverse(
                redemptionNames[command.redemptionID] ?? "none", command.coins?.count,
                from: command.provider?.rawValue, grace: Double(command.grace), at: now)
            return refusal ?? "redemption reversed"
        case let command as PlaceHold:
            let name = command.idempotencyKey.text
            let end = now.addingTimeInterval(Double(command.timeout))
            guard wallet.hold(name, command.coins.count, until: end, at: now) else { return "insufficientCoins" }
            if let id = answer.placed?.hold.id { holdNames[id] = name }
            return "hold placed"
        case let command as CaptureHold:
            let name = command.idempotencyKey.text
            let refusal = wallet.capture(
                holdNames[command.holdID] ?? "none", command.coins?.count, for: command.provider?.rawValue,
                isFinal: command.isFinal, as: name, at: now)
            if let id = answer.captured?.journalEntryID {
                redemptionNames[id] = name
                if let provider = command.provider { captures.append((act.user, name, provider.rawValue)) }
            }
            return refusal ?? "hold captured"
        case let command as VoidHold: return wallet.void(holdNames[command.holdID] ?? "none", at: now) ?? "hold voided"
        case let command as ExpireHold:
            let name = holdNames[command.holdID] ?? "none"
            let before = wallet.holds[name]
            wallet.expireHold(name, at: now)
            return wallet.holds[name] == before ? "hold voided again" : "hold voided"
        case let command as ExpireLot:
            let before = wallet.lots
            if let place = places[command.lotID] { wallet.expireLot(place, at: now) }
            return wallet.lots == before ? "lot expired again" : "lot expired"
        case is PayDebt: return "debt paid again"  // for nobody owes and has coins
        case let command as BeginRefund:
            let name = command.idempotencyKey.text
            let refusal = wallet.beginRefund(
                name, of: purchaseNames[command.purchaseID] ?? "none", command.coins?.count,
                feePercent: command.policy.feePercent, forgives: command.policy.usedBonus == .forgive,
                byTransfer: command.method == .bankTransfer, lapsedPercent: command.policy.expired?.percent, at: now)
            if let id = answer.begun?.id { refundNames[id] = name }
            return refusal ?? "refund begun"
        case let command as PayRefund:
            return wallet.payRefund(refundNames[command.refundID] ?? "none") ?? "refund paid"
        case let command as ReverseRefund:
            let name = refundNames[command.refundID] ?? "none"
            return wallet.reverseRefund(name, grace: Double(command.grace), at: now) ?? "refund reversed"
        case let command as RepayRefund:
            let name = refundNames[command.refundID] ?? "none"
            return wallet.repayRefund(name, grace: Double(command.grace), at: now) ?? "refund reversed"
        case let command as PayDebtByBank:
            return wallet.reduceDebt(command.coins?.count, for: command.price.amount) ?? "debt paid by bank"
        case let command as WriteOffDebt: return wallet.reduceDebt(command.coins?.count) ?? "debt written off"
        case let command as CompleteRefund:
            return decide(command.refundID, &wallet) { $0.completeRefund($1, at: now) }
        case let command as ReleaseRefund:
            return decide(command.refundID, &wallet) { $0.releaseRefund($1, at: now) }
        default: preconditionFailure("no other act moves coins: SettlementTests have payouts")
        }
    }

    /// Coins that were granted and not voided.
    var granted: Int64 { wallets.values.reduce(0) { $0 + $1.granted } }

    private func isSame(_ one: any Act, _ other: any Act) -> Bool {
        func isSame<First: Equatable>(_ first: First) -> Bool { first == other as? First }
        return (one as? any Equatable).map { isSame($0) } ?? false
    }

    private func decide(
        _ id: Int64, _ wallet: inout NaiveWallet, _ act: (inout NaiveWallet, String) -> Void
    ) -> String {
        guard let name = refundNames[id], let before = wallet.refunds[name] else { return "noSuchRefund" }
        act(&wallet, name)
        return wallet.refunds[name] == before ? "refund decided again" : "refund decided"
    }

    private mutating func credit(_ command: CreditPurchase, to wallet: inout NaiveWallet, at now: Date) -> String {
        let payment = command.payment
        if let (user, order) = payments[payment.paymentID] {
            if user != command.user { return "paymentBelongsToAnotherUser" }
            return order == payment.merchantUID ? "credited again" : "paymentHasAnotherMerchantUID"
        }
        if let first = orders[payment.merchantUID] {
            guard first.gateway != payment.gateway else { return "merchantUIDAlreadyCredited" }
            guard first.won == command.price.amount, abs(first.paidAt - command.paidAt.timeIntervalSince1970) < 2
            else {
                otherNames.another += 1
                return "merchantUIDAlreadyCredited"
            }
            otherNames.same += 1
            return first.user == command.user ? "credited again" : "paymentBelongsToAnotherUser"
        }
        orders[payment.merchantUID] = NaivePayment(command, at: now)
        payments[payment.paymentID] = (command.user, payment.merchantUID)
        wallet.purchase(
            payment.paymentID, coins: command.coins.count, bonus: command.bonusCoins?.count ?? 0,
            won: command.price.amount, expiresAt: command.expiresAt?.moment,
            bonusExpiresAt: command.bonusExpiresAt?.moment, at: now)
        return "credited"
    }
}

/// The payment that credited an order.
private struct NaivePayment {
    let gateway: String
    let user: UserID
    let won: Int64
    /// As it was booked.
    private(set) var paidAt: TimeInterval = 0

    init(_ command: CreditPurchase, at now: Date) {
        gateway = command.payment.gateway
        user = command.user
        won = command.price.amount
        // More than ten minutes from now is no time, but the gateway's mistake.
        let (reported, booked) = (command.paidAt.timeIntervalSince1970, now.timeIntervalSince1970)
        paidAt = reported - booked > 600 ? booked : reported
    }
}

extension Refusal {
    /// The names of refusals, which a repeat is answered with too.
    static let allNames: Set = [
        "insufficientCoins", "noSuchHold", "holdClosed", "holdExpired", "exceedsHold", "alreadyExpired",
        "noSuchPurchase", "userInDebt", "nothingToRefund", "exceedsRefundable", "noSuchRedemption", "alreadyReversed",
        "exceedsRedemption", "noSuchDispute", "disputeDecided", "disputeNotReversible",
        "noSuchGrant", "noSuchRefund", "refundNotApproved", "refundNotPaid", "exceedsDebt", "giftToOneself",
    ]
}
