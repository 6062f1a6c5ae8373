import Foundation
import Postgres

/// A plan's purchases by id and by payment.
struct PlannedPurchases: Sendable {
    private var records = Records<Purchase>()
    private var byPaymentID: [GatewayKey: Int64] = [:]
    private var byMerchantUID: [ExactText: Int64] = [:]
    /// Reversals to insert.
    private(set) var reversals: [PurchaseReversal] = []
    /// Reversals of claw-backs to insert.
    private(set) var reversedClawBacks: [ClawBackReversal] = []
    /// What the last claw-backs took that stores took back, by purchase.
    private var clawBacks: [Int64: ClawBackLoss]
    /// When a store last signed that a refund does not stand, by purchase.
    private var restoredAt: [Int64: Date]
    /// The hashes of names that payments of users had who were forgotten.
    let forgotten: Set<PostgresBytes>

    init(_ snapshot: Snapshot) {
        forgotten = Set(snapshot.forgottenPayments)
        clawBacks = Dictionary(snapshot.clawBacks.map { ($0.purchaseID, $0.loss) }) { first, _ in first }
        restoredAt = snapshot.restoredAt
        for purchase in snapshot.purchases where records.load(purchase) { index(purchase) }
    }

    /// Purchases to insert.
    var new: [Purchase] { records.new }

    /// A purchase that acts of the batch name.
    subscript(id: Int64) -> Purchase? { records[id] }

    /// The purchase with this id; nil: not found, or another user's.
    func purchase(_ id: Int64, of user: UserID) -> Purchase? { self[id].flatMap { $0.user == user ? $0 : nil } }

    /// The purchase of this payment, from the database or from an earlier act of the batch.
    func purchase(of payment: PaymentIdentity) -> Purchase? {
        byPaymentID[GatewayKey(gateway: payment.gateway, id: payment.paymentID)].flatMap { records[$0] }
    }

    /// The purchase with this `merchant_uid`, at any gateway.
    func purchase(underMerchantUIDOf payment: PaymentIdentity) -> Purchase? {
        byMerchantUID[ExactText(payment.merchantUID)].flatMap { records[$0] }
    }

    /// Adds a purchase.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ purchase: Purchase) {
        records.insert(purchase)
        index(purchase)
    }

    /// Replaces a purchase after a payout of it was booked.
    mutating func change(_ purchase: Purchase) { records.change(purchase) }

    /// Reverses a part of a purchase, and returns the purchase afterwards.
    mutating func reverse(_ purchase: Purchase, by reversal: PurchaseReversal) -> Purchase {
        let reversed = purchase.reversed(by: reversal)
        records.change(reversed)
        reversals.append(reversal)
        return reversed
    }

    /// What the last claw-back of the purchase took; nil: it was reversed, a person booked it, or it was not read.
    func lastClawBack(of purchase: Purchase) -> ClawBackLoss? { clawBacks[purchase.id] }

    /// Whether the store signed this before it signed that a refund of the purchase does not stand.
    func isOutdated(_ toldAt: Date?, of purchase: Purchase) -> Bool {
        guard let toldAt, let restored = restoredAt[purchase.id] else { return false }
        return toldAt.microsecondsSince1970 < restored.microsecondsSince1970
    }

    /// Notes that the last claw-back of a purchase is reversed.
    mutating func note(_ reversal: ClawBackReversal) {
        clawBacks[reversal.purchaseID] = nil
        restoredAt[reversal.purchaseID] = reversal.toldAt
        reversedClawBacks.append(reversal)
    }

    private mutating func index(_ purchase: Purchase) {
        let payment = purchase.payment
        byPaymentID[GatewayKey(gateway: payment.gateway, id: payment.paymentID)] = purchase.id
        byMerchantUID[ExactText(payment.merchantUID)] = purchase.id
    }
}

/// A gateway and one of its ids.
struct GatewayKey: Hashable {
    let gateway: ExactText
    let id: ExactText

    init(gateway: String, id: String) {
        self.gateway = ExactText(gateway)
        self.id = ExactText(id)
    }
}

extension PlannedPurchases {
    /// The hashes are read after the names: a payment that is not found by its name, because its user has been forgotten, is found
    /// by these.
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        var lookUps: [PostgresQuery<SnapshotPart>] = []
        if !touches.payments.isEmpty { lookUps.append(Purchase.sharing(touches.payments).into(\.purchases)) }
        if !touches.digests.isEmpty {
            lookUps.append(Purchase.forgotten(touches.digests).into(\.forgottenPayments))
        }
        if !touches.purchases.isEmpty || !touches.refunds.isEmpty {
            lookUps.append(Purchase.find(touches.purchases, ofRefunds: touches.refunds).into(\.purchases))
        }
        if !touches.restored.isEmpty {
            lookUps.append(ClawBackLoss.last(of: touches.restored).into(\.clawBacks))
        }
        let sold = touches.takenBack.filter { SystemAccount.stores.contains($0.gateway) }
        if !sold.isEmpty {
            lookUps.append(
                ClawBackReversal.last(of: sold).into { snapshot, found in
                    snapshot.restoredAt.merge(found.map { ($0.purchaseID, $0.toldAt) }) { max($0, $1) }
                })
        }
        return lookUps
    }

    func facts(among stripes: Int64) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new.map { ($0, Stripe(of: $0.user, among: stripes)) }, Purchase.insert)
    }

    /// To be written after the lots' movements: the database checks them against the lots.
    var reversalFacts: [PostgresQuery<Int>] { PostgresQuery.facts(reversals, PurchaseReversal.insert) }

    /// To be written after the returns of coins.
    var reversedClawBackFacts: [PostgresQuery<Int>] {
        PostgresQuery.facts(reversedClawBacks, ClawBackReversal.insert)
    }
}
