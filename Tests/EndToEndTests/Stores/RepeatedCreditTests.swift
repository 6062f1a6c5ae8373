import Foundation
import Ledger
import LedgerTestSupport
import PGVerifier
import TestSupport
import Testing

@testable import LedgerServer

/// Two attempts to credit one purchase of a store, each with the answer that it got.
@Suite(.timeLimit(.minutes(20))) struct RepeatedCreditTests {
    private static let name = StoreProductName(store: AppStore.name, app: "com.example.coins", productID: "c100")

    @Test func `what only the later attempt was told of as given back is reviewed, once for each amount`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.products.add(
                ProductDraft(
                    code: "coins_100", title: "coins_100", price: sure(Price(won: 1000)), coins: sure(Coins(100))))
            _ = try await ledger.stores.set(Self.name, to: "coins_100", by: "kim")
            let crediter = ReceiptCrediter(
                gateways: Gateways([]), ledger: ledger,
                rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false))
            func credit(_ number: Int, cancelled: Int64) async throws -> Int64? {
                let id = try TransactionID("200000000000000\(number)")
                let outcome = try await crediter.credit(
                    Self.answer(id, cancelled: cancelled), presentedAs: .appStore(id), to: .named("ann"))
                guard case .credited(let credited, _) = outcome else { return nil }
                return credited.purchase.refundedAmount
            }
            func reviews(of number: Int) async throws -> Int64 {
                try await test.number(
                    "SELECT count(*) FROM webhook_event WHERE imp_uid = '200000000000000\(number)'")
            }

            #expect(try await credit(1, cancelled: 0) == 0)
            #expect(try await credit(1, cancelled: 0) == 0)
            #expect(try await credit(2, cancelled: 400) == 400)
            #expect(try await credit(2, cancelled: 400) == 400)
            for number in [1, 2] { #expect(try await reviews(of: number) == 0, "the books know it all") }

            #expect(try await credit(1, cancelled: 400) == 0)
            #expect(try await credit(1, cancelled: 400) == 0)
            #expect(try await reviews(of: 1) == 1)
            #expect(try await credit(1, cancelled: 700) == 0)
            #expect(try await reviews(of: 1) == 2)
            #expect(try await Audit.problems(of: test).isEmpty)
        }
    }

    private static func answer(_ id: TransactionID, cancelled: Int64) -> GatewayPayment {
        let paidAt = Date(timeIntervalSince1970: 1_767_225_600)
        var payment = GatewayPayment(
            gateway: AppStore.name, paymentID: id.text, merchantUID: Receipt.appStore(id).merchantUID,
            status: cancelled > 0 ? .partiallyCancelled : .paid, amount: 1000, cancelledAmount: cancelled,
            currency: "KRW", isTest: false, paidAt: paidAt)
        payment.store = StorePurchase(
            app: name.app, items: [.init(productID: name.productID, quantity: 1)], price: 1_000_000,
            isConsumable: true, storefront: "KOR", isFamilyShared: false, accountToken: nil, toldAt: paidAt)
        return payment
    }
}
