import CivilTime
import Foundation
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// What a store sold in another currency than won.
@Suite(.timeLimit(.minutes(20))) struct ForeignSaleTests {
    private static let product = Product(
        code: "coins_100", title: "100 coins", price: .thousandWon, coins: .hundred, bonusCoins: nil,
        activeFrom: .distantPast, activeUntil: nil)

    private static func rate(_ text: String, per: Int64 = 1, of code: String = "USD") throws -> Rate {
        Rate(
            id: 7, currency: try ForeignCurrency(code), day: sure(CivilDate(year: 2026, month: 1, day: 5)), version: 1,
            quotation: sure(Quotation(text, per: per)), source: "a bank", setBy: "kim", setAt: .distantPast,
            approvedBy: "lee", publishedAt: .distantPast)
    }

    /// - Parameters:
    ///   - isOfStore: whether the store says what it sold, without which nothing is free.
    ///   - price: what the store says; nil: the amount.
    private static func payment(
        _ amount: Int64, _ currency: String, isOfStore: Bool = true, price: Int64? = nil
    ) -> GatewayPayment {
        var payment = GatewayPayment(
            gateway: AppStore.name, paymentID: "2000000000000001", merchantUID: "app-store:2000000000000001",
            status: .paid, amount: amount, currency: currency)
        if isOfStore {
            payment.store = StorePurchase(
                app: "app", items: [.init(productID: "com.example.coins_100", quantity: 2)], price: price ?? amount,
                isConsumable: true, storefront: nil, isFamilyShared: false, accountToken: nil, toldAt: .distantPast)
        }
        return payment
    }

    private static func sale(_ amount: Int64, _ currency: String, at rate: Rate?, isOfStore: Bool = true) -> Sale? {
        Sale(product, times: 2, paid: payment(amount, currency, isOfStore: isOfStore), at: rate)
    }

    @Test func `its price is the worth of what was paid, rounded once`() throws {
        let dollar = try Self.rate("1387.40")
        let sale = try #require(Self.sale(99, "USD", at: dollar))
        #expect(sale.price?.amount == 1374 && sale.coins.count == 200)
        #expect(sale.foreign == ForeignPayment(amount: 99, currency: dollar.currency, rateID: 7))
        let dinar = try #require(Self.sale(1500, "KWD", at: try Self.rate("4512.3", of: "KWD")))
        #expect(dinar.price?.amount == 6768, "half to even")
        let yen = try #require(Self.sale(120, "JPY", at: try Self.rate("950.12", per: 100, of: "JPY")))
        #expect(yen.price?.amount == 1140)
        let won = try #require(Self.sale(1100, "KRW", at: nil))
        #expect(won.price?.amount == 1100 && won.foreign == nil)
    }

    @Test func `what has no rate, or no price that the books can have, is no sale`() throws {
        let dollar = try Self.rate("1387.40")
        #expect(Self.sale(99, "USD", at: nil) == nil)
        #expect(Self.sale(99, "EUR", at: dollar) == nil, "another currency's rate")
        #expect(Self.sale(0, "USD", at: dollar, isOfStore: false) == nil)
        #expect(Self.sale(-5, "USD", at: dollar) == nil)
        #expect(Self.sale(5, "VND", at: try Self.rate("5.45", per: 100, of: "VND")) == nil, "it is worth no won")
        #expect(Self.sale(100_000_000_000, "USD", at: dollar) == nil, "more than a trillion won")
        #expect(Self.sale(.max, "USD", at: dollar) == nil, "it does not fit")
        let rial = try Self.rate("0.0000001", of: "IRR")
        #expect(Self.sale(1_000_000_000_000_000, "IRR", at: rial)?.price?.amount == 1_000_000)
        #expect(Self.sale(1_000_000_000_000_001, "IRR", at: rial) == nil, "more than 10^15 minor units")
    }

    /// A person can't decide about an unknown amount, and a later version may know the currency.
    @Test func `a price in a currency that ISO 4217 lacks waits, and is not out of range`() throws {
        let rules = ReceiptRules(policy: VerdictPolicy(), requireOrders: true)
        let receipt = Receipt.appStore(try TransactionID("2000000000000001"))
        let cases: [(payment: GatewayPayment, reason: WaitReason)] = [
            (Self.payment(0, "ZZZ", price: 990), .priceNotBookable), (Self.payment(99, "USD"), .priceNotBookable),
            (Self.payment(ForeignPayment.highest + 1, "USD"), .worthOutOfRange),
        ]
        for (payment, reason) in cases {
            let judged = rules.assess(payment, presentedAs: receipt, .store(Self.product, 2, nil))
            #expect(judged.verdict == .wait(reason) && judged.sale == nil, "\(payment.currency)")
        }
    }

    @Test func `what was free is so in each currency, with a rate or without`() throws {
        for (code, rate) in [("USD", try Self.rate("1387.40")), ("USD", nil), ("KRW", nil)] {
            let sale = try #require(Self.sale(0, code, at: rate))
            #expect(sale.price == nil && sale.foreign == nil && sale.coins.count == 200)
        }
    }
}
