import Foundation
import PGVerifier
import Testing

@testable import Ledger
@testable import ledgerd

/// What a review notes.
@Suite(.timeLimit(.minutes(20))) struct ReviewSagaTests {
    private static let gateway = ModelGateway(
        payments: [.init(status: .paid, paidAt: ModelBooks.now - 60)], isInBoth: true)

    private func step(_ effect: ReviewSaga.Effect, _ event: ReviewSaga.Event) throws -> ReviewSaga.Step {
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
}
