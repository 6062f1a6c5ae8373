package import FoundationEssentials

/// A purchase in Google Play as its token shows it (`purchases.productsv2`): what was bought, and no amount.
package struct GooglePlayPurchase: Hashable, Sendable {
    /// The state of a purchase; new states can be added.
    package struct State: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let purchased = State(rawValue: "PURCHASED")
        /// Refunded, or never paid.
        package static let cancelled = State(rawValue: "CANCELLED")
        /// Waits for the buyer's money, such as cash: nothing may be credited.
        package static let pending = State(rawValue: "PENDING")
    }

    /// A product of the purchase.
    package struct Item: Hashable, Sendable {
        package let productID: String
        package let quantity: Int64
        /// How many were not refunded; nil: not reported.
        package let refundableQuantity: Int64?
        package let isConsumed: Bool
        /// Whether it was lent for some time, and can't be used up.
        package let isRental: Bool
    }

    /// The package of the app.
    package let app: String

    /// When Google was asked; of two descriptions of a purchase, the later is the newer.
    package let toldAt: Date

    package let token: PurchaseToken
    package let state: State

    /// Nil: none, or none yet.
    package let orderID: GooglePlayOrderID?

    package let items: [Item]

    /// When it was paid; nil: it is not.
    package let completedAt: Date?

    /// Two letters, such as `KR`; nil: not reported.
    package let region: String?

    /// What the app passed with the purchase as the user's account; nil: nothing.
    package let accountID: String?

    package let isAcknowledged: Bool

    /// Whether a licence tester bought it: nobody pays.
    package let isTest: Bool

    /// Whether money was taken for it, even if it was given back since.
    var wasPaid: Bool { state == .purchased || completedAt != nil }

    /// The part of its pieces that was taken back, in thousandths of a percent.
    var partTakenBack: Int64 {
        guard state != .cancelled else { return StorePurchase.whole }
        let left = items.reduce(0) { $0 + min($1.quantity, $1.refundableQuantity ?? $1.quantity) }
        let all = items.reduce(0) { $0 + $1.quantity }
        return ((all - left) * StorePurchase.whole * 2 + all) / (all * 2)
    }

    /// Whether its order has to be asked: only that tells whether what is cancelled was paid, if there is no time of it.
    var mayHaveBeenPaid: Bool { wasPaid || (state == .cancelled && orderID != nil) }
}

extension GooglePlayPurchase {
    init(_ members: PlayMembers, token: PurchaseToken, app: String, toldAt: Date) throws(GatewayError) {
        (self.token, self.app, self.toldAt) = (token, app, toldAt)
        guard let context = try members.object("purchaseStateContext") else {
            throw PlayMembers.unusable("purchaseStateContext")
        }
        state = State(rawValue: try context.requiredText("purchaseState"))
        orderID = try members.orderID("orderId")
        var items: [Item] = []
        for item in try members.objects("productLineItem") { items.append(try Item(item)) }
        guard !items.isEmpty else { throw PlayMembers.unusable("productLineItem") }
        self.items = items
        completedAt = try members.time("purchaseCompletionTime")
        region = try members.text("regionCode")
        accountID = try members.text("obfuscatedExternalAccountId")
        isAcknowledged = try members.text("acknowledgementState") == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        isTest = try members.object("testPurchaseContext") != nil
    }
}

extension GooglePlayPurchase.Item {
    fileprivate init(_ members: PlayMembers) throws(GatewayError) {
        productID = try members.requiredText("productId")
        let details = try members.object("productOfferDetails")
        quantity = try details?.quantity("quantity") ?? 1
        refundableQuantity = try details?.integer("refundableQuantity", in: 0...quantity)
        isConsumed = try details?.text("consumptionState") == "CONSUMPTION_STATE_CONSUMED"
        isRental = try details?.object("rentOfferDetails") != nil
    }
}

extension PlayMembers {
    /// More than the store sells at once.
    private static let mostPieces: Int64 = 1000

    func orderID(_ name: String) throws(GatewayError) -> GooglePlayOrderID? {
        guard let text = try text(name) else { return nil }
        guard let id = try? GooglePlayOrderID(text) else { throw Self.unusable(name) }
        return id
    }

    func token(_ name: String) throws(GatewayError) -> PurchaseToken? {
        guard let text = try text(name) else { return nil }
        guard let token = try? PurchaseToken(text) else { throw Self.unusable(name) }
        return token
    }

    func quantity(_ name: String) throws(GatewayError) -> Int64? { try integer(name, in: 1...Self.mostPieces) }
}
