import CivilTime
import Foundation
import Hummingbird
import LedgerWire
import PGVerifier
import TestSupport

@testable import Ledger
@testable import LedgerServer

extension Problem {
    /// The problem of a code in the documents.
    static func example(of code: Code) -> Problem { examples.first { $0.code == code } ?? Problem(code) }

    /// The examples that have members.
    static let examples = [
        Problem(
            sure(
                WrongAmount(
                    .init(amount: 1000, currency: "KRW", paidAt: time("2026-11-20T01:02:03Z"), startedAt: nil),
                    onSale: [1500, 5000].map { sure(Price(won: $0)) },
                    nearestSale: Product(
                        code: "coins_100", title: "100 coins", price: .thousandWon, coins: .hundred, bonusCoins: nil,
                        activeFrom: time("2026-10-01T00:00:00Z"), activeUntil: time("2026-11-19T00:00:00Z")),
                    at: time("2026-11-20T01:02:04Z")))),
        Problem(CreditRefusal.orderAlreadyCredited(by: purchase)),
        Problem(CreditRefusal.merchantUIDAlreadyCredited(by: purchase)),
    ]

    private static let purchase = Purchase(
        id: 4097, status: .credited, user: sure(UserID(rawValue: "ann")),
        payment: PaymentIdentity(
            gateway: "portone-v1", paymentID: "imp_448280090638", merchantUID: "order-k3vq2r7mzd5xw4jy6cnabhtfue"),
        product: "coins_100", amount: 1000, currency: .won, coins: 100, bonusCoins: 10, refundedAmount: 0,
        paidAt: time("2026-11-20T10:00:00Z"), creditedAt: time("2026-11-20T10:00:01.25Z"), journalEntryID: 4099)

    private static func time(_ text: String) -> Date { sure(RFC3339.date(from: text)) }

    /// The body of the response.
    func body() throws -> OrderedJSON {
        try OrderedJSON(Array(buffer: answer(requestID: "2f3c0a9d5b7e41c68d10f2a4b6c8e0d2").body))
    }
}
