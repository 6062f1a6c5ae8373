import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport

/// A running service with its gateway, and clients that reach it through a relay.
struct Shop {
    let house: House
    let gateway: Gateway
    let service: Service
    let relay: Relay

    /// Lends one.
    ///
    /// - Parameter isToBeKilled: whether the service is a process, which can be killed in the middle of a request.
    static func open(
        _ settings: [String: String] = [:], killing isToBeKilled: Bool = false, _ body: (Shop) async throws -> Void
    ) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service: Service =
                isToBeKilled
                ? try await house.serveProcess(at: gateway, settings) : try await house.serve(at: gateway, settings)
            try await body(
                Shop(house: house, gateway: gateway, service: service, relay: try Relay(to: service.port)))
        }
    }

    /// The same with a relay of its own, to which nothing was sent: for one of several checks that share a house.
    func anew() throws -> Shop {
        Shop(house: house, gateway: gateway, service: service, relay: try Relay(to: service.port))
    }

    /// A client with this token.
    func client(
        _ token: String, timeout: TimeInterval = 20, retries: RetryPolicy = RetryPolicy(patience: 60)
    ) -> LedgerClient {
        LedgerClient(url: relay.url, timeout: timeout, retries: retries) { _ in token }
    }

    /// A user's app.
    func app(of user: String = "ann", retries: RetryPolicy = RetryPolicy(patience: 60)) -> LedgerClient {
        client(Token.user(user), retries: retries)
    }

    /// Another service.
    func other(retries: RetryPolicy = RetryPolicy(patience: 60)) -> LedgerClient {
        client(Token.service(), retries: retries)
    }

    /// A program of customer support.
    func support() -> LedgerClient { client(Token.support()) }

    /// A program of finance.
    func finance() -> LedgerClient { client(Token.finance()) }

    /// Where a test's app keeps its receipts.
    var receipts: URL { house.directory.appending(path: "receipts.json") }
}

extension Payment {
    /// The receipt of a payment, as the payment window hands it to an app.
    var request: ReceiptRequest { .v1(impUID: impUID, merchantUID: merchantUID) }
}

extension ReceiptOutcome {
    /// The purchase that it is, if it is one.
    var credited: ReceiptBody? {
        if case .credited(let credited) = self { credited } else { nil }
    }

    /// Why it waits, if it does.
    var waiting: WaitingReceiptBody? {
        if case .waiting(let waiting) = self { waiting } else { nil }
    }
}

/// The error that a call ends with; nil if it succeeds or ends with another.
func failure(of call: () async throws -> Any) async -> LedgerClientError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? LedgerClientError
    }
}
