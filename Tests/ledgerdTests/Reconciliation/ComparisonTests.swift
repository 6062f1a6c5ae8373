import Foundation
import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ComparisonTests {
    private static let paidAt = Date(timeIntervalSince1970: 1_700_000_000)

    private static func payment(
        _ status: GatewayPayment.Status, amount: Int64 = 1000, cancelled: Int64 = 0, currency: String = "KRW",
        isTest: Bool? = false, pending: Bool = false
    ) -> GatewayPayment {
        GatewayPayment(
            gateway: "portone-v1", paymentID: "imp_1", merchantUID: "order-1", status: status, amount: amount,
            cancelledAmount: cancelled,
            cancellations: pending ? [GatewayCancellation(id: "c", status: .requested, amount: amount)] : [],
            currency: currency, isTest: isTest, startedAt: paidAt, paidAt: paidAt)
    }

    private static func purchase(
        refunded: Int64 = 0, gateway: String = "portone-v1", impUID: String = "imp_1"
    ) throws -> Purchase {
        Purchase(
            id: 1, status: .credited, user: try #require(UserID(rawValue: "ann")),
            payment: PaymentIdentity(gateway: gateway, paymentID: impUID, merchantUID: "order-1"), product: "coins_100",
            amount: 1000, currency: .won, coins: 100, bonusCoins: 0, refundedAmount: refunded, paidAt: paidAt,
            creditedAt: paidAt, journalEntryID: 2)
    }

    private static func kind(
        _ payment: GatewayPayment?, _ purchase: Purchase?, pendingRefund: Int64? = nil, lost: Int64 = 0,
        isWon: Bool = false, allowTest: Bool = false
    ) -> ReconciliationKind? {
        let identity = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_1", merchantUID: "order-1")
        return Comparison.judge(
            identity, payment,
            KnownPurchases(
                purchase.map {
                    [
                        .init(
                            purchase: $0, pendingRefundAmount: pendingRefund, lostAmount: lost, isWonAfterLoss: isWon)
                    ]
                } ?? []),
            VerdictPolicy(allowTestPayments: allowTest)
        ).kind
    }

    /// Of 300 cents, worth 1,000 won, 100 went back according to the books.
    @Test(
        arguments: [
            ("USD", 300, 100, .matched), ("USD", 300, 200, .cancelledNotClawedBack),
            ("USD", 300, 0, .refundedNotCancelled),
            ("USD", 1000, 100, .amountDiffers), ("KRW", 1000, 333, .amountDiffers), ("JPY", 300, 100, .amountDiffers),
        ] as [(String, Int64, Int64, ReconciliationKind)])
    func `a payment in dollars is compared in dollars`(
        currency: String, amount: Int64, cancelled: Int64, kind: ReconciliationKind
    ) throws {
        var purchase = try Self.purchase(refunded: 333)
        purchase.foreignAmount = 300
        purchase.foreignCurrency = try ForeignCurrency("USD")
        purchase.foreignRefunded = 100
        let payment = Self.payment(
            cancelled > 0 ? .partiallyCancelled : .paid, amount: amount, cancelled: cancelled, currency: currency)
        #expect(Self.kind(payment, purchase) == kind)
    }

    /// Of 26,000 dong, worth 1,000 won, 18 are worth none.
    @Test func `a part below a won is a difference, and what a pending refund leaves open waits for it`() throws {
        var purchase = try Self.purchase()
        purchase.foreignAmount = 26_000
        purchase.foreignCurrency = try ForeignCurrency("VND")
        purchase.foreignRefunded = 0
        func kind(_ cancelled: Int64, pending: Int64? = nil) -> ReconciliationKind? {
            Self.kind(
                Self.payment(.partiallyCancelled, amount: 26_000, cancelled: cancelled, currency: "VND"), purchase,
                pendingRefund: pending)
        }
        #expect(kind(18) == .cancelledNotClawedBack && kind(2600) == .cancelledNotClawedBack)
        #expect(kind(2600, pending: 2600) == .waiting && kind(2618, pending: 2600) == .waiting)
        #expect(kind(5200, pending: 2600) == .waiting, "the rest is taken back after the refund")
        purchase.foreignRefunded = 18
        #expect(kind(18) == .matched)
    }

    @Test func `a credited payment is compared with its purchase`() throws {
        let cases: [(GatewayPayment?, Int64, ReconciliationKind)] = [
            (Self.payment(.paid), 0, .matched),
            (Self.payment(.cancelled, cancelled: 1000), 1000, .matched),
            (Self.payment(.cancelled), 1000, .matched),
            (Self.payment(.partiallyCancelled, cancelled: 300), 300, .matched),
            (nil, 0, .creditedNotPaid), (nil, 1000, .creditedNotPaid),
            (Self.payment(.ready), 0, .creditedNotPaid), (Self.payment(.failed), 0, .creditedNotPaid),
            (Self.payment(.unknown("pending")), 0, .creditedNotPaid),
            (Self.payment(.paid, isTest: true), 0, .creditedNotPaid),
            (Self.payment(.paid, amount: 1100), 0, .amountDiffers),
            (Self.payment(.paid, currency: "USD"), 0, .amountDiffers),
            (Self.payment(.cancelled, amount: 900, cancelled: 900), 0, .amountDiffers),
            (Self.payment(.cancelled, cancelled: 1000), 0, .cancelledNotClawedBack),
            (Self.payment(.cancelled), 300, .cancelledNotClawedBack),
            (Self.payment(.partiallyCancelled, cancelled: 300), 299, .cancelledNotClawedBack),
            (Self.payment(.paid), 1, .refundedNotCancelled),
            (Self.payment(.partiallyCancelled, cancelled: 300), 301, .refundedNotCancelled),
            (Self.payment(.paid, pending: true), 1000, .waiting),
        ]
        for (payment, refunded, kind) in cases {
            #expect(
                Self.kind(payment, try Self.purchase(refunded: refunded)) == kind,
                "\(String(describing: payment)), \(refunded)")
        }
        #expect(Self.kind(Self.payment(.paid, isTest: true), try Self.purchase(), allowTest: true) == .matched)
    }

    @Test
    func `a pending refund explains a cancellation up to its amount, begun or not, and nothing beyond`() throws {
        let cases: [(GatewayPayment?, refunded: Int64, pending: Int64, ReconciliationKind)] = [
            (Self.payment(.paid), 0, 300, .waiting),
            (Self.payment(.partiallyCancelled, cancelled: 300), 0, 300, .waiting),
            (Self.payment(.partiallyCancelled, cancelled: 200), 0, 300, .waiting),
            (Self.payment(.partiallyCancelled, cancelled: 301), 0, 300, .cancelledNotClawedBack),
            (Self.payment(.partiallyCancelled, cancelled: 500), 200, 300, .waiting),
            (Self.payment(.partiallyCancelled, cancelled: 501), 200, 300, .cancelledNotClawedBack),
            (Self.payment(.partiallyCancelled, cancelled: 200), 200, 300, .waiting),
            (Self.payment(.cancelled), 0, 300, .cancelledNotClawedBack), (Self.payment(.cancelled), 0, 1000, .waiting),
            // It does not explain that less was cancelled than taken back.
            (Self.payment(.partiallyCancelled, cancelled: 199), 200, 300, .refundedNotCancelled),
            (Self.payment(.paid, amount: 1100), 0, 300, .amountDiffers), (nil, 0, 300, .creditedNotPaid),
        ]
        for (payment, refunded, pending, kind) in cases {
            #expect(
                Self.kind(payment, try Self.purchase(refunded: refunded), pendingRefund: pending) == kind,
                "\(String(describing: payment)), \(refunded), \(pending)")
        }
    }

    @Test
    func `what finance booked as lost explains that nothing was cancelled, until the gateway decides for the shop`()
        throws
    {
        let lost = try Self.purchase(refunded: 1000)
        #expect(Self.kind(Self.payment(.paid), lost) == .refundedNotCancelled)
        #expect(Self.kind(Self.payment(.paid), lost, lost: 1000) == .matched)
        #expect(Self.kind(Self.payment(.paid), lost, lost: 999, isWon: true) == .refundedNotCancelled)
        #expect(Self.kind(Self.payment(.paid), lost, lost: 1000, isWon: true) == .wonNotGivenBack)
        // The gateway cancelled the same money after all.
        #expect(Self.kind(Self.payment(.cancelled), lost, lost: 1000, isWon: true) == .matched)
    }

    @Test func `a payment that is not credited is a discrepancy unless it waits`() {
        let cases: [(GatewayPayment?, ReconciliationKind)] = [
            (Self.payment(.paid), .paidNotCredited), (Self.payment(.paid, isTest: nil), .paidNotCredited),
            (Self.payment(.partiallyCancelled, cancelled: 999), .paidNotCredited),
            (Self.payment(.cancelled, cancelled: 999), .paidNotCredited),
            (Self.payment(.paid, pending: true), .waiting), (Self.payment(.ready), .waiting),
            (Self.payment(.unknown("pending")), .waiting),
            (Self.payment(.cancelled, cancelled: 1000), .matched), (Self.payment(.cancelled), .matched),
            (Self.payment(.failed), .matched), (Self.payment(.paid, isTest: true), .matched), (nil, .matched),
        ]
        for (payment, kind) in cases { #expect(Self.kind(payment, nil) == kind, "\(String(describing: payment))") }
        #expect(Self.kind(Self.payment(.paid, isTest: true), nil, allowTest: true) == .paidNotCredited)
    }

    @Test func `a store's price in an unknown currency is money until the status says that it went back`() {
        func kind(_ status: GatewayPayment.Status, price: Int64 = 990) -> ReconciliationKind? {
            var payment = Self.payment(status, amount: 0, currency: "ZZZ")
            payment.store = StorePurchase(
                app: "com.example.shop", items: [], price: price, isConsumable: true, storefront: nil,
                isFamilyShared: false, accountToken: nil, toldAt: Self.paidAt)
            return Self.kind(payment, nil)
        }
        #expect(kind(.paid) == .paidNotCredited && kind(.partiallyCancelled) == .paidNotCredited)
        #expect(kind(.cancelled) == .matched && kind(.paid, price: 0) == .matched)
    }

    @Test func `a payment whose order was credited through the other API is no second one`() throws {
        let elsewhere = try Self.purchase(gateway: "portone-v2", impUID: "tx")
        #expect(Self.kind(Self.payment(.paid), elsewhere) == .matched)
        #expect(Self.kind(Self.payment(.partiallyCancelled, cancelled: 300), elsewhere) == .cancelledNotClawedBack)
        // It is one if it is of the same amount and time; another of the order's bought nothing.
        var other = Self.payment(.paid)
        other.paidAt = Self.paidAt + 60
        #expect(Self.kind(other, elsewhere) == .paidNotCredited)
        #expect(Self.kind(Self.payment(.paid, amount: 1100), elsewhere) == .paidNotCredited)
        // Paid twice through one API is: the second payment bought nothing.
        #expect(Self.kind(Self.payment(.paid), try Self.purchase(impUID: "imp_other")) == .paidNotCredited)
    }

    @Test func `a payment belongs to the periods in which something happened to it, end excluded`() {
        let period = Self.paidAt..<Self.paidAt.addingTimeInterval(60)
        var payment = Self.payment(.paid)
        #expect(payment.isTouched(in: period))
        payment.paidAt = period.upperBound
        #expect(!payment.isTouched(in: period), "begun in it, paid in the next")
        payment.paidAt = period.lowerBound.addingTimeInterval(-1)
        #expect(!payment.isTouched(in: period))
        payment.cancelledAt = period.lowerBound
        #expect(payment.isTouched(in: period))
        payment.cancelledAt = nil
        payment.cancellations = [GatewayCancellation(id: "c", amount: 1, cancelledAt: period.lowerBound)]
        #expect(payment.isTouched(in: period), "cancelled in it first, and again later")
        var ready = Self.payment(.ready)
        ready.paidAt = nil
        #expect(ready.isTouched(in: period))
    }
}
