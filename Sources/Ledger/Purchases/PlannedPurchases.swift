/// Purchases as a plan sees them, found by their payments too.
struct PlannedPurchases: Sendable {
    private var records = Records<Purchase>()
    private var byImpUID: [GatewayKey: Int64] = [:]
    private var byMerchantUID: [ExactText: Int64] = [:]
    /// What went back of purchases, to insert.
    private(set) var reversals: [PurchaseReversal] = []

    init(_ purchases: [Purchase]) {
        for purchase in purchases where records.load(purchase) { index(purchase) }
    }

    /// Purchases to insert.
    var new: [Purchase] { records.new }

    /// The user's own purchase with this id.
    func purchase(_ id: Int64, of user: UserID) -> Purchase? { records[id].flatMap { $0.user == user ? $0 : nil } }

    /// The purchase of this payment, from before or from an earlier act of the batch.
    func purchase(of payment: PaymentIdentity) -> Purchase? {
        byImpUID[GatewayKey(gateway: payment.gateway, id: payment.impUID)].flatMap { records[$0] }
    }

    /// The purchase under this order id, whichever gateway it was paid through.
    func purchase(underMerchantUIDOf payment: PaymentIdentity) -> Purchase? {
        byMerchantUID[ExactText(payment.merchantUID)].flatMap { records[$0] }
    }

    /// Adds a purchase, known to the acts after it.
    mutating func insert(_ purchase: Purchase) {
        records.insert(purchase)
        index(purchase)
    }

    /// Replaces what is known of a purchase of which a payout was booked.
    mutating func change(_ purchase: Purchase) { records.change(purchase) }

    /// Takes a part of a purchase back, and returns the purchase as it is then.
    mutating func reverse(_ purchase: Purchase, by reversal: PurchaseReversal) -> Purchase {
        let reversed = purchase.reversed(by: reversal)
        records.change(reversed)
        reversals.append(reversal)
        return reversed
    }

    private mutating func index(_ purchase: Purchase) {
        let payment = purchase.payment
        byImpUID[GatewayKey(gateway: payment.gateway, id: payment.impUID)] = purchase.id
        byMerchantUID[ExactText(payment.merchantUID)] = purchase.id
    }
}

/// A gateway's name and an id of its own.
struct GatewayKey: Hashable {
    let gateway: ExactText
    let id: ExactText

    init(gateway: String, id: String) {
        self.gateway = ExactText(gateway)
        self.id = ExactText(id)
    }
}
