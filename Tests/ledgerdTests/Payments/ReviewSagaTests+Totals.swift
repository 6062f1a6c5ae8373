import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// The total that went back at the gateway, beside that of the books.
extension ReviewSagaTests {
    /// Apple's total of the purchase is so much.
    private static func sold(_ purchase: Purchase, cancelled: Int64) -> GatewayPayment {
        var payment = GatewayPayment(
            gateway: AppStore.name, paymentID: "2000000000000001", merchantUID: "app-store:2000000000000001",
            status: cancelled == 0 ? .paid : cancelled == purchase.amount ? .cancelled : .partiallyCancelled,
            amount: purchase.amount, cancelledAmount: cancelled, currency: "KRW", isTest: false)
        payment.store = StorePurchase(
            app: "com.example.coins", items: [.init(productID: "c100", quantity: 1)], price: 1_000_000,
            isConsumable: true, storefront: "KOR", isFamilyShared: false, accountToken: nil, toldAt: ModelBooks.now)
        return payment
    }

    /// A total at the gateway is in the payment's currency; it agrees, or not, by its share of the won.
    @Test func `what the store gave back of a payment in dollars is compared as a share of its won`() throws {
        var credited = try Purchase.anns()
        credited.foreignAmount = 300
        credited.foreignCurrency = try ForeignCurrency("USD")
        credited.foreignRefunded = 100
        credited.refundedAmount = 333  // ⌊1000 × 100 ÷ 300⌋
        var payment = Self.sold(credited, cancelled: 100)
        (payment.amount, payment.currency, payment.status) = (300, "USD", .partiallyCancelled)
        guard case .perform(.findSettled) = try step(.findPurchase(payment), .purchase(credited)) else {
            Issue.record("it agrees")
            return
        }
        payment.cancelledAmount = 200
        guard case .perform(.listRefunds) = try step(.findPurchase(payment), .purchase(credited)) else {
            Issue.record("more went back")
            return
        }
        payment.cancelledAmount = 0
        guard case .perform(.findClawBack) = try step(.findPurchase(payment), .purchase(credited)) else {
            Issue.record("less went back")
            return
        }
    }

    @Test func `a part below a won that is not booked yet is reviewed`() throws {
        var credited = try Purchase.anns()
        (credited.foreignAmount, credited.foreignRefunded) = (26_000, 0)
        credited.foreignCurrency = try ForeignCurrency("VND")
        var payment = Self.gateway.answer(0)
        (payment.amount, payment.cancelledAmount, payment.currency) = (26_000, 18, "VND")
        payment.status = .partiallyCancelled
        let next = try step(.findPurchase(payment), .purchase(credited))
        guard case .perform(.listRefunds) = next else {
            Issue.record("\(next)")
            return
        }
        credited.foreignRefunded = 18
        if case .perform(.listRefunds) = try step(.findPurchase(payment), .purchase(credited)) {
            Issue.record("it is booked")
        }
    }

    @Test func `a smaller total is given back at Apple, after it was asked again, and nowhere else`() throws {
        var credited = try Purchase.anns()
        credited.refundedAmount = 400
        let payment = Self.sold(credited, cancelled: 0)
        guard case .perform(.findClawBack(payment, credited)) = try step(.findPurchase(payment), .purchase(credited))
        else {
            Issue.record("the claw-back is not looked for")
            return
        }
        let clawBack = ReversibleClawBack(journalEntryID: 7, lots: [8])
        let receipt = try #require(credited.payment.receipt)
        let act = Self.reversal(of: credited, by: clawBack, total: 0)
        guard case .perform(.askAgain) = try step(.findClawBack(payment, credited), .clawBackFound(clawBack)),
            case .perform(.reverseClawBack(act, payment)) = try step(
                .askAgain(receipt, clawBack, credited), .payment(payment))
        else {
            Issue.record("it is not asked again, or not reversed")
            return
        }
        // By then it was refunded again, or nobody answers.
        let refunded = Self.sold(credited, cancelled: 400)
        guard
            case .perform(.findPurchase(refunded)) = try step(
                .askAgain(receipt, clawBack, credited), .payment(refunded)),
            case .end(.gatewayUnavailable) = try step(.askAgain(receipt, clawBack, credited), .gatewayOff)
        else {
            Issue.record("an older answer is believed")
            return
        }
        // Elsewhere, and for another price, a smaller total is an answer that knows less.
        var elsewhere = Self.gateway.answer(0)
        elsewhere.store = payment.store
        var cheaper = payment
        cheaper.amount = 999
        for other in [elsewhere, cheaper] {
            if case .perform(.findClawBack) = try step(.findPurchase(other), .purchase(credited)) {
                Issue.record("\(other.gateway) \(other.amount) gives back")
            }
        }
    }

