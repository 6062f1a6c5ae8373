import Foundation
import LedgerWire
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import ledgerd

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

    private static func wrong(
        _ amount: Int64, _ currency: String = "KRW", at paidAt: Date? = paidAt, onSale: [Int64],
        nearestSale: Product? = nil
    ) -> WrongAmount {
        WrongAmount(
            amount: amount, currency: currency, paidAt: paidAt,
            expected: .products(.init(onSale.map { sure(Price(won: $0)) }, nearestSale: nearestSale)))
    }

    private typealias Members = [String: ProblemMember]

    private static let paid = "was paid at 2026-11-20T01:02:03.000Z; "

    private static let cases: [(facts: WrongAmount, sentence: String, members: Members)] = [
        (
            wrong(999, onSale: [1000, 5000]),
            "999 KRW \(paid)no product had that price then; the prices then were 1000, 5000 KRW",
            ["prices_then": .integers([1000, 5000])]
        ),
        (
            wrong(1000, onSale: [1500], nearestSale: product("coins_100", won: 1000, until: paidAt - day)),
            "1000 KRW \(paid)no product had that price then; the prices then were 1500 KRW; "
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
        (wrong(12, "USD", onSale: []), "12 USD \(paid)no product was on sale then", ["prices_then": .integers([])]),
        (
            WrongAmount(amount: 1000, currency: "KRW", paidAt: paidAt, expected: .order(sure(Price(won: 5000)))),
            "1000 KRW \(paid)the price of the order is 5000 KRW", ["expected_amount": 5000]
        ),
    ]

    @Test func `the sentence and the members tell what was paid, and what could be paid then`() {
        for (facts, sentence, members) in Self.cases {
            let problem = Problem(facts)
            #expect(problem.code == .amountMismatch && problem.detail == sentence)
            let paid: Members = [
                "paid_amount": .integer(facts.amount), "currency": .string(facts.currency),
                "paid_at": "2026-11-20T01:02:03.000Z",
            ]
            #expect(Self.members(of: problem) == paid.merging(members) { first, _ in first }, "\(sentence)")
        }
    }

    @Test func `without a time of payment, the prices are those of now`() {
        let problem = Problem(Self.wrong(999, at: nil, onSale: [1000]))
        let none = Problem(Self.wrong(999, at: nil, onSale: []))
        #expect(
            problem.detail
                == "999 KRW was paid at an unknown time; no product has that price now; the prices now are 1000 KRW")
        #expect(none.detail == "999 KRW was paid at an unknown time; no product is on sale now")
        #expect(Set(Self.members(of: problem).keys) == ["paid_amount", "currency", "prices_then"])
    }

    @Test(arguments: [20, 21]) func `of many prices, the lowest are told`(_ count: Int64) {
        let problem = Problem(Self.wrong(999, onSale: Array(1000..<(1000 + count))))
        #expect(Self.members(of: problem)["prices_then"] == .integers(Array(1000..<1020)))
        #expect(problem.detail?.hasSuffix("1018, 1019 KRW and others") == (count > 20), "\(problem.detail ?? "")")
        #expect(problem.detail?.hasSuffix("1018, 1019 KRW") == (count == 20))
    }

    @Test func `what was paid is told to whom the payment names, or who can't have guessed its id`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        let v1 = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1"))
        let v2 = Receipt.v2(paymentID: try PaymentID("order-1"))
        let sales = PossibleSales.products([Self.product("coins_100", won: 1000)])
        let cases: [(receipt: Receipt, data: String?, isOwnerDecided: Bool, isTold: Bool)] = [
            (v1, nil, false, true), (v2, nil, false, false), (v2, nil, true, true),
            (v2, #"{"user_id": "ann"}"#, false, true), (v1, #"{"user_id": "bob"}"#, false, false),
            (v1, #"{"user_id": "bob"}"#, true, true),
        ]
        for (receipt, data, isOwnerDecided, isTold) in cases {
            let payment = GatewayPayment(
                gateway: receipt.gatewayName, impUID: "imp_1", merchantUID: "order-1",
                paymentID: receipt == v2 ? "order-1" : nil, status: .paid, amount: 999,
                currency: "KRW", isTest: false, customData: data)
            let saga = ReceiptSaga(
                receipt: receipt, user: ann, rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false),
                isOwnerDecided: isOwnerDecided)
            let step = try saga.step(after: .findSales(payment), .sales(sales), at: Self.paidAt)
            guard case .perform(.note(.amountMismatch, payment, then: .refuse(let refusal))) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(refusal == (isTold ? .wrongAmount(payment) : .payment(.amountMismatch)), "\(data ?? "none")")
            #expect(refusal.name == "amount_mismatch" && Problem.Code(refusal) == .amountMismatch)
        }
    }

    private static func members(of problem: Problem) -> Members {
        Dictionary(uniqueKeysWithValues: problem.members.map { ($0.name, $0.value) })
    }
}
