import Foundation
import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// Where the tax-free part of a refund comes from, and when it is asked for.
@Suite(.timeLimit(.minutes(20))) struct TaxFreePartTests {
    @Test(
        arguments: [
            ("portone-v2", 0, nil, TaxFreePart.known(nil)), ("portone-v2", 1000, nil, .known(400)),
            ("portone-v2", 300, nil, .atGateway), ("portone-v2", nil, nil, .atGateway),
            ("portone-v1", nil, nil, .atGateway),
            // A part that was sent once stays, whatever is known later.
            ("portone-v2", 1000, 7, .known(7)), ("portone-v2", nil, 7, .known(7)), ("portone-v1", nil, 0, .known(0)),
        ] as [(String, Int64?, Int64?, TaxFreePart)])
    func `the payment's own part decides, and the gateway is asked when shares depend on what others cancelled`(
        gateway: String, taxFree: Int64?, stored: Int64?, part: TaxFreePart
    ) {
        #expect(TaxFreePart(of: Self.refund(stored), Self.purchase(gateway, taxFree), isTold: true) == part)
    }

    @Test(arguments: [(99, TaxFreePart.known(33)), (0, .known(nil)), (1000, .atGateway)] as [(Int64, TaxFreePart)])
    func `the part of a payment in dollars is in cents`(taxFree: Int64, part: TaxFreePart) throws {
        let dollar = try ForeignCurrency("USD")
        var refund = Self.refund(nil)
        refund.foreign = ForeignRefund(amount: 33, fee: 0, currency: dollar, balance: 99)
        var purchase = Self.purchase("portone-v2", taxFree)
        (purchase.foreignAmount, purchase.foreignCurrency) = (99, dollar)
        #expect(TaxFreePart(of: refund, purchase, isTold: true) == part)
    }

    @Test func `without V2 the part of a payment of V1 is unknown`() {
        let part = TaxFreePart(of: Self.refund(nil), Self.purchase("portone-v1", nil), isTold: false)
        #expect(part == .known(nil))
    }

    @Test func `the part is asked for before the first request, stored with it, and sent`() throws {
        let saga = Self.saga(askedAt: nil, .atGateway)
        #expect(saga.first == .findTaxFree)
        #expect(try saga.next(.findTaxFree, .taxFree(120)) == .beginAsking(taxFree: 120))
        #expect(try saga.next(.findTaxFree, .taxFree(nil)) == .beginAsking(taxFree: nil))
        let asking = PendingRefund.Asking(at: .distantPast, taxFree: 120)
        #expect(try saga.next(.beginAsking(taxFree: 120), .asking(asking)) == .cancel(asking))
        // The gateway was not asked to cancel, so nothing is withdrawn.
        #expect(try saga.next(.findTaxFree, .gatewayFailed(mayHaveBeenCarriedOut: true)) == nil)
    }

    @Test func `who has asked before asks for no new part`() throws {
        let saga = Self.saga(askedAt: .distantPast, .atGateway)
        #expect(saga.first == .lookUp)
        #expect(try saga.next(.lookUp, .outcome(nil)) == .beginAsking(taxFree: nil))
        #expect(Self.saga(askedAt: nil, .known(400)).first == .beginAsking(taxFree: 400))
    }

    private static func saga(askedAt: Date?, _ taxFree: TaxFreePart) -> RefundSaga {
        RefundSaga(
            pending: PendingRefund(
                refund: refund(nil), account: nil, attempts: 0, reason: "begun", askedAt: askedAt,
                mayBeUnderWay: false),
            cancelsOncePerKey: true, taxFree: taxFree)
    }

    private static func refund(_ taxFree: Int64?) -> Refund {
        var refund = Refund(
            id: 3, purchaseID: 1, user: .ann, status: .pending, coins: 40, bonusCoins: 0, charged: 0, value: 400,
            fee: 0, currency: .won, explanation: "r", believedBalance: 1000, requestedAt: ModelBooks.now,
            journalEntryID: 4, feeRule: nil, feeWaiver: nil, feeVAT: nil, expired: nil)
        refund.taxFree = taxFree
        return refund
    }

    private static func purchase(_ gateway: String, _ taxFree: Int64?) -> Purchase {
        Purchase(
            id: 1, status: .credited, user: .ann,
            payment: PaymentIdentity(gateway: gateway, paymentID: "imp_1", merchantUID: "order-1"),
            product: "coins_100",
            amount: 1000, currency: .won, coins: 100, bonusCoins: 0, refundedAmount: 0, paidAt: ModelBooks.now,
            creditedAt: ModelBooks.now, journalEntryID: 2, taxFree: taxFree)
    }
}

extension RefundSaga {
    /// The effect after an event; nil: the attempt ends.
    fileprivate func next(_ effect: Effect, _ event: Event) throws -> Effect? {
        guard case .perform(let next) = try step(after: effect, event, at: ModelBooks.now) else { return nil }
        return next
    }
}
