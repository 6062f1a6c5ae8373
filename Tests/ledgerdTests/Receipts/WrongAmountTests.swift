import Foundation
import LedgerWire
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// What `amount_mismatch` tells of the paid amount and the prices.
@Suite(.timeLimit(.minutes(20))) struct WrongAmountTests {
    /// 2026-11-20T01:02:03Z.
    private static let paidAt = Date(timeIntervalSince1970: 1_795_136_523)
    private static let day: TimeInterval = 86_400

    private static func product(
        _ code: String, won: Int64, from: Date = paidAt - 30 * day, until: Date? = nil
    ) -> Product {
        Product(
            code: code, title: code, price: sure(Price(won: won)), coins: .hundred, bonusCoins: nil, activeFrom: from,
            activeUntil: until)
    }

    /// - Parameter now: when it is judged.
    private static func wrong(
        _ amount: Int64, _ currency: String = "KRW", paidAt: Date? = paidAt, startedAt: Date? = nil, onSale: [Int64],
        nearestSale: Product? = nil, at now: Date = paidAt + 30 * day
    ) -> WrongAmount? {
        WrongAmount(
            .init(amount: amount, currency: currency, paidAt: paidAt, startedAt: startedAt),
            onSale: onSale.map { sure(Price(won: $0)) }, nearestSale: nearestSale, at: now)
    }

    private typealias Members = [String: ProblemMember]

    private static let paid = "was paid at 2026-11-20T01:02:03.000Z; "

    private static let cases: [(facts: WrongAmount?, sentence: String, members: Members)] = [
        (
            wrong(999, onSale: [1000, 5000]),
            "999 KRW \(paid)no product had that price then; the prices then were 1000, 5000 KRW",
            ["prices_then": .integers([1000, 5000])]
        ),
        (
            wrong(1000, onSale: [1500], nearestSale: product("coins_100", won: 1000, until: paidAt - day)),
            "1000 KRW \(paid)no product had that price then; the price then was 1500 KRW; "
                + "coins_100 had that price from 2026-10-21T01:02:03.000Z until 2026-11-19T01:02:03.000Z",
            [
                "prices_then": .integers([1500]), "product": "coins_100", "sold_from": "2026-10-21T01:02:03.000Z",
                "sold_until": "2026-11-19T01:02:03.000Z",
            ]
        ),
        (
            wrong(1000, onSale: [], nearestSale: product("coins_100", won: 1000, from: paidAt + day)),
            "1000 KRW \(paid)no product was on sale then; "
                + "coins_100 has had that price only since 2026-11-21T01:02:03.000Z",
            ["prices_then": .integers([]), "product": "coins_100", "sold_from": "2026-11-21T01:02:03.000Z"]
        ),
        (wrong(12, "USD", onSale: []), "0.12 USD \(paid)no product was on sale then", ["prices_then": .integers([])]),
        (
            WrongAmount(
                .init(amount: 1000, currency: "KRW", paidAt: paidAt, startedAt: nil),
                order: .won(sure(Price(won: 5000)))),
            "1000 KRW \(paid)the price of the order is 5000 KRW", ["expected_amount": 5000]
        ),
        (
            WrongAmount(
                .init(amount: 98, currency: "USD", paidAt: paidAt, startedAt: nil),
                order: .foreign(sure(ForeignPrice(99, in: sure(try? ForeignCurrency("USD")))))),
            "0.98 USD \(paid)the price of the order is 0.99 USD", ["expected_amount": 99]
        ),
    ]

    @Test func `the sentence and the members say what was paid, and what could be paid then`() throws {
        for (facts, sentence, members) in Self.cases {
            let facts = try #require(facts)
            let problem = Problem(facts)
            #expect(problem.code == .amountMismatch && problem.detail == sentence)
            let paid: Members = [
                "paid_amount": .integer(facts.paid.amount), "currency": .string(facts.paid.currency),
                "paid_at": "2026-11-20T01:02:03.000Z",
            ]
            #expect(Self.members(of: problem) == paid.merging(members) { first, _ in first }, "\(sentence)")
        }
    }

    @Test func `without a time of payment, the prices are those of its start`() throws {
        let since = Self.product("coins_100", won: 1000, from: Self.paidAt + Self.day)
        let facts = try #require(
            Self.wrong(1000, paidAt: nil, startedAt: Self.paidAt, onSale: [1500], nearestSale: since),
            "the product is on sale now, but was not when the payment was started")
        let problem = Problem(facts)
        #expect(
            problem.detail == "1000 KRW was paid at an unknown time; the payment was started at "
                + "2026-11-20T01:02:03.000Z; no product had that price then; the price then was 1500 KRW; "
                + "coins_100 has had that price only since 2026-11-21T01:02:03.000Z")
        let members = Self.members(of: problem)
        #expect(members["started_at"] == "2026-11-20T01:02:03.000Z" && members["paid_at"] == nil)

        let both = try #require(
            Self.wrong(1000, startedAt: Self.paidAt - Self.day, onSale: [1500], nearestSale: since))
        #expect(Self.members(of: Problem(both))["started_at"] == nil, "the time of payment counts")
    }

    @Test func `without any time, the prices are those of now`() throws {
        let problem = Problem(try #require(Self.wrong(999, paidAt: nil, onSale: [1000])))
        let none = Problem(try #require(Self.wrong(999, paidAt: nil, onSale: [])))
        #expect(
            problem.detail
                == "999 KRW was paid at an unknown time; no product has that price now; the price now is 1000 KRW")
        #expect(none.detail == "999 KRW was paid at an unknown time; no product is on sale now")
        #expect(Set(Self.members(of: problem).keys) == ["paid_amount", "currency", "prices_then"])
    }

    @Test func `for a time of payment in the future, the prices are those of now`() throws {
        let problem = Problem(try #require(Self.wrong(999, onSale: [1000, 5000], at: Self.paidAt - 1)))
        #expect(
            problem.detail == "999 KRW was paid at 2026-11-20T01:02:03.000Z, in the future; "
                + "no product has that price now; the prices now are 1000, 5000 KRW")
        let past = Problem(try #require(Self.wrong(999, onSale: [1000, 5000], at: Self.paidAt)))
        #expect(past.detail?.contains("in the future") == false && past.detail?.contains("prices then were") == true)
    }

    @Test func `there are no facts if a product was on sale at the paid amount`() {
        let (sold, day) = (Self.product("coins_100", won: 1000, until: Self.paidAt), Self.day)
        #expect(Self.wrong(1000, paidAt: Self.paidAt - 1, onSale: [1000], nearestSale: sold) == nil)
        #expect(Self.wrong(1000, onSale: [], nearestSale: sold) != nil, "its sale had just ended")
        #expect(Self.wrong(1000, paidAt: nil, startedAt: Self.paidAt - day, onSale: [1000], nearestSale: sold) == nil)
        let new = Self.product("coins_100", won: 1000, from: Self.paidAt)
        #expect(Self.wrong(1000, paidAt: nil, onSale: [1000], nearestSale: new) == nil, "it is on sale now")
        let later = Self.product("coins_100", won: 1000, from: Self.paidAt + 0.5)
        #expect(Self.wrong(1000, onSale: [1000], nearestSale: later) == nil, "a gateway tells whole seconds")
    }

    @Test(arguments: [20, 21]) func `of many prices, the lowest are listed`(_ count: Int64) throws {
        let problem = Problem(try #require(Self.wrong(999, onSale: Array(1000..<(1000 + count)))))
        #expect(Self.members(of: problem)["prices_then"] == .integers(Array(1000..<1020)))
        #expect(problem.detail?.hasSuffix("1018, 1019 KRW and others") == (count > 20), "\(problem.detail ?? "")")
        #expect(problem.detail?.hasSuffix("1018, 1019 KRW") == (count == 20))
    }

    @Test func `what was paid is shown to the user whom the payment names, or who can't have guessed its id`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        let v1 = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1"))
        let v2 = Receipt.v2(paymentID: try PaymentID("order-1"))
        let sales = PossibleSales.products([Self.product("coins_100", won: 1000)])
        let cases: [(receipt: Receipt, data: String?, isOwnerDecided: Bool, isReported: Bool)] = [
            (v1, nil, false, true), (v2, nil, false, false), (v2, nil, true, true),
            (v2, #"{"user_id": "ann"}"#, false, true), (v1, #"{"user_id": "bob"}"#, false, false),
            (v1, #"{"user_id": "bob"}"#, true, true),
        ]
        for (receipt, data, isOwnerDecided, isReported) in cases {
            let payment = GatewayPayment(
                gateway: receipt.gatewayName, paymentID: "imp_1", merchantUID: "order-1",
                merchantPaymentID: receipt == v2 ? "order-1" : nil, status: .paid, amount: 999,
                currency: "KRW", isTest: false, customData: data)
            let saga = ReceiptSaga(
                receipt: receipt, user: ann, rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false),
                isOwnerDecided: isOwnerDecided)
            let step = try saga.step(after: .findSales(payment), .sales(sales, []), at: Self.paidAt)
            guard case .perform(.note(.amountMismatch, payment, then: .refuse(let refusal))) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(refusal == (isReported ? .wrongAmount(payment) : .payment(.amountMismatch)), "\(data ?? "none")")
            #expect(refusal.name == "amount_mismatch" && Problem.Code(refusal) == .amountMismatch)
        }
    }

    @Test func `a payment that a person decided about is credited for the amount that the person saw only`() throws {
        let receipt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1"))
        let payment = GatewayPayment(
            gateway: receipt.gatewayName, paymentID: "imp_1", merchantUID: "order-1", merchantPaymentID: nil,
            status: .paid,
            amount: 1000, currency: "KRW", isTest: false, customData: nil)
        let cases: [(seen: Int64?, isCredited: Bool)] = [
            (nil, true), (1000, true), (999, false), (1001, false), (0, false),
        ]
        for (seen, isCredited) in cases {
            let saga = ReceiptSaga(
                receipt: receipt, user: try #require(UserID(rawValue: "ann")),
                rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false), isOwnerDecided: true,
                seenAmount: seen)
            let sales = PossibleSales.products([Self.product("coins_100", won: 1000)])
            let step = try saga.step(after: .findSales(payment), .sales(sales, []), at: Self.paidAt)
            switch step {
            case .perform(.credit): #expect(isCredited, "\(seen ?? -1)")
            case .end(.refused(.changedMeanwhile)): #expect(!isCredited, "\(seen ?? -1)")
            default: Issue.record("\(step)")
            }
        }
    }

    private static func members(of problem: Problem) -> Members {
        Dictionary(uniqueKeysWithValues: problem.members.map { ($0.name, $0.value) })
    }
}
