package import FoundationEssentials

/// A purchase that was taken back.
package struct GooglePlayVoid: Hashable, Sendable {
    /// Who did it.
    package typealias Source = PlayNumber<SourceTopic>
    package enum SourceTopic {}

    /// Why.
    package typealias Reason = PlayNumber<ReasonTopic>
    package enum ReasonTopic {}

    package let token: PurchaseToken

    /// Nil: not reported.
    package let orderID: GooglePlayOrderID?

    package let purchasedAt: Date?
    package let voidedAt: Date
    package let source: Source
    package let reason: Reason

    /// How many pieces; nil: all, or the last of those that were taken back one after another.
    package let quantity: Int64?

    /// Names the purchase to the gateway.
    package var receipt: Receipt { .googlePlay(token) }

    /// The same for the same act.
    var id: String { "\(token) \(orderID?.text ?? "") \(voidedAt.timeIntervalSince1970) \(quantity ?? 0)" }
}

extension PlayNumber<GooglePlayVoid.SourceTopic> {
    package static var user: Self { Self(rawValue: 0) }
    package static var developer: Self { Self(rawValue: 1) }
    package static var google: Self { Self(rawValue: 2) }
}

extension PlayNumber<GooglePlayVoid.ReasonTopic> {
    package static var other: Self { Self(rawValue: 0) }
    package static var remorse: Self { Self(rawValue: 1) }
    package static var notReceived: Self { Self(rawValue: 2) }
    package static var defective: Self { Self(rawValue: 3) }
    package static var accidental: Self { Self(rawValue: 4) }
    package static var fraud: Self { Self(rawValue: 5) }
    package static var friendlyFraud: Self { Self(rawValue: 6) }
    package static var chargeback: Self { Self(rawValue: 7) }
    /// Nobody said within three days that it was delivered: the books may not know it at all.
    package static var unacknowledged: Self { Self(rawValue: 8) }
}

extension GooglePlayVoid {
    init(_ members: PlayMembers) throws(GatewayError) {
        guard let token = try members.token("purchaseToken") else { throw PlayMembers.unusable("purchaseToken") }
        guard let voidedAt = try members.milliseconds("voidedTimeMillis") else {
            throw PlayMembers.unusable("voidedTimeMillis")
        }
        self.token = token
        self.voidedAt = voidedAt
        orderID = try members.orderID("orderId")
        purchasedAt = try members.milliseconds("purchaseTimeMillis")
        source = Source(rawValue: try members.integer("voidedSource", in: 0...Int64.max) ?? 0)
        reason = Reason(rawValue: try members.integer("voidedReason", in: 0...Int64.max) ?? 0)
        quantity = try members.quantity("voidedQuantity")
    }
}
