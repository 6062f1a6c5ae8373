import Foundation
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// Which lifetime of coins applies.
@Suite(.timeLimit(.minutes(20))) struct CoinLifetimesTests {
    private static let day = Duration.seconds(86_400)
    private static let lifetimes = CoinLifetimes(
        paid: day * 10, bonus: nil,
        ofGateways: [
            "store": ProductLifetimes(paid: .forever, bonus: .days(3)), "shop": ProductLifetimes(bonus: .days(4)),
        ])

    private static let own = ProductLifetimes(paid: .days(1), bonus: .days(2))

    @Test(
        arguments: [
            (ProductLifetimes(), false, "other", day * 10, nil),
            (own, false, "other", day, day * 2),
            (ProductLifetimes(paid: .forever, bonus: .days(2)), false, "other", nil, day * 2),
            // A gateway's lifetimes are those of all that is bought there, but what an order has sold stays.
            (own, false, "store", nil, day * 3),
            (own, true, "store", day, day * 2),
            (ProductLifetimes(), true, "store", nil, day * 3),
            (own, false, "shop", day, day * 4),
            (ProductLifetimes(bonus: .forever), true, "shop", day * 10, nil),
        ] as [(ProductLifetimes, Bool, String, Duration?, Duration?)])
    func `an order's lifetimes come before the gateway's, these before the product's, and the general ones last`(
        sold: ProductLifetimes, isOrdered: Bool, gateway: String, paid: Duration?, bonus: Duration?
    ) {
        let found = Self.lifetimes.lifetimes(of: isOrdered ? Self.order(sold) : Self.sale(sold), at: gateway)
        #expect(found == (paid, bonus))
    }

    private static func sale(_ lifetimes: ProductLifetimes) -> Sale {
        Sale(
            Product(
                code: "coins_100", title: "100 coins", price: .thousandWon, coins: .hundred, bonusCoins: .hundred,
                activeFrom: ModelBooks.now, activeUntil: nil, lifetimes: lifetimes))
    }

    private static func order(_ lifetimes: ProductLifetimes) -> Sale {
        sure(
            Sale(
                Order(
                    id: 1, merchantUID: "order-1", user: .ann, gateway: "store", product: "coins_100",
                    price: .won(.thousandWon), coins: .hundred, bonusCoins: .hundred, createdAt: ModelBooks.now,
                    expiresAt: ModelBooks.now + 60, payment: nil, lifetimes: lifetimes), at: nil))
    }
}
