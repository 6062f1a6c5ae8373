import Foundation
import Ledger
import LedgerTestSupport
import PGVerifier
import TestSupport
import Testing

@testable import LedgerServer

/// Purchases of which Google Play is still not told after the days in which it waits for that.
@Suite(.timeLimit(.minutes(20))) struct GooglePlayWatchTests {
    private static let week: TimeInterval = 7 * 86_400

    /// A purchase of a week ago in the books, and its order's id.
    private static func buy(in ledger: Ledger) async throws -> (delivery: StoreDelivery, order: String) {
        let receipt = Receipt.googlePlay(try PurchaseToken("abcdefgh.AO-J1Oz"))
        let (name, order) = (PaymentIdentity(receipt), "GPA.3345-1234-5678-90123")
        let payment = PaymentIdentity(
            gateway: name.gateway, paymentID: name.paymentID, merchantUID: name.merchantUID, merchantPaymentID: order)
        _ = try await ledger.submit(CreditPurchase.sample(1, payment: payment, paidAt: Date() - week))
        return (StoreDelivery(id: 1, payment: name, attempts: 1, reason: "credited", inARow: 1), order)
    }

    /// - Parameter error: nil: Google knows that it is delivered.
    private static func worker(_ error: GatewayError.Code?, _ ledger: Ledger) -> StoreDeliveryWorker {
        let error = error.map { GatewayError($0, message: "") }
        return StoreDeliveryWorker(gateways: Gateways([AnsweringPlay(error: error)]), ledger: ledger)
    }

    @Test func `it is a finding with the order's id until Google is told, however late that is`() async throws {
        try await TestLedger.with { ledger, test in
            let (delivery, order) = try await Self.buy(in: ledger)
            let open = """
                SELECT count(*) FROM finding
                WHERE resolved_at IS NULL AND kinds = '{store_purchase_unconsumed}' AND payment_id = '\(order)'
                """
            for _ in 1...2 {
                guard case .postponed = try await Self.worker(.notFoundYet, ledger).work(on: delivery) else {
                    Issue.record("it was given up")
                    return
                }
                #expect(try await test.number(open) == 1)
            }
            _ = try await Self.worker(nil, ledger).work(on: delivery)
            #expect(try await test.number(open) == 0)
        }
    }

    @Test func `what a person has resolved stays resolved, and what a store has given back is no finding`() async throws
    {
        try await TestLedger.with { ledger, test in
            let (delivery, _) = try await Self.buy(in: ledger)
            let open = "SELECT count(*) FROM finding WHERE resolved_at IS NULL"
            _ = try await Self.worker(.serverError, ledger).work(on: delivery)
            #expect(try await test.number(open) == 1)
            try await test.execute("UPDATE finding SET resolved_at = now()")
            _ = try await Self.worker(.serverError, ledger).work(on: delivery)
            #expect(try await test.number(open) == 0)
            try await test.execute("UPDATE finding SET resolved_at = NULL")
            _ = try await ledger.submit(
                ClawBack(user: .named("ann"), payment: delivery.payment, cancelledAmount: 1000))
            // The buyer may still have it at Google, so that it has to be consumed.
            guard case .postponed = try await Self.worker(.serverError, ledger).work(on: delivery) else {
                Issue.record("it was given up")
                return
            }
            #expect(try await test.number(open) == 0)
        }
    }

    @Test func `what is given back whole is not asked for any more, though Google may not know it`() async throws {
        try await TestLedger.with { ledger, test in
            let (delivery, _) = try await Self.buy(in: ledger)
            for (amount, isOver) in [(400, false), (1000, true)] {
                _ = try await ledger.submit(
                    ClawBack(user: .named("ann"), payment: delivery.payment, cancelledAmount: Int64(amount)))
                let outcome = try await Self.worker(.notFoundYet, ledger).work(on: delivery)
                if case .decided(.abandoned, "not_found_yet") = outcome {
                    #expect(isOver)
                } else {
                    #expect(!isOver)
                }
                let open = try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL")
                #expect(open == (isOver ? 0 : 1))
            }
        }
    }
}

/// A Google Play that gives each purchase the same answer.
private struct AnsweringPlay: FinishesPurchases {
    static let name = GooglePlay.name
    let finishes = true
    /// Nil: success.
    let error: GatewayError?

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try GooglePlay.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw error ?? GatewayError(.notFound, message: "")
    }

    func finish(_ receipt: Receipt) async throws(GatewayError) {
        if let error { throw error }
    }
}
