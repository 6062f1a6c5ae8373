import FoundationEssentials
import SandboxSupport

/// A purchase as Google Play knows it.
struct PlayPurchase: Sendable {
    enum State: String, Sendable, CaseIterable {
        case purchased
        /// Not paid yet, as with cash.
        case pending
        case cancelled
    }

    /// Why it cost nothing, or was a test; none for a normal purchase.
    enum Kind: String, Sendable, CaseIterable {
        /// Of a licence tester.
        case test
        case promo
        case rewarded

        var number: Int {
            switch self {
            case .test: 0
            case .promo: 1
            case .rewarded: 2
            }
        }
    }

    /// An item, in some quantity.
    struct Line: Sendable {
        let productID: String
        let quantity: Int
        /// The total of the quantity.
        let price: PlayMoney
        let offerID: String?
        var refundedQuantity = 0
        var isConsumed = false

        var refundableQuantity: Int { quantity - refundedQuantity }
    }

    struct Refund: Sendable {
        let at: Date
        let processedAt: Date
        let total: PlayMoney
        let tax: PlayMoney
        var isChargeback = false
    }

    /// A chargeback about which the shop is asked.
    struct Review: Sendable {
        let token: String
        let askedAt: Date
        /// What the shop said, oldest first.
        var answers: [JSONValue] = []
    }

    let token: String
    let createdAt: Date
    let kind: Kind?
    let region: String
    let accountID: String?
    let profileID: String?
    let tax: PlayMoney
    /// What the shop gets of it, before refunds.
    let revenue: PlayMoney
    /// Members that replace those of the API's purchase and order, such as values that no client knows yet; null
    /// removes one.
    let purchaseReplacements: [String: JSONValue]
    let orderReplacements: [String: JSONValue]
    var orderID: String?
    var lines: [Line]
    var state: State
    /// When it was paid.
    var completedAt: Date?
    var cancelledAt: Date?
    var isAcknowledged = false
    var developerPayload: String?
    var partialRefunds: [Refund] = []
    /// The refund after which nothing is left.
    var wholeRefund: Refund?
    var reviews: [Review] = []
    /// How many more changes through the API are refused as concurrent.
    var busyCalls: Int
    /// How many seconds the order takes to show a refund as processed.
    let refundDelay: Double
    /// Why the API doesn't answer for the token any more.
    var refusal: GoogleRefusal?

    var total: PlayMoney { lines.reduce(PlayMoney(micros: 0, tax.currency)) { $0 + $1.price } }

    var refunds: [Refund] { partialRefunds + [wholeRefund].compactMap(\.self) }

    /// The sum of what is left after all refunds.
    var left: PlayMoney { refunds.reduce(total) { $0 - $1.total } }

    var isConsumed: Bool { lines.allSatisfy(\.isConsumed) }

    /// Whether it is Google's to take back when its time is over.
    var awaitsAcknowledgement: Bool {
        state == .purchased && !isAcknowledged && !lines.contains(where: \.isConsumed) && wholeRefund == nil
    }
}
