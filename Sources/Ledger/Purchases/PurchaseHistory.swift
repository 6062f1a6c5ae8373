package import Foundation
package import Postgres

/// What a list shows of a purchase.
package protocol ListablePurchase: PostgresReadable, Equatable {
    /// The columns that are read, of a table or alias named `purchase`.
    static var columns: String { get }
    var id: Int64 { get }
    var status: Purchase.Status { get }
    var payment: PaymentIdentity { get }
    var product: String { get }
    var amount: Int64 { get }
    var currency: Currency { get }
    var coins: Int64 { get }
    var bonusCoins: Int64 { get }
    var refundedAmount: Int64 { get }
    var paidAt: Date { get }
    var creditedAt: Date { get }
    /// What was paid in a foreign currency, in its minor units; nil: it was won.
    var foreignAmount: Int64? { get }
    var foreignCurrency: ForeignCurrency? { get }
    /// What of it the gateway gave back.
    var foreignRefunded: Int64? { get }
}

extension Purchase: ListablePurchase {}

/// A purchase as its user is shown it: a page has many, so nothing else is read of them.
package struct ListedPurchase: ListablePurchase, Sendable {
    package let id: Int64
    package let status: Purchase.Status
    package let payment: PaymentIdentity
    package let product: String
    package let amount: Int64
    package let currency: Currency
    package let coins: Int64
    package let bonusCoins: Int64
    package let refundedAmount: Int64
    package let paidAt: Date
    package let creditedAt: Date
    package let foreignAmount: Int64?
    package let foreignCurrency: ForeignCurrency?
    package let foreignRefunded: Int64?

    package static let columns = """
        purchase.id, purchase.status, purchase.gateway, purchase.imp_uid, purchase.merchant_uid, purchase.payment_id,
        purchase.product, purchase.amount, purchase.currency, purchase.coins, purchase.bonus_coins,
        purchase.refunded_amount, purchase.paid_at, purchase.credited_at, purchase.foreign_amount,
        purchase.foreign_currency, purchase.foreign_refunded
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> ListedPurchase {
        try row.make(of: "purchase", at: &column, ListedPurchase.init)
    }
}

/// A purchase, with its refunds in the order in which they were requested.
package struct WithRefunds<Bought: ListablePurchase>: Sendable, Equatable {
    package let purchase: Bought
    package let refunds: [Refund]
}

package typealias RefundablePurchase = WithRefunds<Purchase>

/// Where the next page of purchases begins: after this purchase.
package struct PurchaseCursor: Sendable, Codable, Equatable {
    /// When the last purchase was credited.
    package let creditedAt: CursorMoment
    /// The last purchase's id.
    package let id: Int64

    init(after purchase: some ListablePurchase) {
        self.creditedAt = CursorMoment(purchase.creditedAt)
        self.id = purchase.id
    }
}

/// A request for a page of a user's purchases.
struct PurchasePageRequest: Sendable {
    let user: UserID
    var period = Period.always
    var status: Purchase.Status?
    var cursor: PurchaseCursor?
    let limit: Int
}

extension WithRefunds {
    /// The requested pages.
    ///
    /// One query reads the purchases, and a second one their refunds if there are any.
    static func pages(
        _ requests: [PurchasePageRequest], from pool: PostgresPool
    ) async throws -> [Page<Self, PurchaseCursor>] {
        let rows = try await pool.run(Bought.history(requests))
        let refunds = try await Refund.byPurchase(rows.filter(\.hasRefunds).map(\.purchase.id), from: pool)
        var pages = requests.map { _ in [Self]() }
        for row in rows {
            pages[row.place].append(Self(purchase: row.purchase, refunds: refunds[row.purchase.id] ?? []))
        }
        return zip(requests, pages).map { request, page in
            Page(page, limit: request.limit) { shown in shown.last.map { PurchaseCursor(after: $0.purchase) } }
        }
    }
}

extension Refund {
    /// The refunds of these purchases, by purchase id, in the order in which they were requested.
    static func byPurchase(_ purchases: [Int64], from pool: PostgresPool) async throws -> [Int64: [Refund]] {
        guard !purchases.isEmpty else { return [:] }
        return Dictionary(grouping: try await pool.run(Refund.of(purchases: purchases)), by: \.purchaseID)
    }
}

/// A row of the history of purchases.
struct PurchaseHistoryRow<Bought: ListablePurchase>: Sendable {
    /// The index of the request.
    let place: Int
    let purchase: Bought
    let hasRefunds: Bool
}

extension ListablePurchase {
    /// For each request, the user's purchases that were credited in the period, newest first.
    ///
    /// Returns up to its limit + 1 rows, to show whether there are more.
    ///
    /// Each request uses an index, so its cost does not depend on other users' purchases.
    static func history(_ requests: [PurchasePageRequest]) -> PostgresQuery<[PurchaseHistoryRow<Self>]> {
        PostgresQuery(
            """
            SELECT found.*, EXISTS (SELECT FROM refund WHERE refund.purchase_id = found.id), asked.place
            FROM unnest(
                $1::text[], $2::timestamptz[], $3::int8[], $4::int8[], $5::timestamptz[], $6::timestamptz[], $7::text[])
                WITH ORDINALITY AS asked (user_id, before, id_before, most, from_time, to_time, status, place)
            CROSS JOIN LATERAL (
                SELECT \(columns)
                FROM purchase
                WHERE user_id = asked.user_id AND (credited_at, id) < (asked.before, asked.id_before)
                    AND credited_at >= asked.from_time AND credited_at < asked.to_time
                    AND (asked.status IS NULL OR purchase.status = asked.status)
                ORDER BY credited_at DESC, id DESC
                LIMIT asked.most
            ) AS found
            ORDER BY asked.place, found.credited_at DESC, found.id DESC
            """,
            [
                requests.map(\.user.rawValue), requests.map { $0.cursor?.creditedAt.date ?? .endOfHistory },
                requests.map { $0.cursor?.id ?? .max }, requests.map { Int64($0.limit + 1) },
                requests.map(\.period.from), requests.map(\.period.to), requests.map { $0.status?.rawValue },
            ]
        ) { [count = requests.count] row in
            try row.make { (purchase: Self, hasRefunds: Bool, place: Int) in
                guard (1...count).contains(place) else { throw UnreadableRow(table: "purchase", id: purchase.id) }
                return PurchaseHistoryRow(place: place - 1, purchase: purchase, hasRefunds: hasRefunds)
            }
        }
    }
}

extension Purchase {
    /// The purchase with this id, if it is the user's.
    static func find(_ id: Int64, of user: UserID) -> PostgresQuery<[Purchase]> {
        PostgresQuery(
            "SELECT \(columns) FROM purchase WHERE id = $1 AND user_id = $2", [id, user.rawValue])
    }
}
