import Hummingbird
import Ledger
import LedgerServer
import PGVerifier
import WireFormats

extension ActPages {
    /// `POST …/look-up`: asks the gateway about a payment, or an order in a buyer's mail, books the answer, and shows both; of
    /// a customer, or of nobody known.
    func lookUp(_ visit: Visit) async throws -> Response {
        let isOfCustomer = visit.context.parameters.get("user") != nil
        let user = isOfCustomer ? try visit.context.requireUserInPath() : nil
        let form = visit.form
        let named = PaymentIdentity(
            gateway: try form.text("gateway"), paymentID: try form.text("imp_uid"),
            merchantUID: try form.text("merchant_uid"))
        guard let receipt = named.receipt, reviewer.crediter.gateways.gateway(for: receipt) != nil else {
            throw Problem(.gatewayOff)
        }
        let seen: [String: JSON] = if let user { try await desk.seen(of: user) } else { [:] }
        let made = { (found: [PaymentLookUp]) in Self.made(found, asked: named) }
        let found = try await desk.perform(
            .lookUp, on: "payment:\(named.paymentID)", visit, user: user, seen: seen, made: made
        ) { _ in try await PaymentLookUp.make(receipt, by: reviewer) }
        return await lookedUp(visit, user, named, found)
    }

    /// What the audit records: of several, what changed the books; the names of what was found, unless it is the one asked for.
    private static func made(_ found: [PaymentLookUp], asked: PaymentIdentity) -> [String: JSON] {
        let changed = found.first { $0.review != .agrees } ?? found.first
        let names = found.compactMap(\.payment?.paymentID)
        var made: [String: JSON] = changed.map { ["review": .string("\($0.review)")] } ?? [:]
        if !names.isEmpty, names != [asked.paymentID] { made["payments"] = .string(names.joined(separator: ", ")) }
        return made
    }

    private func lookedUp(
        _ visit: Visit, _ user: UserID?, _ named: PaymentIdentity, _ found: [PaymentLookUp]
    ) async -> Response {
        let only = found.count == 1 ? found.first?.payment : nil
        let name = only?.paymentID ?? named.paymentID
        let values: [String: Any] = [
            "back": user.map { CustomerPath.page(of: $0) } ?? SearchPage.address(of: name), "impUID": named.paymentID,
            "merchantUID": named.merchantUID, "found": found.map { Self.values(of: $0, asked: named, visit) },
        ]
        return await Layout.page(
            visit, title: "\(visit.text("lookedUpTitle")): \(user?.rawValue ?? name)", Self.lookUpTemplate, values)
    }

    private static func values(of found: PaymentLookUp, asked: PaymentIdentity, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = ["review": text(of: found, visit)]
        if let payment = found.payment { values["payment"] = row(payment, asked: asked, visit) }
        if let purchase = found.purchase {
            let page = CustomerPath.page(of: purchase.user)
            values["purchase"] = [
                "path": "\(page)?purchase=\(purchase.id)#purchase-\(purchase.id)", "id": String(purchase.id),
                "user": purchase.user.rawValue,
            ]
        }
        return values
    }

    /// What people read of the review: of a payment that waits for a rate, with its currency.
    private static func text(of found: PaymentLookUp, _ visit: Visit) -> String {
        let text = visit.text("review_\(found.review)")
        guard found.review == .priceNotBookable, let payment = found.payment else { return text }
        return "\(text) \(payment.currency)"
    }

    private static func row(_ payment: GatewayPayment, asked: PaymentIdentity, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "status": visit.text(payment.status), "amount": Show.money(payment.amount, payment.currency),
            "cancelled": Show.money(payment.cancelledAmount, payment.currency), "method": payment.payMethod ?? "",
            "provider": payment.pgProvider ?? "", "failure": payment.failReason ?? "",
            "isTest": payment.isTest ?? false,
        ]
        if payment.paymentID != asked.paymentID {
            row["name"] = ["id": payment.paymentID, "path": SearchPage.address(of: payment.paymentID)]
        }
        row["paid"] = visit.time(payment.paidAt)
        row["receipt"] = payment.receiptURL
        return row
    }
}
