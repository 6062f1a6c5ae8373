import Foundation
import Ledger
import LedgerTestSupport
import PGVerifier
import TestSupport
import Testing

@testable import LedgerServer

/// Two attempts to credit one purchase of a store, each with the answer that it got.
@Suite(.timeLimit(.minutes(20))) struct RepeatedCreditTests {
    /// Apple's total can fall, so whatever a credit is told of it is asked for once more.
    @Test(arguments: [AppStore.name, GooglePlay.name])
    func `what only the later attempt was told of as given back is reviewed, once for each amount`(
        store: String
    ) async throws {
        let mayFall = store == AppStore.name
        func receipt(_ number: Int) throws -> Receipt {
            mayFall
                ? .appStore(try TransactionID("200000000000000\(number)"))
                : .googlePlay(try PurchaseToken("token-\(number)"))
        }
        try await TestLedger.with { ledger, test in
            _ = try await ledger.products.add(
                ProductDraft(
                    code: "coins_100", title: "coins_100", price: sure(Price(won: 1000)), coins: sure(Coins(100))))
            _ = try await ledger.stores.set(Self.product(of: store), to: "coins_100", by: "kim")
            let crediter = ReceiptCrediter(
                gateways: Gateways([]), ledger: ledger,
                rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false))
            func credit(_ number: Int, cancelled: Int64) async throws -> Int64? {
                let shown = try receipt(number)
                let outcome = try await crediter.credit(
                    Self.answer(shown, cancelled: cancelled), presentedAs: shown, to: .named("ann"))
                guard case .credited(let credited, _) = outcome else { return nil }
                return credited.purchase.refundedAmount
            }
            func reviews(of number: Int) async throws -> Int64 {
                try await test.number(
                    "SELECT count(*) FROM webhook_event WHERE imp_uid = '\(try receipt(number).lookupID)'")
            }

            #expect(try await credit(1, cancelled: 0) == 0)
            #expect(try await credit(1, cancelled: 0) == 0)
            #expect(try await credit(2, cancelled: 400) == 400)
            #expect(try await credit(2, cancelled: 400) == 400)
            #expect(try await reviews(of: 1) == 0, "the books know it all")
            #expect(try await reviews(of: 2) == (mayFall ? 1 : 0))

            #expect(try await credit(1, cancelled: 400) == 0)
            #expect(try await credit(1, cancelled: 400) == 0)
            #expect(try await reviews(of: 1) == 1)
            #expect(try await credit(1, cancelled: 700) == 0)
            #expect(try await reviews(of: 1) == 2)
            #expect(try await credit(2, cancelled: 0) == 400)
            #expect(try await reviews(of: 2) == (mayFall ? 2 : 0), "a smaller total knows less, but at Apple")
            #expect(try await Audit.problems(of: test).isEmpty)
        }
    }

    private static func product(of store: String) -> StoreProductName {
        StoreProductName(store: store, app: "com.example.coins", productID: "c100")
    }

    private static func answer(_ receipt: Receipt, cancelled: Int64) -> GatewayPayment {
        let name = product(of: receipt.gatewayName)
        let paidAt = Date(timeIntervalSince1970: 1_767_225_600)
        var payment = GatewayPayment(
            gateway: receipt.gatewayName, paymentID: receipt.lookupID, merchantUID: receipt.merchantUID,
            status: cancelled > 0 ? .partiallyCancelled : .paid, amount: 1000, cancelledAmount: cancelled,
            currency: "KRW", isTest: false, paidAt: paidAt)
        payment.store = StorePurchase(
            app: name.app, items: [.init(productID: name.productID, quantity: 1)], price: 1_000_000,
            isConsumable: true, storefront: "KOR", isFamilyShared: false, accountToken: nil, toldAt: paidAt)
        return payment
    }
}
