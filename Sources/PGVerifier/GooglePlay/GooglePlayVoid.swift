package import FoundationEssentials

/// A purchase that was taken back.
package struct GooglePlayVoid: Hashable, Sendable {
    /// Who did it; new numbers can be added.
    package struct Source: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        package static let user = Source(rawValue: 0)
        package static let developer = Source(rawValue: 1)
        package static let google = Source(rawValue: 2)
    }

    /// Why; new numbers can be added.
    package struct Reason: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        package static let other = Reason(rawValue: 0)
        package static let remorse = Reason(rawValue: 1)
        package static let notReceived = Reason(rawValue: 2)
        package static let defective = Reason(rawValue: 3)
        package static let accidental = Reason(rawValue: 4)
        package static let fraud = Reason(rawValue: 5)
        package static let friendlyFraud = Reason(rawValue: 6)
        package static let chargeback = Reason(rawValue: 7)
        /// Nobody said within three days that it was delivered: the books may not know it at all.
        package static let unacknowledged = Reason(rawValue: 8)
    }

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
