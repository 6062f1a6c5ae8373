import CivilTime
import Foundation
package import Ledger
import LedgerWire
import PGVerifier
import Timing

/// Why the amount of a payment buys nothing: the facts of `amount_mismatch`.
package struct WrongAmount: Sendable, Equatable {
    let paid: Paid
    let expected: Expected

    /// What was paid.
    struct Paid: Sendable, Equatable {
        /// In minor units of ``currency``.
        let amount: Int64
        /// ISO 4217 code.
        let currency: String
        /// When it was paid; nil: the gateway does not tell.
        let paidAt: Date?
        /// When the payment was started; nil: the gateway does not tell.
        let startedAt: Date?

        /// The time whose prices count; nil: the gateway tells no time.
        var moment: Date? { paidAt ?? startedAt }

        /// The amount as the price of a product; nil: it can't be one.
        var price: Price? { currency == Currency.won.code ? Price(won: amount) : nil }
    }

    /// What could have been paid.
    enum Expected: Sendable, Equatable {
        /// The price of the payment's order.
        case order(AskedPrice)
        /// The payment has no order.
        case products(Prices)
    }

    /// The prices at the payment's ``Paid/moment``, or now if there is none or it is in the future.
    struct Prices: Sendable, Equatable {
        /// The prices on sale, lowest first; at most ``most``.
        let onSale: [Price]
        /// Whether there were more than ``most``.
        let hasMore: Bool
        /// Whether they are the prices of now.
        let isNow: Bool
        /// The product that was on sale at the paid amount at another time, the nearest one.
        let nearestSale: Product?

        /// The number of prices that are told.
        static let most = 20
    }

    /// The facts of a payment of an order; nil: it paid the order's price.
    init?(_ paid: Paid, order price: AskedPrice) {
        guard price.amount != paid.amount || price.currency.code != paid.currency else { return nil }
        self.paid = paid
        expected = .order(price)
    }

    /// The facts of a payment without an order; nil: a product was on sale at the paid amount.
    ///
    /// - Parameters:
    ///   - onSale: the prices on sale at ``Paid/pastMoment(at:)``, lowest first.
    ///   - nearestSale: the product whose sale at the paid amount was nearest to the same moment.
    init?(_ paid: Paid, onSale: [Price], nearestSale: Product?, at now: Date) {
        if let nearestSale, nearestSale.isOnSale(at: paid.pastMoment(at: now)) { return nil }
        self.paid = paid
        expected = .products(
            Prices(
                onSale: Array(onSale.prefix(Prices.most)), hasMore: onSale.count > Prices.most,
                isNow: paid.moment.map { $0 > now } ?? true, nearestSale: nearestSale))
    }

    /// The facts for people, as a detail of a problem.
    package var sentence: String {
        switch expected {
        case .order(let price):
            "\(paid.sentence); the price of the order is \(Currency.text(price.amount, price.currency.code))"
        case .products(let prices):
            paid.sentence + (prices.isNow && paid.moment != nil ? ", in the future; " : "; ") + prices.sentence
        }
    }

    /// The price of the payment's order; nil: it has no order.
    package var orderPrice: AskedPrice? {
        if case .order(let price) = expected { price } else { nil }
    }

    /// For a payment without an order, the prices on sale when it was paid, in won, lowest first; at most 20.
    package var pricesThen: [Int64] {
        if case .products(let prices) = expected { prices.onSale.map(\.amount) } else { [] }
    }

    /// The facts for programs.
    fileprivate var members: [(name: String, value: ProblemMember)] {
        var members: [(name: String, value: ProblemMember)] = [
            ("paid_amount", .integer(paid.amount)), ("currency", .string(paid.currency)),
        ]
        if let moment = paid.moment {
            members.append((paid.paidAt == nil ? "started_at" : "paid_at", .string(RFC3339.string(from: moment))))
        }
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

extension WrongAmount.Paid {
    init(_ payment: GatewayPayment) {
        self.init(
            amount: payment.amount, currency: payment.currency, paidAt: payment.paidAt, startedAt: payment.startedAt)
    }

    /// The time whose prices are told; not in the future, because what is planned is not told.
    ///
    /// A gateway can tell whole seconds only, so it is the last microsecond of the payment's second: a product that came
    /// on sale in that second could be paid.
    fileprivate func pastMoment(at now: Date) -> Date {
        guard let moment else { return now }
        return min(Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down) + 0.999_999), now)
    }

    fileprivate var sentence: String {
        let paid = "\(Currency.text(amount, currency)) was paid at "
        if let paidAt { return paid + RFC3339.string(from: paidAt) }
        let started = startedAt.map { "; the payment was started at \(RFC3339.string(from: $0))" }
        return paid + "an unknown time" + (started ?? "")
    }
}

