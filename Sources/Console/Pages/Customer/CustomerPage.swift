import Foundation
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// A customer: balance, lots, holds, purchases, what happened, and what can be done.
struct CustomerPage: Sendable {
    let ledger: Ledger

    private static let pageSize = 50
    private static let listed = 20

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("customers/{user}", needs: .read, page)
    }

    /// `GET /console/customers/{user}`; `?cursor=` for earlier events.
    private func page(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let list = "timeline of \(user.rawValue)"
        let cursor = try visit.query("cursor").map { text throws(Problem) in
            try Cursor.decode(TimelineCursor.self, from: text, of: list)
        }
        let events = try await ledger.timeline.list(of: user, after: cursor, limit: Self.pageSize)
        var values: [String: Any] = [
            "path": CustomerPath.page(of: user),
            "events": events.elements.map { TimelineRow($0, of: user, visit).values },
            "hasEvents": !events.elements.isEmpty,
        ]
        if let next = events.next {
            values["next"] = CustomerPath.page(of: user) + "?cursor=" + (try Cursor.encode(next, of: list))
        }
        // Earlier events are a page of their own.
        if cursor == nil { values.merge(try await standing(of: user, visit)) { $1 } }
        return Layout.page(visit, title: user.rawValue, Self.template, values)
    }

    private func standing(of user: UserID, _ visit: Visit) async throws -> [String: Any] {
        let balance = try await ledger.balances.find(of: user)
        let lots = try await ledger.lots.list(of: user, limit: Self.listed)
        let holds = try await ledger.holds.list(of: user, .open, limit: Self.listed)
        let purchases = try await ledger.purchases.list(of: user, limit: Self.listed)
        let waiting = try await ledger.retries.list(of: user, .waiting, limit: Self.listed)
        let disputed = try await ledger.disputes.disputedPurchases(of: user)
        let path = CustomerPath.page(of: user)
        let facts: [String: Any] = [
            "available": Show.number(balance.available), "paid": Show.number(balance.paid),
            "bonus": Show.number(balance.bonus), "held": Show.number(balance.held),
            "debt": Show.number(balance.debt),
        ]
        return [
            "standing": [
                "facts": facts, "path": path, "once": RandomToken.make(),
                "mayGrant": visit.may(.grant), "mayWriteOff": visit.may(.writeOff) && balance.debt > 0,
                "mayNote": visit.may(.note), "hasDebt": balance.debt > 0,
                "lots": Self.section(lots.elements.map { Self.row($0, visit) }, hasMore: lots.next != nil),
                "holds": Self.section(
                    holds.elements.map { Self.row($0, path, visit) }, hasMore: holds.next != nil),
                "purchases": Self.section(
                    purchases.elements.map { bought in
                        Self.row(bought.purchase, path, visit).merging(
                            ["isDisputed": disputed.contains(bought.purchase.id)]) { $1 }
                    }, hasMore: purchases.next != nil),
                "waiting": Self.section(
                    waiting.elements.map { Self.row($0, path, visit) }, hasMore: waiting.next != nil),
            ] as [String: Any]
        ]
    }

    /// The rows of a table; none if there are no rows.
    private static func section(_ rows: [[String: Any]], hasMore: Bool) -> [[String: Any]] {
        rows.isEmpty ? [] : [["rows": rows, "hasMore": hasMore]]
    }

    private static func row(_ lot: Lot, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(lot.id), "kind": visit.text("kind_\(lot.kind.rawValue)"),
            "remaining": Show.number(lot.remaining), "held": Show.number(lot.held),
            "coins": Show.number(lot.coins), "source": lot.purchaseID.map(String.init) ?? lot.issuer ?? "",
        ]
        row["acquired"] = visit.time(lot.acquiredAt)
        row["expires"] = visit.time(lot.expiresAt)
        return row
    }

    private static func row(_ hold: Hold, _ path: String, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(hold.id), "remaining": Show.number(hold.remaining), "coins": Show.number(hold.coins),
            "reference": hold.reference ?? "",
        ]
        row["placed"] = visit.time(hold.placedAt)
        row["expires"] = visit.time(hold.expiresAt)
        if visit.may(.voidHold) { row["voidPath"] = "\(path)/void/\(hold.id)" }
        return row
    }

    private static func row(_ purchase: Purchase, _ path: String, _ visit: Visit) -> [String: Any] {
        let payment = purchase.payment
        var row: [String: Any] = [
            "id": String(purchase.id), "product": purchase.product, "impUID": payment.paymentID,
            "merchantUID": payment.merchantUID, "gateway": payment.gateway,
            "amount": Show.money(purchase.amount, purchase.currency.code),
            "coins": Show.number(purchase.coins + purchase.bonusCoins),
            "status": visit.text("status_\(purchase.status.rawValue)"),
            "tone": purchase.status == .credited ? "good" : "wait",
        ]
        if purchase.refundedAmount > 0 {
            row["refunded"] = Show.money(purchase.refundedAmount, purchase.currency.code)
        }
        row["credited"] = visit.time(purchase.creditedAt)
        if visit.may(.refund), purchase.status != .refunded { row["refundPath"] = "\(path)/refund/\(purchase.id)" }
        if visit.may(.reverse), purchase.status != .refunded {
            row["takeBackPath"] = "\(path)/take-back/\(purchase.id)"
        }
        row["lookUp"] = lookUp(payment, path, visit)
        return row
    }

    private static func row(_ receipt: StoredReceipt, _ path: String, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(receipt.id), "reason": receipt.reason, "gateway": receipt.payment.gateway,
            "impUID": receipt.payment.paymentID, "merchantUID": receipt.payment.merchantUID,
            "attempts": Show.number(receipt.attempts),
        ]
        row["created"] = visit.time(receipt.createdAt)
        row["due"] = visit.time(receipt.nextAttemptAt)
        row["lookUp"] = lookUp(receipt.payment, path, visit)
        return row
    }

    /// The fields of the form that asks the gateway about a payment; nil: the person may not.
    static func lookUp(_ payment: PaymentIdentity, _ path: String, _ visit: Visit) -> [String: Any]? {
        guard visit.may(.lookUp) else { return nil }
        return [
            "path": "\(path)/look-up", "gateway": payment.gateway, "impUID": payment.paymentID,
            "merchantUID": payment.merchantUID, "once": RandomToken.make(),
        ]
    }
}