    private static func reversal(
        of purchase: Purchase, by clawBack: ReversibleClawBack, total: Int64
    ) -> ReverseClawBack {
        let told = ClawBack(
            user: purchase.user, payment: purchase.payment, cancelledAmount: total, usedBonus: .charge,
            toldAt: ModelBooks.now)
        return ReverseClawBack(clawBack, of: purchase, told: told, toldAt: ModelBooks.now, grace: 0)
    }

    @Test func `what was given back, or could not be, decides what comes next`() throws {
        var credited = try Purchase.anns()
        credited.refundedAmount = 400
        let act = Self.reversal(of: credited, by: ReversibleClawBack(journalEntryID: 7, lots: [8]), total: 0)
        func next(
            _ result: ClawBackReversed.Result, refunded: Int64, cancelled: Int64
        ) throws -> ReviewSaga.Step {
            var purchase = credited
            purchase.refundedAmount = refunded
            let reversed = ClawBackReversed(
                result: result, purchase: purchase, balance: Balance(user: credited.user) { _ in 0 })
            let payment = Self.sold(credited, cancelled: cancelled)
            return try step(.reverseClawBack(act, payment), .clawBackReversed(.done(reversed)))
        }
        guard case .perform(.confirm(_, _, then: .givenBack)) = try next(.givenBack, refunded: 100, cancelled: 100),
            case .perform(.note(Finding.Kind.refundReversed, _, of: _, then: .agrees)) = try next(
                .noPlace, refunded: 400, cancelled: 0),
            case .end(.outdated) = try next(.outdated, refunded: 400, cancelled: 0)
        else {
            Issue.record("a reversal does not lead to what follows from it")
            return
        }
    }

    @Test(arguments: [(nil, false), (400, false), (0, true), (1000, true)] as [(Int64?, Bool)])
    func `after a person gave back by hand, another total is for a person again`(
        settled: Int64?, isNoted: Bool
    ) throws {
        var clawedBack = try Purchase.anns()
        clawedBack.refundedAmount = 400
        let payment = Self.sold(clawedBack, cancelled: 400)
        let next = try step(.findSettled(payment, clawedBack, then: .agrees), .settled(settled))
        switch next {
        case .perform(.note(Finding.Kind.refundReversed, payment, of: clawedBack, then: .agrees)): #expect(isNoted)
        case .perform(.endFinding(Finding.Kind.refundReversed, payment, of: clawedBack, then: .agrees)):
            #expect(!isNoted)
        default: Issue.record("\(next)")
        }
    }

    /// The answer that changed the books can be older than one that was found to agree with them.
    @Test func `after Apple's total changed the books, the review ends only when Apple says the same again`() throws {
        var clawedBack = try Purchase.anns()
        clawedBack.refundedAmount = 400
        let payment = Self.sold(clawedBack, cancelled: 400)
        let act = ClawBack(user: clawedBack.user, payment: clawedBack.payment, cancelledAmount: 400)
        let answer = ClawedBack(
            purchase: clawedBack, coins: 40, bonusCoins: 0, balance: Balance(user: clawedBack.user) { _ in 0 })
        func next(_ payment: GatewayPayment, isRepeat: Bool = false) throws -> ReviewSaga.Step {
            try step(
                .clawBack(act, payment, isCompleted: false), .clawedBack(isRepeat ? .unchanged(answer) : .done(answer)))
        }
        guard case .perform(.confirm(let receipt, clawedBack, then: .clawedBack)) = try next(payment),
            case .perform(.findSettled(payment, clawedBack, then: .agrees)) = try next(payment, isRepeat: true)
        else {
            Issue.record("Apple is not asked again, or although nothing changed")
            return
        }
        var elsewhere = Self.gateway.answer(0)
        elsewhere.cancelledAmount = 400
        guard case .end(.clawedBack) = try next(elsewhere) else {
            Issue.record("a gateway is asked again whose total only rises")
            return
        }
        let asked = ReviewSaga.Effect.confirm(receipt, clawedBack, then: .clawedBack)
        guard
            case .perform(.findSettled(payment, clawedBack, then: .clawedBack)) = try step(asked, .payment(payment)),
            case .end(.gatewayUnavailable) = try step(asked, .gatewayOff),
            case .end(.gatewayUnavailable) = try step(asked, .gatewayFailed(.silent))
        else {
            Issue.record("the review does not end as Apple says")
            return
        }
        for total in [0, 399, 401] as [Int64] {
            let other = Self.sold(clawedBack, cancelled: total)
            guard case .perform(.findPurchase(other)) = try step(asked, .payment(other)) else {
                Issue.record("\(total) is taken for 400")
                return
            }
        }
    }
}
