import CivilTime
import Foundation
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// What is judged of a payment for an order in another currency than won.
@Suite(.timeLimit(.minutes(20))) struct ForeignOrderSaleTests {
    private static let dollar = sure(try? ForeignCurrency("USD"))

    private static func rate(
        _ text: String = "1387.40", of code: String = "USD", publishedAt: Date = .distantPast
    ) throws -> Rate {
        Rate(
            id: 7, currency: try ForeignCurrency(code), day: sure(CivilDate(year: 2026, month: 1, day: 5)), version: 1,
            quotation: sure(Quotation(text, per: 1)), source: "a bank", setBy: "kim", setAt: .distantPast,
            approvedBy: "lee", publishedAt: publishedAt)
    }

    /// - Parameter asked: in cents.
    private static func order(_ asked: Int64 = 99) -> Order {
        Order(
            id: 1, merchantUID: "order-1", user: .ann, gateway: "portone-v1", product: "coins_100",
            price: .foreign(sure(ForeignPrice(asked, in: dollar))), coins: .hundred, bonusCoins: nil,
            createdAt: ModelBooks.now, expiresAt: ModelBooks.now + 3600, payment: nil)
    }

    private static func payment(
        _ amount: Int64 = 99, _ currency: String = "USD", taxFree: Int64? = nil
    ) -> GatewayPayment {
        var payment = GatewayPayment(
            gateway: PortOneV1.name, paymentID: "imp_1", merchantUID: "order-1", status: .paid, amount: amount,
            currency: currency)
        payment.taxFreeAmount = taxFree
        return payment
    }

    private static func saga() throws -> ReceiptSaga {
        ReceiptSaga(
            receipt: .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1")), user: .ann,
            rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: true))
    }

    private static func step(
        _ payment: GatewayPayment, _ order: Order = order(), at rate: Rate?
    ) throws -> ReceiptSaga.Step {
        try saga().step(after: .findSales(payment), .sales(.order(order, rate), []), at: ModelBooks.now)
    }

    @Test func `the payment is worth its amount at the rate, and keeps no tax-free part in another unit`() throws {
        guard case .perform(.credit(let act, _)) = try Self.step(Self.payment(taxFree: 99), at: try Self.rate()) else {
            Issue.record("it is not credited")
            return
        }
        #expect(act.price.amount == 1374 && act.coins == .hundred && act.taxFree == nil)
        #expect(act.foreign == ForeignPayment(amount: 99, currency: Self.dollar, rateID: 7))
    }

    @Test func `it waits with a finding while there is no rate, or a worth that the books can't have`() throws {
        let rates: [Rate?] = [
            nil, try Self.rate(of: "EUR"), try Self.rate("0.0000001"), try Self.rate("999999999999"),
        ]
        for rate in rates {
            let asked: Int64 = rate?.quotation.value == 999_999_999_999 ? 1_000_000 : 99
            let step = try Self.step(Self.payment(asked), Self.order(asked), at: rate)
            let payment = Self.payment(asked)
            guard case .perform(.note(.priceNotBookable, payment, then: .wait(.priceNotBookable))) = step else {
                Issue.record("\(step)")
                continue
            }
        }
    }

    /// A payment from before the first rate has the last one of its day.
    @Test(arguments: [(-1, false), (0, false), (1, true)] as [(TimeInterval, Bool)])
    func `only a rate to come mends a price, and a payment's final rate is none`(
        publishedAfter seconds: TimeInterval, _ mayEnd: Bool
    ) throws {
        let reason: WaitReason = mayEnd ? .priceNotBookable : .worthOutOfRange
        var payment = Self.payment()
        payment.paidAt = ModelBooks.now - 60
        let rate = try Self.rate("0.0000001", publishedAt: ModelBooks.now - 60 + seconds)
        var saga = try Self.saga()
        saga.keepsWaiting = true
        let noting = ReceiptSaga.Effect.note(.priceNotBookable, payment, then: .wait(reason))
        let found = try saga.step(
            after: .findCredited(payment, else: .wait(reason)), .purchase(nil), at: ModelBooks.now)
        guard case .perform(.findCredited(payment, else: .wait(reason))) = try Self.step(payment, at: rate),
            case .perform(.note(.priceNotBookable, payment, then: .wait(reason))) = found
        else {
            Issue.record("it waits for another reason")
            return
        }
        switch try saga.step(after: noting, .stored, at: ModelBooks.now) {
        case .perform(.keep(reason)): #expect(mayEnd)
        case .end(.waiting(reason)): #expect(!mayEnd)
        case let step: Issue.record("\(step)")
        }
    }

    @Test(arguments: [(99, "KRW"), (1374, "KRW"), (99, "EUR")] as [(Int64, String)])
    func `what is paid in another currency is refused at any rate`(_ amount: Int64, _ currency: String) throws {
        for rate in [nil, try Self.rate(), try Self.rate(of: "EUR")] {
            let step = try Self.step(Self.payment(amount, currency), at: rate)
            guard case .perform(.note(.currencyMismatch, _, then: .refuse(.payment(.currencyMismatch)))) = step else {
                Issue.record("\(step)")
                continue
            }
        }
    }

    /// Nobody may ever present it, so it is looked at again because it is kept.
    @Test(arguments: [false, true])
    func `what a webhook told of is kept until there is a rate, and an unpaid one is not`(_ isKept: Bool) throws {
        var saga = try Self.saga()
        saga.keepsUnbookable = true
        func step(_ reason: WaitReason) throws -> ReceiptSaga.Step {
            try saga.step(
                after: .note(.priceNotBookable, Self.payment(), then: .wait(reason)), .stored, at: ModelBooks.now)
        }
        guard case .perform(.keep(.priceNotBookable)) = try step(.priceNotBookable),
            case .end(.waiting(.awaitingPayment)) = try step(.awaitingPayment),
            case .end(.waiting(.priceNotBookable)) = try saga.step(
                after: .keep(.priceNotBookable), .kept(isKept), at: ModelBooks.now)
        else {
            Issue.record("it is not kept, or is called refused")
            return
        }
    }

    @Test(arguments: [98, 100, 9900, 1] as [Int64])
    func `a cent less or more is another amount`(_ amount: Int64) throws {
        let payment = Self.payment(amount)
        let step = try Self.step(payment, at: try Self.rate())
        guard case .perform(.note(.amountMismatch, payment, then: .refuse(.wrongAmount(payment)))) = step else {
            Issue.record("\(step)")
            return
        }
    }

    @Test func `a person who decided about it saw the amount in its currency`() throws {
        for (seen, isCredited) in [(99, true), (1374, false)] as [(Int64, Bool)] {
            var saga = try Self.saga()
            saga.isOwnerDecided = true
            saga.seenAmount = seen
            let step = try saga.step(
                after: .findSales(Self.payment()), .sales(.order(Self.order(), try Self.rate()), []), at: ModelBooks.now
            )
            switch step {
            case .perform(.credit): #expect(isCredited)
            case .end(.refused(.changedMeanwhile)): #expect(!isCredited)
            default: Issue.record("\(step)")
            }
        }
    }
}
