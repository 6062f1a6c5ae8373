import Foundation
import PGVerifier
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// The answer to a user whose payment's order is credited.
@Suite(.timeLimit(.minutes(20))) struct SecondPaymentTests {
    /// Two payments of one order; the first is in both APIs.
    private static let gateway = ModelGateway(
        payments: [60, 0].map { .init(status: .paid, paidAt: ModelBooks.now - $0) }, isInBoth: true)

    private static let objections: [ReceiptSaga.Objection] = [
        .refuse(.payment(.orderAlreadyCredited)), .refuse(.merchantUIDAlreadyCredited(by: nil)),
    ]

    /// The step after the books have shown Ann's purchase, which the first payment credited.
    private func step(
        _ name: Int, by user: UserID, else objection: ReceiptSaga.Objection
    ) throws -> (step: ReceiptSaga.Step, purchase: Purchase) {
        let purchase = try Purchase.anns()
        let effect = ReceiptSaga.Effect.findCredited(Self.gateway.answer(name), else: objection)
        return (try saga(name, by: user).step(after: effect, .purchase(purchase), at: ModelBooks.now), purchase)
    }

    private func saga(_ name: Int, by user: UserID) -> ReceiptSaga {
        ReceiptSaga(
            receipt: sure(PaymentIdentity.model(name).receipt), user: user,
            rules: ReceiptRules(policy: VerdictPolicy(), requireOrders: false))
    }

    @Test(arguments: objections, [UserID.ann, .bob])
    func `another payment is refused, and only the buyer learns which one credited the order`(
        _ objection: ReceiptSaga.Objection, _ user: UserID
    ) throws {
        let (step, purchase) = try step(1, by: user, else: objection)
        guard case .perform(.note(.merchantUIDAlreadyCredited, _, then: .refuse(let refusal))) = step else {
            Issue.record("\(step)")
            return
        }
        let problem = Problem(refusal)
        let isOrders = objection == .refuse(.payment(.orderAlreadyCredited))
        #expect(problem.code == (isOrders ? .orderAlreadyCredited : .merchantUIDAlreadyCredited))
        let members = Dictionary(uniqueKeysWithValues: problem.members.map { ($0.name, $0.value) })
        guard user == purchase.user else {
            #expect(members.isEmpty && problem.detail == nil)
            return
        }
        #expect(
            members == [
                "credited_gateway": .string("portone-v1"), "credited_imp_uid": .string("imp_0"),
                "credited_at": .string("2026-01-01T00:00:00.000Z"),
            ])
        #expect(problem.detail?.contains("imp_0") == true)
    }

    @Test(
        arguments: objections + [.wait(.cancellationPending), .refuse(.payment(.paymentCancelled)), .claimedBySeveral])
    func `the same payment under another name has the purchase`(_ objection: ReceiptSaga.Objection) throws {
        let (owners, purchase) = try step(ModelGateway.twin, by: .ann, else: objection)
        guard case .perform(.keepName(_, purchase)) = owners,
            case .perform(.readBalance(purchase)) = try saga(ModelGateway.twin, by: .ann)
                .step(
                    after: .keepName(Self.gateway.answer(ModelGateway.twin), purchase), .stored,
                    at: ModelBooks.now)
        else {
            Issue.record("\(owners)")
            return
        }
        let (others, _) = try step(ModelGateway.twin, by: .bob, else: objection)
        guard case .end(.refused(.payment(.receiptBelongsToAnotherUser))) = others else {
            Issue.record("\(others)")
            return
        }
    }

    /// Other receipts need no further query.
    @Test func `the books are asked once about a payment that is credited now`() throws {
        let product = Product(
            code: "coins_100", title: "100 coins", price: .thousandWon, coins: .hundred, bonusCoins: nil,
            activeFrom: ModelBooks.now - 86400, activeUntil: nil)
        let payment = Self.gateway.answer(0)
        let saga = saga(0, by: .ann)
        let judged = try saga.step(after: .findSales(payment), .sales(.products([product]), []), at: ModelBooks.now)
        guard case .perform(.credit) = judged else {
            Issue.record("\(judged)")
            return
        }
    }
}
