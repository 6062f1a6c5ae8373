import FoundationEssentials
import SandboxSupport

/// A purchase that was taken back, or a part of one, as the list of voided purchases has it.
struct PlayVoid: Sendable {
    /// Why Google takes a purchase back that nobody acknowledged.
    static let unacknowledged = 8
    static let chargeback = 7
    /// Who took it back: the user 0, the developer 1, Google 2.
    static let byDeveloper = 1
    static let byGoogle = 2

    let purchase: PlayPurchase
    let voidedAt: Date
    /// When Google's systems saw it, by which the list is ordered and filtered.
    let seenAt: Date
    let reason: Int
    let source: Int
    /// How many were taken back, where others are left.
    let quantity: Int?

    /// VoidedPurchase.
    var wire: JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string("androidpublisher#voidedPurchase"), "purchaseToken": .string(purchase.token),
            "purchaseTimeMillis": .string(String(purchase.createdAt.milliseconds)),
            "voidedTimeMillis": .string(String(voidedAt.milliseconds)), "voidedReason": .int(reason),
            "voidedSource": .int(source),
        ]
        members["orderId"] = purchase.orderID.map(JSONValue.string)
        members["voidedQuantity"] = quantity.map(JSONValue.int)
        return .object(members)
    }
}
