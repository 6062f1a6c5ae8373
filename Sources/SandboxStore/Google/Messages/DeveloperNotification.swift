import FoundationEssentials
import SandboxSupport

/// What a message of Google Play tells (Real-time developer notifications).
enum DeveloperNotification: Sendable {
    /// A one-time product was paid.
    case purchased
    /// A pending purchase was cancelled; it isn't a refund.
    case pendingCancelled
    /// A purchase was taken back, or a part of its quantity.
    case voided(isWhole: Bool)
    /// Whether a chargeback is right is asked.
    case refundReview(token: String)
    /// The Play Console's test.
    case test
    /// Any members.
    case other([String: JSONValue])

    private static let version = JSONValue.string("1.0")
    private static let chargeback = 7
    private static let oneTimeProduct = 2

    /// Whether Google tells it only with the setting "all notifications".
    var isOneTime: Bool {
        switch self {
        case .purchased, .pendingCancelled: true
        default: false
        }
    }

    /// The name by which the control API and rules know it.
    var type: String {
        switch self {
        case .purchased, .pendingCancelled: "oneTimeProductNotification"
        case .voided: "voidedPurchaseNotification"
        case .refundReview: "pendingRefundReviewNotification"
        case .test: "testNotification"
        case .other(let members): members.keys.sorted().first ?? ""
        }
    }

    /// The data of the message (DeveloperNotification).
    func data(about purchase: PlayPurchase?, of packageName: String, now: Date) -> JSONValue {
        var members: [String: JSONValue] = [
            "version": Self.version, "packageName": .string(packageName),
            "eventTimeMillis": .string(String(now.milliseconds)),
        ]
        switch self {
        case .purchased: members[type] = Self.oneTime(1, purchase)
        case .pendingCancelled: members[type] = Self.oneTime(2, purchase)
        case .voided(let isWhole):
            members[type] = .object(
                Self.present([
                    "purchaseToken": .text(purchase?.token), "orderId": .text(purchase?.orderID),
                    "productType": .int(Self.oneTimeProduct), "refundType": .int(isWhole ? 1 : 2),
                ]))
        case .refundReview(let token):
            members[type] = .object(
                Self.present([
                    "version": Self.version, "pendingRefundToken": .string(token),
                    "orderId": .text(purchase?.orderID), "refundReason": .int(Self.chargeback),
                    "obfuscatedAccountId": .text(purchase?.accountID),
                    "obfuscatedProfileId": .text(purchase?.profileID),
                ]))
        case .test: members[type] = .object(["version": Self.version])
        case .other(let others): members = Self.present(members.merging(others) { $1 })
        }
        return .object(members)
    }

    private static func oneTime(_ type: Int, _ purchase: PlayPurchase?) -> JSONValue {
        .object(
            present([
                "version": version, "notificationType": .int(type), "purchaseToken": .text(purchase?.token),
                "sku": .text(purchase?.lines.first?.productID),
            ]))
    }

    private static func present(_ members: [String: JSONValue]) -> [String: JSONValue] {
        members.filter { $0.value != .null }
    }
}
