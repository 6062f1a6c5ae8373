import Foundation
import Ledger
import PGVerifier

/// The rules for crediting payments.
struct ReceiptRules: Sendable {
    /// The rules of the verdict on the gateway's response.
    var policy: VerdictPolicy
    /// Whether only payments of an order are credited.
    let requireOrders: Bool
    /// The lifetimes of the credited coins.
    var lifetimes = CoinLifetimes()
    /// The rules for who can claim a payment without an order.
    var claims = ClaimRules()
    /// The key of what is kept of forgotten users; nil: nobody is forgotten.
    var forgettingKey: ForgettingKey?
    /// In which a payment has its day, and so its rate.
    var timeZone = TimeZone.gmt

    /// The verdict on the gateway's response, and the sale if the verdict credits.
    struct Assessment: Sendable {
        let verdict: Verdict
        let sale: Sale?
    }

    /// Judges the gateway's response.
    ///
    /// - Parameter user: the user who presents the receipt, if any.
    func assess(
        _ payment: GatewayPayment, presentedAs receipt: Receipt, _ possible: PossibleSales, by user: UserID? = nil
    ) -> Assessment {
        let (expectation, sales) = possible.expectation(of: payment)
        let verdict = verdict(
            receipt: receipt, payment: payment, expectation: expectation, policy: policy,
            books: Bookkeeping(presenter: user?.rawValue))
        switch verdict {
        case .credit(let proof):
            guard let sale = sales[Int(proof.offerID)] else { break }
            return Assessment(verdict: verdict, sale: sale)
        case .wait(.priceNotBookable): break
        default: return Assessment(verdict: verdict, sale: nil)
        }
        return Assessment(verdict: .wait(possible.reason(unbookable: payment)), sale: nil)
    }
}

/// The sales that a payment can be for.
enum PossibleSales: Sendable {
    /// The order with the payment's `merchant_uid`.
    ///
    /// The rate is that of a payment in a foreign currency; nil: there is none.
    case order(Order, Rate? = nil)
    /// The products on sale at the time of the payment, which has no order.
    case products([Product])
    /// The payment has no order, and orders are required.
    case none
    /// A store sold so many of a product of ours; nil: what it sold is none, as far as anybody has said.
    ///
    /// The rate is that of a payment in a foreign currency; nil: there is none.
    case store(Product?, Int64, Rate?)

    /// Why a payment waits whose price can't be booked.
    ///
    /// A rate to come mends that while there is none, and while the payment is from before the first one: its rate is then the last
    /// one of its day (`rate_of_payment`). Any other rate is final. An amount in a currency that ISO 4217 lacks is unknown, and not out
    /// of range: a later version may know the currency.
    fileprivate func reason(unbookable payment: GatewayPayment) -> WaitReason {
        if payment.isAmountUnknown { return .priceNotBookable }
        guard payment.currency != Currency.won.code, (1...ForeignPayment.highest).contains(payment.amount) else {
            return .worthOutOfRange
        }
        guard let rate, let paidAt = payment.paidAt else { return .priceNotBookable }
        return rate.publishedAt > paidAt ? .priceNotBookable : .worthOutOfRange
    }

    /// The rate of the payment; nil: there is none, or it needs none.
    private var rate: Rate? {
        switch self {
        case .order(_, let rate), .store(_, _, let rate): rate
        case .products, .none: nil
        }
    }

    /// The expectation of the verdict, and the sales; the verdict identifies a sale by its index.
    ///
    /// A sale that is nil can't be booked.
    fileprivate func expectation(of payment: GatewayPayment) -> (Expectation, [Sale?]) {
        switch self {
        case .order(let order, let rate):
            (.order(ExpectedOrder(order, payment: payment, id: 0)), [Sale(order, at: rate)])
        case .products(let products):
            (.offers(products.indices.map { Offer(products[$0], id: Int64($0)) }), products.map { Sale($0) })
        case .none: (.noOrder, [])
        case .store(nil, _, _): (.store(.unknownProduct), [])
        case .store(let product?, let quantity, let rate):
            Sale(product, times: quantity, paid: payment, at: rate).map { (.store(.offer(0)), [$0]) } ?? (
                .store(.notBookable), []
            )
        }
    }
}

extension ClaimRules {
    /// Whether other users can still claim a payment, because this claim is older than the payment.
    ///
    /// A payment time in the future is ignored. V1 tells the time only in seconds.
    func isPending(_ claim: Claim?, on payment: GatewayPayment, at now: Date) -> Bool {
        guard let claim, let paidAt = payment.paidAt else { return false }
        return claim.claimedAt < paidAt + 1 && paidAt <= now + CreditPurchase.clockTolerance
            && now < paidAt + grace / .seconds(1)
    }
}

extension VerdictPolicy {
    /// Whether the gateway has money of the buyer.
    ///
    /// Test payments have no money.
    func isMoneyLeft(in payment: GatewayPayment) -> Bool {
        guard payment.isTest != true || allowTestPayments else { return false }
        switch payment.status {
        case .paid, .partiallyCancelled, .cancelled: return !payment.isGivenBack
        case .ready, .failed, .unknown: return false
        }
    }
}
