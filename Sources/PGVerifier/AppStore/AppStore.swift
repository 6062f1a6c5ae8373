import FoundationEssentials
package import OutboundHTTP
import Timing
import WireFormats

/// Apple's App Store: in-app purchases of an app.
///
/// The store has no orders, cancels nothing for the shop, and lists no payments: it tells what it did by notifications
/// (``notifications(in:of:_:)``).
package struct AppStore: SignsReceipts, FinishesPurchases, ListsNotifications, TakesRefundsBack, FindsMailedOrders {
    /// The name of the gateway in payment records.
    package static let name = "app-store"

    /// The store writes a price in thousandths of the unit, in every currency (App Store Server API, `price`).
    static let amounts = AmountFormat(.part(decimals: 3))

    /// Verifies what clients and notifications bring.
    package let verifier: AppStoreVerifier

    package let finishes: Bool

    let client: AppStoreClient
    private let lookups: SharedLookups

    /// Creates a client; it sends nothing before the first request.
    ///
    /// Use one per process: all callers share its limits.
    package init(
        configuration: AppStoreConfiguration, transport: any HTTPTransport, timing: GatewayTiming = GatewayTiming()
    ) {
        let client = AppStoreClient(configuration: configuration, transport: transport, timing: timing)
        self.client = client
        verifier = client.verifier
        finishes = configuration.finishes
        lookups = SharedLookups(configuration.limits, time: timing.time) { await client.look(up: $0) }
    }

    /// Looks the transaction up, as the store has it now (`GET /inApps/v1/transactions/{id}`).
    ///
    /// Production is asked first, then the sandbox: who was shown something signed compares the environments. Simultaneous
    /// requests for the same transaction share one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only if every accepted environment says that it has no such transaction.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.transactionID
        return try await lookups.payment(for: receipt)
    }

    package func presentPayment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await client.look(up: receipt).get()
    }

    package func receipt(signed data: String) async throws(SignedDataError) -> SignedReceipt {
        let transaction = try await verifier.transaction(data)
        return SignedReceipt(receipt: transaction.receipt, isTest: transaction.environment != .production)
    }

    /// The transaction as the store has it now, with all that it tells.
    ///
    /// - Parameter environment: nil if unknown: then production is asked first.
    /// - Throws: as ``payment(for:)``.
    package func transaction(
        _ id: TransactionID, in environment: AppStoreEnvironment? = nil
    ) async throws(GatewayError) -> AppStoreTransaction {
        try await client.transaction(id, in: environment)
    }
}

/// The App Store Server API of all accepted environments, and the check of what it answers.
struct AppStoreClient: Sendable {
    let verifier: AppStoreVerifier
    let time: Time
    private let hosts: [AppStoreHost]

    init(configuration: AppStoreConfiguration, transport: any HTTPTransport, timing: GatewayTiming) {
        verifier = AppStoreVerifier(configuration: configuration, transport: transport, time: timing.time)
        time = timing.time
        hosts = AppStoreEnvironment.allCases.compactMap {
            AppStoreHost($0, configuration, transport: transport, timing: timing)
        }
    }

    /// The accepted environments.
    var environments: [AppStoreEnvironment] { hosts.map(\.environment) }

    /// - Throws: ``GatewayError/Code/invalidRequest`` if the environment is not accepted.
    func host(_ environment: AppStoreEnvironment) throws(GatewayError) -> AppStoreHost {
        guard let host = hosts.first(where: { $0.environment == environment }) else {
            throw GatewayError(.invalidRequest, message: "the environment is not accepted")
        }
        return host
    }

    func look(up receipt: Receipt) async -> SharedLookups.Outcome {
        do throws(GatewayError) {
            return .success(try await transaction(try receipt.transactionID, in: nil).payment())
        } catch {
            return .failure(error)
        }
    }

    func transaction(
        _ id: TransactionID, in environment: AppStoreEnvironment?
    ) async throws(GatewayError) -> AppStoreTransaction {
        if let environment { return try await transaction(id, at: try host(environment)) }
        var missing = GatewayError(.invalidRequest, message: "no environment is accepted")
        for host in hosts {
            do throws(GatewayError) {
                return try await transaction(id, at: host)
            } catch {
                // Production refuses our keys also when the app was never released, as when App Review looks at it: a 401
                // leads on to the sandbox. It is not the word that there is no such transaction.
                guard error.isNoSuchThing || error.code == .unauthorized else { throw error }
                if missing.code != .unauthorized { missing = error }
            }
        }
        throw missing
    }

    private func transaction(
        _ id: TransactionID, at host: AppStoreHost
    ) async throws(GatewayError) -> AppStoreTransaction {
        let answer = try await host.ask(.payment, GatewayCall(path: ["inApps", "v1", "transactions", id.text]))
        let transaction = try await transaction(answer["signedTransactionInfo"], from: host)
        guard transaction.id == id else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response is about another transaction")
        }
        return transaction
    }

    /// A signed transaction in a host's answer.
    func transaction(_ signed: JSON?, from host: AppStoreHost) async throws(GatewayError) -> AppStoreTransaction {
        guard let token = signed?.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response has no signed transaction")
        }
        let transaction: AppStoreTransaction
        do throws(SignedDataError) {
            transaction = try await verifier.transaction(token, from: .store)
        } catch {
            throw GatewayError(error)
        }
        guard transaction.environment == host.environment else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response is of another environment")
        }
        return transaction
    }

    /// A signed notification in a host's answer.
    func notification(_ signed: JSON?, from host: AppStoreHost) async throws(GatewayError) -> AppStoreNotification {
        guard let token = signed?.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response has no signed notification")
        }
        do throws(SignedDataError) {
            return try await verifier.notification(token, from: .store)
        } catch {
            throw GatewayError(error)
        }
    }
}
