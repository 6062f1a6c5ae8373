import Foundation
import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// What a review notes.
@Suite(.timeLimit(.minutes(20))) struct ReviewSagaTests {
    static let gateway = ModelGateway(
        payments: [.init(status: .paid, paidAt: ModelBooks.now - 60)], isInBoth: true)

    func step(_ effect: ReviewSaga.Effect, _ event: ReviewSaga.Event) throws -> ReviewSaga.Step {
        try ReviewSaga(policy: VerdictPolicy(), usedBonus: .charge, first: effect).step(
            after: effect, event, at: ModelBooks.now)
    }

    @Test(arguments: [false, true])
    func `a paid payment is unclaimed only if no receipt waits, under whatever name`(_ isWaiting: Bool) throws {
        let payment = Self.gateway.answer(0)
        let waited = try step(.decideWaiting(payment, then: nil), .waitingDecided(isWaiting))
        if isWaiting {
            guard case .end(.expedited) = waited else {
                Issue.record("\(waited)")
                return
            }
        } else {
            guard case .perform(.takeUpAgain(payment)) = waited,
                case .perform(.note(.unclaimed, payment, of: nil, then: .unclaimed)) = try step(
                    .takeUpAgain(payment), .takenUpAgain(false))
            else {
                Issue.record("\(waited)")
                return
            }
        }
    }

    @Test(
        arguments: [
            (.priceNotBookable, .priceNotBookable), (.worthOutOfRange, .worthOutOfRange),
            (.unknownStoreProduct, .unknownStoreProduct),
            (.awaitingPayment, .nothingPaid), (.gatewayUnavailable, .gatewayUnavailable),
        ] as [(WaitReason, ReviewSaga.Review)])
    func `a paid payment that waits is not called unpaid`(_ reason: WaitReason, _ review: ReviewSaga.Review) throws {
        let payment = Self.gateway.answer(0)
        let receipt = try #require(PaymentIdentity(payment).receipt)
        let next = try step(.credit(payment, receipt, to: .ann), .receipt(.waiting(reason)))
        guard case .perform(.decideWaiting(payment, then: review)) = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test(arguments: [false, true])
    func `what a store sold and coins are not, such as a subscription, is no finding`(_ isConsumable: Bool) throws {
        for cancelled in [0, 400] as [Int64] {
            var payment = Self.gateway.answer(0)
            payment.cancelledAmount = cancelled
            payment.store = StorePurchase(
                app: "com.example.coins", items: [.init(productID: "gym", quantity: 1)], price: 1_000_000,
                isConsumable: isConsumable, storefront: "KOR", isFamilyShared: false, accountToken: nil,
                toldAt: ModelBooks.now)
            let next = try step(.findPurchase(payment), .purchase(nil))
            if case .end(.nothingPaid) = next { #expect(!isConsumable) } else { #expect(isConsumable, "\(next)") }
            // What the store gave back ends a finding of whoever presented it.
            payment.status = .cancelled
            payment.cancelledAmount = payment.amount
            guard case .perform(.resolveFinding) = try step(.findPurchase(payment), .purchase(nil)) else {
                Issue.record("a finding stays")
                continue
            }
        }
    }

    @Test func `what a store sold for nothing is looked for among grants before it is called unclaimed`() throws {
        var payment = Self.gateway.answer(0)
        payment.amount = 0
        payment.store = StorePurchase(
            app: "com.example.coins", items: [.init(productID: "c100", quantity: 1)], price: 0, isConsumable: true,
            storefront: "KOR", isFamilyShared: false, accountToken: nil, toldAt: ModelBooks.now)
        guard case .perform(.findFree(payment, then: nil)) = try step(.findPurchase(payment), .purchase(nil)),
            case .perform(.findOrder(payment)) = try step(.findFree(payment, then: nil), .freeFound(.unknown))
        else {
            Issue.record("it is not looked for")
            return
        }
        payment.status = .cancelled
        guard case .perform(.resolveFinding) = try step(.findFree(payment, then: nil), .freeFound(.unknown)) else {
            Issue.record("what was taken back and gave nothing waits for nobody")
            return
        }
    }

    @Test func `a problem of a purchase is noted under the name that the purchase has`() throws {
        let credited = try Purchase.anns()
        var payment = Self.gateway.answer(ModelGateway.twin)
        payment.unreadableDispute = "no time"
        let next = try step(.findPurchase(payment), .purchase(credited))
        guard case .perform(.note(.disputeUnreadable, payment, let purchase, then: .agrees)) = next else {
            Issue.record("\(next)")
            return
        }
        #expect(purchase == credited)
    }

    /// ₩600 of ₩1,000 go back by bank transfer, so the gateway may cancel ₩400.
    @Test func `a review ends a double refund that the amounts disprove, and no other`() throws {
        var credited = try Purchase.anns()
        (credited.refundedAmount, credited.transferred) = (1000, 600)
        var payment = Self.gateway.answer(0)
        (payment.status, payment.cancelledAmount) = (.partiallyCancelled, 400)
        let next = try step(.findPurchase(payment), .purchase(credited))
        guard case .perform(.endFinding(Finding.Kind.refundedTwice, payment, of: credited, then: .agrees)) = next
        else {
            Issue.record("\(next)")
            return
        }
        guard
            case .end(.agrees) = try step(
                .endFinding(.refundedTwice, payment, of: credited, then: .agrees), .stored)
        else {
            Issue.record("the review does not end")
            return
        }
        payment.cancelledAmount = 401
        let more = try step(.findPurchase(payment), .purchase(credited))
        guard case .perform(.listRefunds) = more else {
            Issue.record("\(more)")
            return
        }
    }

    @Test func `a dispute that can be read again is no finding`() throws {
        let credited = try Purchase.anns()
        var payment = Self.gateway.answer(0)
        payment.disputes = [GatewayDispute(isResolved: false, reason: "", openedAt: ModelBooks.now)]
        let act = RecordDispute(
            user: credited.user, payment: credited.payment,
            dispute: ReportedDispute(openedAt: ModelBooks.now, reason: "", isResolved: false), freezes: false)
        let recorded = DisputeRecorded(
            dispute: Dispute(
                id: 1, purchaseID: credited.id, user: credited.user, gatewayID: nil, openedAt: ModelBooks.now,
                reason: "", recordedAt: ModelBooks.now),
            balance: Balance(user: credited.user) { _ in 0 })
        let next = try step(
            .recordDispute(act, rest: [], payment, credited, then: .agrees),
            .disputeRecorded(.done(recorded)))
        guard case .perform(.endFinding(Finding.Kind.disputeUnreadable, payment, of: credited, then: .disputed)) = next
        else {
            Issue.record("\(next)")
            return
        }
    }
}
