import FoundationEssentials
import SandboxSupport

/// A purchase that the control API makes.
struct PlayPurchaseDraft: Sendable {
    let token: String?
    let orderID: String?
    let hasOrder: Bool
    /// Whether Google tells the shop.
    let isAnnounced: Bool
    private let lines: [PlayPurchase.Line]
    private let kind: PlayPurchase.Kind?
    private let state: PlayPurchase.State
    private let region: String
    private let accountID: String?
    private let profileID: String?
    private let tax: PlayMoney
    private let revenue: PlayMoney
    private let purchasedAt: Date?
    private let busyCalls: Int
    private let refundDelay: Double
    private let purchaseReplacements: [String: JSONValue]
    private let orderReplacements: [String: JSONValue]

    private static let lineMembers: Set = ["product_id", "quantity", "price", "offer_id"]
    /// The price of one, in units of the currency.
    private static let unitPrice: Decimal = 1200
    /// What Google keeps of the price without tax, in percent.
    private static let fee = 15

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(
            body,
            known: Self.lineMembers.union([
                "items", "currency", "region", "account_id", "profile_id", "type", "state", "tax",
                "developer_revenue", "purchase_token", "order_id", "without_order", "purchased_at", "busy_calls",
                "refund_delay",
                "purchase", "order", "notify",
            ]))
        let currency = try members.text("currency") ?? "KRW"
        kind = try members.choice("type", of: PlayPurchase.Kind.self)
        let isFree = kind == .promo || kind == .rewarded
        lines = try Self.lines(members, currency, isFree: isFree)
        state = try members.choice("state", of: PlayPurchase.State.self) ?? .purchased
        region = try members.text("region") ?? "KR"
        accountID = try members.text("account_id", atMost: 64)
        profileID = try members.text("profile_id", atMost: 64)
        let total = lines.dropFirst().reduce(lines[0].price) { $0 + $1.price }
        // Prices in Korea include tax: 10 of 110 parts.
        tax = try members.amount("tax").map { PlayMoney($0, currency) } ?? total.part(10, of: 110)
        revenue =
            try members.amount("developer_revenue").map { PlayMoney($0, currency) }
            ?? (total - tax).part(100 - Self.fee, of: 100)
        token = try members.text("purchase_token", atMost: 1024)
        orderID = try members.text("order_id")
        hasOrder = try !(members.flag("without_order") ?? false)
        purchasedAt = try members.time("purchased_at")
        busyCalls = try members.integer("busy_calls", in: 0...1000) ?? 0
        refundDelay = Double(try members.integer("refund_delay", in: 0...400_000_000) ?? 0)
        purchaseReplacements = try members.object("purchase") ?? [:]
        orderReplacements = try members.object("order") ?? [:]
        isAnnounced = try members.flag("notify") ?? true
    }

    /// The lines of `items`, or the one of the purchase's own members.
    private static func lines(
        _ members: ControlMembers, _ currency: String, isFree: Bool
    ) throws(ControlError) -> [PlayPurchase.Line] {
        guard let items = members.value("items") else { return [try line(members, currency, isFree: isFree)] }
        guard case .array(let elements) = items, (1...10).contains(elements.count) else {
            throw ControlError(.badRequest, "items", "must be a list of 1 to 10")
        }
        var lines: [PlayPurchase.Line] = []
        for element in elements {
            lines.append(try line(try ControlMembers(element, known: lineMembers), currency, isFree: isFree))
        }
        return lines
    }

    private static func line(
        _ members: ControlMembers, _ currency: String, isFree: Bool
    ) throws(ControlError) -> PlayPurchase.Line {
        guard let productID = try members.text("product_id") else {
            throw ControlError(.badRequest, "product_id", "is missing")
        }
        let quantity = try members.integer("quantity", in: 1...100) ?? 1
        let price = try members.amount("price") ?? (isFree ? 0 : unitPrice * Decimal(quantity))
        guard price <= 1_000_000_000 else { throw ControlError(.badRequest, "price", "must be at most 1000000000") }
        return PlayPurchase.Line(
            productID: productID, quantity: quantity, price: PlayMoney(price, currency),
            offerID: try members.text("offer_id"))
    }

    func purchase(token: String, orderID: String?, now: Date) -> PlayPurchase {
        let at = purchasedAt ?? now
        return PlayPurchase(
            token: token, createdAt: at, kind: kind, region: region, accountID: accountID, profileID: profileID,
            tax: tax, revenue: revenue, purchaseReplacements: purchaseReplacements,
            orderReplacements: orderReplacements, orderID: orderID, lines: lines, state: state,
            completedAt: state == .purchased ? at : nil, cancelledAt: state == .cancelled ? at : nil,
            busyCalls: busyCalls, refundDelay: refundDelay)
    }
}
