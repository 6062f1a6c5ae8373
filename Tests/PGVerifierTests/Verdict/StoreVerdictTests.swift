import FoundationEssentials
import Testing

@testable import PGVerifier

/// What a store sold is judged by its product and its state, and never by its price.
@Suite(.timeLimit(.minutes(20))) struct StoreVerdictTests {
    private func judge(
        _ sale: StoreSale, amount: Int64 = 1200, status: GatewayPayment.Status = .paid, cancelled: Int64 = 0,
        isConsumable: Bool? = true, isShared: Bool = false, isTest: Bool? = false, allows: Bool = false
    ) throws -> (Verdict, GatewayPayment) {
        let id = try TransactionID("2000000123456789")
        var payment = GatewayPayment(
            gateway: AppStore.name, paymentID: id.text, merchantUID: Receipt.appStore(id).merchantUID, status: status,
            amount: amount, cancelledAmount: cancelled, cancellations: [], currency: "KRW", isTest: isTest,
            paidAt: Date(timeIntervalSince1970: 1_767_225_600), cancelledAt: nil)
        payment.store = StorePurchase(
            app: "com.example.coins", items: [.init(productID: "c100", quantity: 1)], price: amount * 1000,
            isConsumable: isConsumable, storefront: "KOR", isFamilyShared: isShared, accountToken: nil,
            toldAt: Date(timeIntervalSince1970: 1_767_225_600))
        let verdict = verdict(
            receipt: .appStore(id), payment: payment, expectation: .store(sale),
            policy: VerdictPolicy(allowTestPayments: allows))
        return (verdict, payment)
    }

    @Test(arguments: [1, 1200, 999_999] as [Int64])
    func `who has paid the store gets its product, whatever the price`(amount: Int64) throws {
        let (verdict, payment) = try judge(.offer(7), amount: amount)
        #expect(verdict == .credit(Verdict.Credit(offerID: 7, payment: payment)))
    }

    @Test func `an unknown product, one that is not used up, and a price that can't be booked wait`() throws {
        #expect(try judge(.unknownProduct).0 == .wait(.unknownStoreProduct))
        #expect(try judge(.offer(7), isConsumable: false).0 == .wait(.unknownStoreProduct))
        let (untold, payment) = try judge(.offer(7), isConsumable: nil)
        #expect(
            untold == .credit(Verdict.Credit(offerID: 7, payment: payment)), "the shop has said that it is coins")
        #expect(try judge(.notBookable).0 == .wait(.priceNotBookable))
    }

    @Test func `what was free is credited like others, unless it was given back or is a family's`() throws {
        let (verdict, payment) = try judge(.offer(7), amount: 0)
        #expect(verdict == .credit(Verdict.Credit(offerID: 7, payment: payment)) && payment.isFree)
        #expect(try judge(.offer(7), amount: 0, status: .cancelled).0 == .refuse(.paymentCancelled))
        #expect(try judge(.offer(7), amount: 0, isShared: true).0 == .refuse(.familyShared))
        #expect(try judge(.offer(7), amount: 0, isTest: true).0 == .refuse(.testPayment), "a tester's is a trial")
        #expect(try !judge(.offer(7), amount: 1).1.isFree)
    }

    @Test func `an amount that nobody knows is not free`() throws {
        var (_, payment) = try judge(.notBookable, amount: 1200)
        payment.amount = 0
        #expect(payment.isAmountUnknown && !payment.isFree)
        payment.store = nil
        #expect(!payment.isFree, "only a store sells for nothing")
    }

    /// The books claw back the part.
    @Test(arguments: [0, 400, 1199] as [Int64])
    func `of what the store gave back in part, the buyer has paid the rest`(cancelled: Int64) throws {
        let (verdict, payment) = try judge(.offer(7), status: .partiallyCancelled, cancelled: cancelled)
        #expect(verdict == .credit(Verdict.Credit(offerID: 7, payment: payment)))
        #expect(
            try judge(.offer(7), status: .partiallyCancelled, cancelled: 1200).0 == .refuse(.paymentCancelled))
        #expect(
            try judge(.unknownProduct, status: .partiallyCancelled, cancelled: cancelled).0
                == .wait(.unknownStoreProduct))
        #expect(
            try judge(.offer(7), status: .partiallyCancelled, cancelled: cancelled, isTest: nil).0
                == .refuse(.paymentPartiallyCancelled), "of an order alone nobody knows whose it is")
    }

    @Test func `what a family shares, the store gave back, or was bought for a test is refused`() throws {
        for sale in [StoreSale.offer(7), .unknownProduct, .notBookable] {
            #expect(try judge(sale, isShared: true).0 == .refuse(.familyShared))
            #expect(try judge(sale, status: .cancelled, cancelled: 1200).0 == .refuse(.paymentCancelled))
            #expect(try judge(sale, isTest: true).0 == .refuse(.testPayment))
        }
        let (verdict, payment) = try judge(.offer(7), isTest: true, allows: true)
        #expect(verdict == .credit(Verdict.Credit(offerID: 7, payment: payment)))
    }
}