extension WrongAmount.Prices {
    fileprivate var sentence: String {
        let (had, was, were, then) = isNow ? ("has", "is", "are", "now") : ("had", "was", "were", "then")
        let listed = onSale.map { String($0.amount) }.joined(separator: ", ")
        let list = onSale.count == 1 ? "the price \(then) \(was) \(listed)" : "the prices \(then) \(were) \(listed)"
        let prices =
            onSale.isEmpty
            ? "no product \(was) on sale \(then)"
            : "no product \(had) that price \(then); \(list) \(Currency.won.code)" + (hasMore ? " and others" : "")
        return prices + (nearestSale.map { "; \($0.saleSentence)" } ?? "")
    }
}

extension Product {
    fileprivate var saleSentence: String {
        let start = RFC3339.string(from: activeFrom)
        guard let activeUntil else { return "\(code) has had that price only since \(start)" }
        return "\(code) had that price from \(start) until \(RFC3339.string(from: activeUntil))"
    }

    fileprivate func isOnSale(at moment: Date) -> Bool {
        activeFrom <= moment && activeUntil.map { moment < $0 } ?? true
    }
}

extension Problem {
    /// No payment has these ids: the same answer to ids that the gateway does not know, and to a wrong `merchant_uid`.
    static func paymentNotFound(at gateway: String) -> Problem {
        Problem(
            .paymentNotFound, "\(gateway) was asked, and has no payment with these ids",
            members: ["gateway": .string(gateway)])
    }

    /// The amount paid is not the price.
    init(_ wrong: WrongAmount) {
        self.init(.amountMismatch, wrong.sentence)
        members = wrong.members
    }
}

extension ReceiptCrediter {
    /// The problem of a refused receipt, with the facts of a wrong amount, or the gateway that was asked.
    func problem(of refusal: CreditRefusal, asked receipt: Receipt) async throws(LedgerError) -> Problem {
        if refusal == .payment(.paymentNotFound) { return .paymentNotFound(at: receipt.gatewayName) }
        if case .wrongAmount(let payment) = refusal, let wrong = try await wrongAmount(of: payment) {
            return Problem(wrong)
        }
        return Problem(refusal)
    }

    /// Why the amount of a payment buys nothing; nil: the amount alone is right.
    func wrongAmount(of payment: GatewayPayment) async throws(LedgerError) -> WrongAmount? {
        try await wrongAmount(WrongAmount.Paid(payment), order: payment.merchantUID)
    }

    /// Why the amount of a finding's payment buys nothing; nil: this is not what was found.
    package func wrongAmount(of finding: Finding) async throws(LedgerError) -> WrongAmount? {
        guard finding.kinds.contains(.amountMismatch), let payment = finding.payment, let amount = finding.amount,
            let currency = finding.currency
        else { return nil }
        let paid = WrongAmount.Paid(amount: amount, currency: currency, paidAt: finding.paidAt, startedAt: nil)
        return try await wrongAmount(paid, order: payment.merchantUID)
    }

    private func wrongAmount(_ paid: WrongAmount.Paid, order name: String) async throws(LedgerError) -> WrongAmount? {
        if let order = try await ledger.orders.find(named: name) { return WrongAmount(paid, order: order.price) }
        let now = Time.current.now
        let moment = paid.pastMoment(at: now)
        let onSale = try await ledger.products.prices(at: moment, limit: WrongAmount.Prices.most + 1)
        let nearest: Product? =
            if let price = paid.price { try await ledger.products.nearest(to: moment, at: price) } else { nil }
        return WrongAmount(paid, onSale: onSale, nearestSale: nearest, at: now)
    }
}
