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

    @Test func `what Google Play refuses is asked again until it has taken the purchase back`() async throws {
        let token = try PurchaseToken("abcdefgh.AO-J1Oz")
        let payment = PaymentIdentity(Receipt.googlePlay(token))
        func outcome(_ error: GatewayError) async throws -> WorkOutcome<StoreDelivery.Decision> {
            try await StoreDeliveryWorker(gateways: Gateways([AnsweringPlay(error: error)]))
                .work(on: StoreDelivery(id: 1, payment: payment, attempts: 1000, reason: "refused", inARow: 1000))
        }
        for code in [GatewayError.Code.refused, .notFoundYet] {
            guard case .postponed = try await outcome(GatewayError(code, httpStatus: 400, message: "")) else {
                Issue.record("it was given up")
                return
            }
        }
        let over = GatewayError(.refused, isDefinite: true, message: "")
        guard case .decided(.abandoned, _) = try await outcome(over) else {
            Issue.record("it was not given up")
            return
        }
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
