import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// What becomes of telling a store, after the store's answer.
@Suite(.timeLimit(.minutes(20))) struct StoreDeliveryWorkerTests {
    @Test func `what the store refuses is given up after many refusals in a row, and an outage is waited for`()
        async throws
    {
        let refused = GatewayError(.refused, httpStatus: 400, gatewayCode: 4_000_000, message: "")
        #expect(try await outcome(of: refused, after: 18, of: "refused") == nil)
        #expect(try await outcome(of: refused, after: 19, of: "refused") == .abandoned)
        #expect(try await outcome(of: refused, after: 1000, of: "server_error") == nil, "the first refusal")
        let unknown = GatewayError(.notFound, isDefinite: true, httpStatus: 404, message: "")
        #expect(try await outcome(of: unknown, after: 0, of: "credited") == .abandoned)
        let outage = GatewayError(.serverError, httpStatus: 503, message: "")
        #expect(try await outcome(of: outage, after: 1000, of: "server_error") == nil)
        #expect(try await outcome(of: nil, after: 0, of: "credited") == .finished)
    }

    /// Nil: it is postponed.
    ///
    /// - Parameter times: how often in a row it was postponed for the reason, after a thousand other attempts.
    private func outcome(
        of error: GatewayError?, after times: Int64, of reason: String
    ) async throws -> StoreDelivery.Decision? {
        let payment = PaymentIdentity(
            gateway: AppStore.name, paymentID: "2000000123456789", merchantUID: "app-store:2000000123456789")
        let worker = StoreDeliveryWorker(gateways: Gateways([AnsweringStore(error: error)]))
        let delivery = StoreDelivery(
            id: 1, payment: payment, attempts: times + 1000, reason: reason, inARow: times)
        let outcome = try await worker.work(on: delivery)
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
