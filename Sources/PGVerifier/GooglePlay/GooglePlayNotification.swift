import CivilTime
package import FoundationEssentials
import WireFormats

/// A real-time developer notification: what happened to a purchase.
package struct GooglePlayNotification: Hashable, Sendable {
    /// What it is about.
    package enum Subject: Hashable, Sendable {
        /// A one-time purchase.
        case purchase(Purchase)
        case voided(Voided)
        case refundReview(RefundReview)
        /// A subscription, with the number of what happened.
        case subscription(Int64?)
        case test
        /// Something that this version doesn't know, by the name of its member.
        case other(String)
    }

    package struct Purchase: Hashable, Sendable {
        /// What happened.
        package typealias Kind = PlayNumber<KindTopic>
        package enum KindTopic {}

        package let kind: Kind
        package let token: PurchaseToken
        /// Nil: not reported.
        package let productID: String?
    }

    package struct Voided: Hashable, Sendable {
        /// What was bought.
        package typealias Product = PlayNumber<ProductTopic>
        package enum ProductTopic {}

        /// How much was taken back.
        package typealias Refund = PlayNumber<RefundTopic>
        package enum RefundTopic {}

        package let product: Product
        package let refund: Refund
        package let token: PurchaseToken
        /// Nil: not reported.
        package let orderID: GooglePlayOrderID?
    }

    /// The buyer disputes an order: answer within 24 hours.
    package struct RefundReview: Hashable, Sendable {
        /// Names the request in the answer.
        package let token: String
        package let orderID: GooglePlayOrderID
        /// The number of why; nil: not reported.
        package let reason: Int64?
        /// What the app passed with the purchase as the user's account; nil: nothing.
        package let accountID: String?

        package init(token: String, orderID: GooglePlayOrderID, reason: Int64? = nil, accountID: String? = nil) {
            self.token = token
            self.orderID = orderID
            self.reason = reason
            self.accountID = accountID
        }
    }

    /// The message's id, the same for every delivery; equal content can also come under another one.
    package let id: String
    /// When Pub/Sub got it; nil: not reported.
    package let publishedAt: Date?
    package let packageName: String
    /// When it happened; nil: not reported.
    package let occurredAt: Date?
    package let subject: Subject
}

extension PlayNumber<GooglePlayNotification.Purchase.KindTopic> {
    package static var purchased: Self { Self(rawValue: 1) }
    /// The buyer gave a pending purchase up before it was paid: no refund.
    package static var pendingCancelled: Self { Self(rawValue: 2) }
}

extension PlayNumber<GooglePlayNotification.Voided.ProductTopic> {
    package static var subscription: Self { Self(rawValue: 1) }
    package static var oneTime: Self { Self(rawValue: 2) }
}

extension PlayNumber<GooglePlayNotification.Voided.RefundTopic> {
    package static var full: Self { Self(rawValue: 1) }
    /// Some of several pieces.
    package static var partial: Self { Self(rawValue: 2) }
}

extension GooglePlayNotification {
    /// The members one of which says what it is about.
    private static let subjects = [
        "oneTimeProductNotification", "voidedPurchaseNotification", "pendingRefundReviewNotification",
        "subscriptionNotification", "testNotification",
    ]

    /// Reads Pub/Sub's message.
    init(message: JSON?) throws(GooglePlayPushError) {
        guard let message, let id = message["messageId"]?.text, (1...200).contains(id.utf8.count),
            let data = message["data"]?.text.flatMap({ Data(base64Encoded: $0) }),
            let json = try? JSONParser.parse([UInt8](data)), case .object(let members) = json
        else { throw GooglePlayPushError(.malformedBody, "the body has no message of Google Play's") }
        self.id = id
        do throws(GatewayError) {
            let fields = PlayMembers(json)
            publishedAt = try PlayMembers(message).time("publishTime")
            packageName = try fields.requiredText("packageName")
            occurredAt = try fields.milliseconds("eventTimeMillis")
            if let name = Self.subjects.first(where: { members[$0] != nil }), let about = try fields.object(name) {
                subject = try Subject(name, about)
            } else {
                subject = .other(members.keys.filter { $0.hasSuffix("Notification") }.min() ?? "")
            }
        } catch {
            throw GooglePlayPushError(.malformedBody, error.message)
        }
    }
}

extension GooglePlayNotification.Subject {
    fileprivate init(_ name: String, _ members: PlayMembers) throws(GatewayError) {
        switch name {
        case "oneTimeProductNotification": self = .purchase(try GooglePlayNotification.Purchase(members))
        case "voidedPurchaseNotification": self = .voided(try GooglePlayNotification.Voided(members))
        case "pendingRefundReviewNotification": self = .refundReview(try GooglePlayNotification.RefundReview(members))
        case "subscriptionNotification": self = .subscription(try members.longInteger("notificationType"))
        default: self = .test
        }
    }
}

extension GooglePlayNotification.Purchase {
    fileprivate init(_ members: PlayMembers) throws(GatewayError) {
        guard let kind = try members.longInteger("notificationType") else {
            throw PlayMembers.unusable("notificationType")
        }
        guard let token = try members.token("purchaseToken") else { throw PlayMembers.unusable("purchaseToken") }
        self.kind = Kind(rawValue: kind)
        self.token = token
        productID = try members.text("sku")
    }
}

extension GooglePlayNotification.Voided {
    fileprivate init(_ members: PlayMembers) throws(GatewayError) {
        guard let product = try members.longInteger("productType") else { throw PlayMembers.unusable("productType") }
        guard let token = try members.token("purchaseToken") else { throw PlayMembers.unusable("purchaseToken") }
        self.product = Product(rawValue: product)
        self.token = token
        // Before there were parts, all were whole.
        refund = Refund(rawValue: try members.longInteger("refundType") ?? Refund.full.rawValue)
        orderID = try members.orderID("orderId")
    }
}

extension GooglePlayNotification.RefundReview {
    fileprivate init(_ members: PlayMembers) throws(GatewayError) {
        guard let orderID = try members.orderID("orderId") else { throw PlayMembers.unusable("orderId") }
        self.init(
            token: try members.requiredText("pendingRefundToken"), orderID: orderID,
            reason: try members.longInteger("refundReason"), accountID: try members.text("obfuscatedAccountId"))
    }
}

/// A number by which Google says something; new ones can be added, and are kept.
///
/// - Parameter Topic: what it is about, so that numbers of two topics are not mixed up.
package struct PlayNumber<Topic>: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
