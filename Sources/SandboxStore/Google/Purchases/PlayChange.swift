import FoundationEssentials
import SandboxSupport

/// What happens to a purchase after it was made, by hand.
struct PlayChange: Sendable {
    enum Act: String, Sendable, CaseIterable {
        /// A pending purchase is paid.
        case pay
        /// A pending purchase is cancelled.
        case cancel
        /// All that is left, a quantity, or an amount with no item taken back.
        case refund
        /// A chargeback, about which the shop is asked first.
        case askReview = "ask_review"
        /// The app does it on the device.
        case acknowledge
        case consume
        /// A purchase without an order gets one.
        case giveOrder = "give_order"
        /// The API doesn't answer for the token any more.
        case forget
        /// Only a message, of any kind.
        case announce
    }

    /// What a change makes beside the purchase.
    struct Effect: Sendable {
        var notification: DeveloperNotification?
        var void: VoidDraft?
    }

    /// How a purchase is listed as voided.
    struct VoidDraft: Sendable {
        let voidedAt: Date
        let seenAt: Date
        let reason: Int
        let source: Int
        let quantity: Int?

        func record(of purchase: PlayPurchase) -> PlayVoid {
            PlayVoid(
                purchase: purchase, voidedAt: voidedAt, seenAt: seenAt, reason: reason, source: source,
                quantity: quantity)
        }
    }

    let isAnnounced: Bool
    private let act: Act
    private let quantity: Int?
    private let productID: String?
    private let amount: Decimal?
    private let isRevoked: Bool
    private let isUnknown: Bool
    private let reason: Int
    private let source: Int
    private let voidedAt: Date?
    private let orderID: String?
    private let notification: [String: JSONValue]?

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(
            body,
            known: [
                "act", "quantity", "product_id", "amount", "revoke", "reason", "source", "voided_at", "order_id",
                "notification", "notify", "unknown",
            ])
        guard let act = try members.choice("act", of: Act.self) else {
            throw ControlError(.badRequest, "act", "is missing")
        }
        self.act = act
        quantity = try members.integer("quantity", in: 1...100)
        productID = try members.text("product_id")
        amount = try members.amount("amount")
        isRevoked = try members.flag("revoke") ?? true
        isUnknown = try members.flag("unknown") ?? false
        reason = try members.integer("reason", in: 0...1000) ?? 0
        source = try members.integer("source", in: 0...1000) ?? PlayVoid.byDeveloper
        voidedAt = try members.time("voided_at")
        orderID = try members.text("order_id")
        notification = try members.object("notification")
        isAnnounced = try members.flag("notify") ?? true
        if act == .announce, notification == nil {
            throw ControlError(.badRequest, "notification", "is missing")
        }
        if quantity != nil, amount != nil {
            throw ControlError(.badRequest, "amount", "can't be given with a quantity")
        }
    }

    /// Changes the purchase.
    ///
    /// - Throws: ``ControlError`` for an impossible change.
    func apply(
        to purchase: inout PlayPurchase, _ mint: inout PlayIdentifiers, now: Date
    ) throws(ControlError) -> Effect {
        switch act {
        case .pay:
            try require(purchase.state == .pending, "a pending purchase")
            purchase.state = .purchased
            purchase.completedAt = now
            return Effect(notification: .purchased)
        case .cancel:
            try require(purchase.state == .pending, "a pending purchase")
            purchase.state = .cancelled
            purchase.cancelledAt = now
            return Effect(notification: .pendingCancelled)
        case .refund: return try refund(&purchase, now: now)
        case .askReview:
            try require(purchase.orderID != nil, "a purchase with an order")
            let review = PlayPurchase.Review(token: mint.reviewToken(), askedAt: now)
            purchase.reviews.append(review)
            return Effect(notification: .refundReview(token: review.token))
        case .acknowledge: purchase.isAcknowledged = true
        case .consume: for index in purchase.lines.indices { purchase.lines[index].isConsumed = true }
        case .giveOrder:
            try require(purchase.orderID == nil, "a purchase without an order")
            purchase.orderID = orderID ?? mint.orderID()
        case .forget: purchase.refusal = isUnknown ? .tokenNotFound : .tokenNoLongerValid
        case .announce: return Effect(notification: notification.map(DeveloperNotification.other))
        }
        return Effect()
    }

    private func refund(_ purchase: inout PlayPurchase, now: Date) throws(ControlError) -> Effect {
        try require(purchase.state == .purchased && purchase.wholeRefund == nil, "a purchase that isn't refunded")
        if let amount {
            try purchase.refund(PlayMoney(amount, purchase.tax.currency), now: now)
            return Effect()
        }
        if let quantity, try purchase.refund(quantity, of: productID, now: now) {
            return Effect(notification: .voided(isWhole: false), void: void(quantity, now: now))
        }
        if quantity == nil {
            purchase.refundAll(isRevoked: isRevoked, isChargeback: reason == PlayVoid.chargeback, now: now)
            // Google lists no refund by which nothing is taken back.
            guard isRevoked else { return Effect() }
        }
        return Effect(notification: .voided(isWhole: true), void: void(nil, now: now))
    }

    private func void(_ quantity: Int?, now: Date) -> VoidDraft {
        VoidDraft(voidedAt: voidedAt ?? now, seenAt: now, reason: reason, source: source, quantity: quantity)
    }

    private func require(_ holds: Bool, _ what: String) throws(ControlError) {
        if !holds { throw ControlError(.conflict, "act", "requires " + what) }
    }
}
