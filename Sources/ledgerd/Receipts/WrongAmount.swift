import CivilTime
import Foundation
import Ledger
import LedgerWire
import PGVerifier

/// Why the amount of a payment buys nothing: the facts of `amount_mismatch`.
struct WrongAmount: Sendable, Equatable {
    /// The paid amount, in minor units of ``currency``.
    let amount: Int64
    /// ISO 4217 code.
    let currency: String
    /// When it was paid; nil: the gateway does not tell.
    let paidAt: Date?
    let expected: Expected

    /// What could have been paid.
    enum Expected: Sendable, Equatable {
        /// The price of the payment's order.
        case order(Price)
        /// The payment has no order.
        case products(Prices)
    }

    /// The prices when it was paid, or now if the gateway tells no time.
    struct Prices: Sendable, Equatable {
        /// The prices on sale, lowest first; at most ``most``.
        let onSale: [Price]
        /// Whether there were more than ``most``.
        let hasMore: Bool
        /// The product that was on sale at the paid amount at another time, the nearest one.
        let nearestSale: Product?

        /// The number of prices that are told.
        static let most = 20

        /// - Parameter prices: the prices on sale, lowest first.
        init(_ prices: [Price], nearestSale: Product?) {
            onSale = Array(prices.prefix(Self.most))
            hasMore = prices.count > Self.most
            self.nearestSale = nearestSale
        }
    }

    /// The facts for people, as a detail of a problem.
    var sentence: String {
        let paid = "\(amount) \(currency) was paid at " + (paidAt.map { RFC3339.string(from: $0) } ?? "an unknown time")
        switch expected {
        case .order(let price): return paid + "; the price of the order is \(price.amount) \(price.currency.code)"
        case .products(let prices): return paid + "; " + prices.sentence(isNow: paidAt == nil)
        }
    }

    /// The facts for programs.
    fileprivate var members: [(name: String, value: ProblemMember)] {
        var members: [(name: String, value: ProblemMember)] = [
            ("paid_amount", .integer(amount)), ("currency", .string(currency)),
        ]
        if let paidAt { members.append(("paid_at", .string(RFC3339.string(from: paidAt)))) }
        switch expected {
        case .order(let price): members.append(("expected_amount", .integer(price.amount)))
        case .products(let prices):
            members.append(("prices_then", .integers(prices.onSale.map(\.amount))))
            guard let product = prices.nearestSale else { break }
            members.append(("product", .string(product.code)))
            members.append(("sold_from", .string(RFC3339.string(from: product.activeFrom))))
            guard let end = product.activeUntil else { break }
            members.append(("sold_until", .string(RFC3339.string(from: end))))
        }
        return members
    }
}

extension WrongAmount.Prices {
    fileprivate func sentence(isNow: Bool) -> String {
        let (had, were, was, then) = isNow ? ("has", "are", "is", "now") : ("had", "were", "was", "then")
        let listed = onSale.map { String($0.amount) }.joined(separator: ", ")
        let prices =
            onSale.isEmpty
            ? "no product \(was) on sale \(then)"
            : "no product \(had) that price \(then); the prices \(then) \(were) \(listed) \(Currency.won.code)"
                + (hasMore ? " and others" : "")
        return prices + (nearestSale.map { "; \($0.saleSentence)" } ?? "")
    }
}

extension Product {
    fileprivate var saleSentence: String {
        let start = RFC3339.string(from: activeFrom)
        guard let activeUntil else { return "\(code) has had that price only since \(start)" }
        return "\(code) had that price from \(start) until \(RFC3339.string(from: activeUntil))"
    }
}

extension Problem {
    /// The amount paid is not the price.
    init(_ wrong: WrongAmount) {
        self.init(.amountMismatch, wrong.sentence)
        members = wrong.members
    }
}

extension ReceiptCrediter {
    /// The problem of a refusal, with the facts of a wrong amount.
    func problem(of refusal: CreditRefusal) async throws(LedgerError) -> Problem {
        if case .wrongAmount(let payment) = refusal, let wrong = try await wrongAmount(of: payment) {
            return Problem(wrong)
        }
        return Problem(refusal)
    }

    /// Why the amount of a payment buys nothing; nil: the amount alone is right.
    func wrongAmount(of payment: GatewayPayment) async throws(LedgerError) -> WrongAmount? {
        try await wrongAmount(
            payment.amount, payment.currency, paidAt: payment.paidAt, order: payment.merchantUID)
    }

    /// Why the amount of a finding's payment buys nothing; nil: this is not what was found.
    func wrongAmount(of finding: Finding) async throws(LedgerError) -> WrongAmount? {
        guard finding.kinds.contains(.amountMismatch), let payment = finding.payment, let amount = finding.amount,
            let currency = finding.currency
        else { return nil }
        return try await wrongAmount(amount, currency, paidAt: finding.paidAt, order: payment.merchantUID)
    }

    private func wrongAmount(
        _ amount: Int64, _ currency: String, paidAt: Date?, order name: String
    ) async throws(LedgerError) -> WrongAmount? {
        let paid = currency == Currency.won.code ? Price(won: amount) : nil
        if let order = try await ledger.orders.find(named: name) {
            guard order.price != paid else { return nil }
            return WrongAmount(amount: amount, currency: currency, paidAt: paidAt, expected: .order(order.price))
        }
        let moment = paidAt ?? Date()
        let onSale = try await ledger.products.prices(at: moment, limit: WrongAmount.Prices.most + 1)
        let nearest: Product? =
            if let paid { try await ledger.products.nearest(to: moment, at: paid) } else { nil }
        if let nearest, nearest.isOnSale(at: moment) { return nil }
        return WrongAmount(
            amount: amount, currency: currency, paidAt: paidAt, expected: .products(.init(onSale, nearestSale: nearest))
        )
    }
}

extension Product {
    fileprivate func isOnSale(at moment: Date) -> Bool {
        activeFrom <= moment && activeUntil.map { moment < $0 } ?? true
    }
}
