import Foundation
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// A customer: what is wrong, balance, purchases, spends, holds, lots, what happened, notes, and what can be done.
struct CustomerPage: Sendable {
    let ledger: Ledger
    /// The names of the gateways that can be asked about what nobody has a record of.
    let gateways: [String]

    private static let pageSize = 50
    private static let listed = 20

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("customers/{user}", needs: .read, page)
        routes.page("customers/{user}/export", needs: .note, export)
    }

    /// `GET /console/customers/{user}/export`: a file, as of `GET /v1/users/{user}/export`.
    private func export(_ visit: Visit) async throws -> Response {
        let export = try await ledger.exports.begin(of: try visit.context.requireUserInPath()).get()
        return export.response(answering: visit.request, visit.context)
    }

    /// `GET /console/customers/{user}`; `?cursor=` for earlier events, `?purchase=` for a purchase that may be old.
    private func page(_ visit: Visit) async throws -> Response {
        // A former id has a page, which leads to the present one.
        let user = try visit.context.requireOwnerInPath("user")
        let list = "timeline of \(user.rawValue)"
        let cursor = try visit.cursor(of: list, as: TimelineCursor.self)
        let events = try await ledger.timeline.list(of: user, after: cursor, limit: Self.pageSize)
        var rows = events.elements.map { TimelineRow($0, of: user, visit).values }
        var values: [String: Any] = [:]
        // Earlier events are a page of their own.
        if cursor == nil {
            let purchases = try await ledger.purchases.latest(of: user, limit: Self.listed)
            let troubles = try await CustomerTroubles.read(user, from: ledger)
            if events.elements.isEmpty, troubles.isNone, try await !ledger.search.finds(user) {
                return await unknown(user, visit)
            }
            // What stands above has the name.
            rows = rows.map { row in troubles.names(row["anchor"]) ? row.filter { $0.key != "anchor" } : row }
            values = try await standing(of: user, purchases, troubles, visit)
            values["troubles"] = troubles.values(user, visit)
        }
        values["path"] = CustomerPath.page(of: user)
        values["hasEvents"] = !rows.isEmpty
        values["events"] = rows
        values["next"] = try visit.next(CustomerPath.page(of: user), of: list, events.next)
        return await Layout.page(visit, title: user.rawValue, isID: true, Self.template, values)
    }

    /// The page of a user of whom there is no record: 404, with what else the name may be.
    private func unknown(_ user: UserID, _ visit: Visit) async -> Response {
        var values: [String: Any] = [
            "name": user.rawValue, "search": SearchPage.place, "path": CustomerPath.page(of: user),
            "mayGrant": visit.may(.grant),
        ]
        values["ask"] = SearchPage.question(user.rawValue, gateways, visit)
        return await Layout.page(
            visit, title: visit.text("noRecordTitle"), status: .notFound, Self.unknownTemplate, values)
    }

    private func standing(
        of user: UserID, _ purchases: Page<RefundablePurchase, PurchaseCursor>, _ troubles: CustomerTroubles,
        _ visit: Visit
    ) async throws -> [String: Any] {
        let balance = try await ledger.balances.find(of: user)
        let lots = try await ledger.lots.list(of: user, limit: Self.listed)
        let holds = try await ledger.holds.list(of: user, .open, limit: Self.listed)
        let notes = try await ledger.notes.list(on: user, limit: Self.listed)
        let topUp = try await TopUpActs(ledger: ledger).find(of: user)
        let thresholds = try await ledger.balanceAlerts.find(of: .user(user))
        let shown = try await shown(purchases.elements.map(\.purchase), of: user, visit)
        let asked = try await RefundQuestionActs(ledger: ledger).list(about: shown)
        let present = try await ledger.merges.user(behind: user)
        let formers = try await ledger.merges.formerIDs(of: user)
        let titles = try await titles(of: shown)
        let doubles = LikelyDoubles.ids(in: shown)
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
                "mayNote": visit.may(.note), "mayForget": visit.may(.forget),
                "hasDebt": balance.debt > 0,
                "mayMerge": visit.may(.reverse) && present == user,
                "merged": present == user ? [] : [Self.link(present)], "formers": formers.map(Self.link),
                "lots": Self.section(lots.elements.map { Self.row($0, visit) }, hasMore: lots.next != nil),
                "mayVoid": visit.may(.grant), "thresholds": thresholds.map { [Self.row($0)] } ?? [],
                "questions": Self.section(RefundQuestionPages.rows(asked, visit), hasMore: false),
                "topUp": topUp.map { [TopUpPages.values($0, visit)] } ?? [],
                "holds": Self.section(
                    holds.elements.map { Self.row($0, path, visit) }, hasMore: holds.next != nil),
                "spends": Self.section(try await spends(of: user, visit), hasMore: false),
                "purchases": Self.section(
                    shown.map { purchase in
                        let marks: [String: Any] = [
                            "title": titles[purchase.product] ?? purchase.product,
                            "isDisputed": troubles.disputed.contains(purchase.id),
                            "isDouble": doubles.contains(purchase.id),
                        ]
                        return Self.row(purchase, path, visit).merging(marks) { $1 }
                    }, hasMore: purchases.next != nil),
            ] as [String: Any],
            "notes": Self.section(notes.elements.map { Self.row($0, visit) }, hasMore: notes.next != nil),
        ]
    }

    /// The latest purchases, with the one that was searched on top if it is none of them.
    private func shown(_ latest: [Purchase], of user: UserID, _ visit: Visit) async throws -> [Purchase] {
        guard let id = visit.query("purchase").flatMap({ Int64($0) }), !latest.contains(where: { $0.id == id }),
            let searched = try await ledger.purchases.find(id, of: user)
        else { return latest }
        return [searched] + latest
    }

    /// The latest titles of the products that were bought.
    private func titles(of purchases: [Purchase]) async throws -> [String: String] {
        guard let first = purchases.map(\.paidAt).min() else { return [:] }
        let products = try await ledger.products.list(since: first)
        return Dictionary(products.map { ($0.code, $0.title) }) { _, later in later }
    }

    /// The latest spends and captures, newest first.
    private func spends(of user: UserID, _ visit: Visit) async throws -> [[String: Any]] {
        var entries: [StatementEntry] = []
        for kind in ["spend", "capture"] {
            entries += try await ledger.statements.filledHistory(of: user, kind, limit: Self.listed).elements
        }
        return entries.sorted { $0.recordedAt > $1.recordedAt }.prefix(Self.listed).map {
            TimelineRow(.entry($0), of: user, visit).values
        }
    }

    private static func link(_ user: UserID) -> [String: String] {
        ["id": user.rawValue, "path": CustomerPath.page(of: user)]
    }

    /// The rows of a table; none if there are no rows.
    private static func section(_ rows: [[String: Any]], hasMore: Bool) -> [[String: Any]] {
        rows.isEmpty ? [] : [["rows": rows, "hasMore": hasMore]]
    }

    private static func row(_ thresholds: BalanceAlert) -> [String: Any] {
        func list(_ coins: [Int64]) -> String {
            coins.isEmpty ? "–" : coins.map(Show.number).joined(separator: " / ")
        }
        return ["below": list(thresholds.below), "above": list(thresholds.above)]
    }

    private static func row(_ lot: Lot, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(lot.id), "kind": visit.text("kind_\(lot.kind.rawValue)"),
            "remaining": Show.number(lot.remaining), "held": Show.number(lot.held),
            "coins": Show.number(lot.coins), "source": lot.purchaseID.map(String.init) ?? lot.issuer ?? "",
        ]
        row["acquired"] = visit.time(lot.acquiredAt)
        row["expires"] = visit.time(lot.expiresAt)
        row["links"] = CustomerActs.links(from: .lot(lot), of: lot.user, visit)
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
            "amount": Show.paid(for: purchase),
            "coins": Show.number(purchase.coins),
            "status": visit.text("status_\(purchase.status.rawValue)"),
            "tone": purchase.status == .credited ? "good" : "wait",
        ]
        // A part of a payment in a foreign currency can be worth no won.
        if purchase.refundedAmount > 0 || purchase.paidBack > 0 {
            row["refunded"] = Show.refunded(of: purchase)
        }
        if purchase.bonusCoins > 0 { row["bonus"] = Show.number(purchase.bonusCoins) }
        row["paid"] = visit.time(purchase.paidAt)
        row["credited"] = visit.time(purchase.creditedAt)
        if visit.may(.refund), purchase.status != .refunded { row["refundPath"] = "\(path)/refund/\(purchase.id)" }
        row["links"] = CustomerActs.links(from: .purchase(purchase), of: purchase.user, visit)
        row["lookUp"] = lookUp(payment, path, visit)
        return row
    }

    private static func row(_ note: CustomerNote, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = ["text": note.text, "by": note.writtenBy]
        row["time"] = visit.time(note.writtenAt)
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
