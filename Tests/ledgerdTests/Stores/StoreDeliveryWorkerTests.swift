import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// What becomes of telling a store, after the store's answer.
@Suite(.timeLimit(.minutes(20))) struct StoreDeliveryWorkerTests {
    @Test func `what the store refuses is given up after many attempts, and an outage is waited for`() async throws {
        let refused = GatewayError(.refused, httpStatus: 400, gatewayCode: 4_000_000, message: "")
        #expect(try await outcome(of: refused, attempts: 19) == nil)
        #expect(try await outcome(of: refused, attempts: 20) == .abandoned)
        let unknown = GatewayError(.notFound, isDefinite: true, httpStatus: 404, message: "")
        #expect(try await outcome(of: unknown, attempts: 1) == .abandoned)
        let outage = GatewayError(.serverError, httpStatus: 503, message: "")
        #expect(try await outcome(of: outage, attempts: 1000) == nil)
        #expect(try await outcome(of: nil, attempts: 1) == .finished)
    }

    @Test func `what Google Play refuses is asked again until it has taken the purchase back`() async throws {
        let token = try PurchaseToken("abcdefgh.AO-J1Oz")
        let payment = PaymentIdentity(Receipt.googlePlay(token))
        func outcome(_ error: GatewayError) async throws -> WorkOutcome<StoreDelivery.Decision> {
            try await StoreDeliveryWorker(gateways: Gateways([AnsweringPlay(error: error)]))
                .work(on: StoreDelivery(id: 1, payment: payment, attempts: 1000))
        }
        guard case .postponed = try await outcome(GatewayError(.refused, httpStatus: 400, message: "")) else {
            Issue.record("it was given up")
            return
        }
        let over = GatewayError(.refused, isDefinite: true, message: "")
        guard case .decided(.abandoned, _) = try await outcome(over) else {
            Issue.record("it was not given up")
            return
        }
    }

    /// Nil: it is postponed.
    private func outcome(of error: GatewayError?, attempts: Int64) async throws -> StoreDelivery.Decision? {
        let payment = PaymentIdentity(
            gateway: AppStore.name, paymentID: "2000000123456789", merchantUID: "app-store:2000000123456789")
        let worker = StoreDeliveryWorker(gateways: Gateways([AnsweringStore(error: error)]))
        let outcome = try await worker.work(on: StoreDelivery(id: 1, payment: payment, attempts: attempts))
        guard case .decided(let decision, _) = outcome else { return nil }
        return decision
    }
}

/// A store that gives each purchase the same answer.
private struct AnsweringStore: FinishesPurchases {
    static let name = AppStore.name
    let finishes = true
    /// Nil: success.
    let error: GatewayError?

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try AppStore.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw error ?? GatewayError(.notFound, message: "")
    }

    func finish(_ receipt: Receipt) async throws(GatewayError) {
        if let error { throw error }
    }
}

/// A Google Play that gives each purchase the same answer.
private struct AnsweringPlay: FinishesPurchases {
    static let name = GooglePlay.name
    let finishes = true
    let error: GatewayError

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try GooglePlay.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment { throw error }
    func finish(_ receipt: Receipt) async throws(GatewayError) { throw error }
}
