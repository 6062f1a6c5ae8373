import FoundationEssentials
package import Logging
package import OutboundHTTP
import WireFormats

/// Google Play: in-app purchases of an app, by the Play Developer API.
///
/// The key is the purchase token. The store has no orders of the shop's, and lists no payments: it tells what it did by
/// notifications (``push``), by voided purchases (``voidedPurchases(in:)``), and by the orders (``orders(_:)``).
package struct GooglePlay: PaymentGateway {
    /// The name of the gateway in payment records.
    package static let name = "google-play"

    /// Google writes units and billionths of the unit, in every currency (Play Developer API, `Money`).
    static let amounts = AmountFormat(.part(decimals: 9))

    /// Verifies notifications; nil: none are configured.
    package let push: GooglePlayPushVerifier?

    let client: GooglePlayClient
    private let lookups: SharedLookups

    /// Creates a client; it sends nothing before the first request.
    ///
    /// Use one per process: all callers share its token and limits.
    package init(
        configuration: GooglePlayConfiguration, transport: any HTTPTransport,
        logger: Logger = Logger(label: "google-play"), timing: GatewayTiming = GatewayTiming()
    ) {
        let client = GooglePlayClient(
            configuration: configuration, transport: transport, logger: logger, timing: timing)
        self.client = client
        push = GooglePlayPushVerifier(configuration, transport: transport, time: timing.time)
        lookups = SharedLookups(configuration.limits, time: timing.time) { await client.look(up: $0) }
    }

    /// Looks the purchase up by its token, with the order if it is paid.
    ///
    /// Simultaneous requests for the same purchase share one look-up.
    ///
    /// - Throws: ``GatewayError``; definite only if Google says that it does not know the token.
    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.purchaseToken
        return try await lookups.payment(for: receipt)
    }
}

extension GooglePlayClient {
    func look(up receipt: Receipt, wasKnown: Bool = false) async -> SharedLookups.Outcome {
        do throws(GatewayError) {
            let token = try receipt.purchaseToken
            return .success(
                try await ask(.payment) { attempt throws(GatewayError) in
                    try await payment(token, wasKnown: wasKnown, attempt)
                })
        } catch {
            return .failure(error)
        }
    }

    /// A purchase with its order as a payment.
    ///
    /// - Parameter wasKnown: whether Google has known the token before, whatever it says now.
    func payment(
        _ token: PurchaseToken, wasKnown: Bool, _ attempt: Attempt
    ) async throws(GatewayError) -> GatewayPayment {
        let purchase: GooglePlayPurchase
        do throws(GatewayError) {
            purchase = try await self.purchase(token, attempt)
        } catch {
            // No longer valid: it was.
            guard error.isDefinite, wasKnown || error.httpStatus == 410 else { throw error }
            return try await ofExisting { () throws(GatewayError) in try await takenBack(token, attempt) }
        }
        guard purchase.mayHaveBeenPaid else { return purchase.payment() }
        return try await ofExisting { () throws(GatewayError) in try await paid(purchase, attempt) }
    }

    /// The payment of a purchase that exists, whatever else is not found.
    private func ofExisting(
        _ payment: () async throws(GatewayError) -> GatewayPayment
    ) async throws(GatewayError) -> GatewayPayment {
        do throws(GatewayError) {
            return try await payment()
        } catch {
            throw error.isDefinite ? error.ofExistingPurchase : error
        }
    }

    /// A purchase whose token Google knows no longer, as after a refund: its order is found among those that were taken back.
    ///
    /// - Throws: ``GatewayError/Code/notFoundYet`` if it is not there, which is no word about it: the list can be late, and have
    ///   entries without an order, and ones that can't be read; and while the order shows no refund.
    private func takenBack(_ token: PurchaseToken, _ attempt: Attempt) async throws(GatewayError) -> GatewayPayment {
        guard let id = try await orderOfVoided(token) else {
            var error = GatewayError(
                .notFoundYet, message: "the token is not known any more, and no refund of it is listed")
            error.isOfForgottenPayment = true
            throw error
        }
        let payment = try await order(id, of: token, attempt).payment()
        guard payment.status == .cancelled || payment.cancelledAmount > 0 else {
            throw GatewayError(.notFoundYet, httpStatus: 200, message: "the order shows no refund yet")
        }
        return payment
    }

    private func paid(_ purchase: GooglePlayPurchase, _ attempt: Attempt) async throws(GatewayError) -> GatewayPayment {
        guard let id = purchase.orderID else {
            // Nobody pays for a test.
            if !purchase.isTest { try await checkIsFree(purchase, attempt) }
            return purchase.payment()
        }
        let order = try await order(id, of: purchase.token, attempt)
        // It was given up before it was paid.
        guard purchase.wasPaid || order.wasPaid else { return purchase.payment() }
        return try order.payment(of: purchase)
    }

    private func order(
        _ id: GooglePlayOrderID, of token: PurchaseToken, _ attempt: Attempt
    ) async throws(GatewayError) -> GooglePlayOrder {
        let order = try await order(id, attempt)
        guard order.token == token else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the order is of another purchase")
        }
        return order
    }

    /// `GET …/purchases/productsv2/tokens/{token}`.
    func purchase(_ token: PurchaseToken, _ attempt: Attempt) async throws(GatewayError) -> GooglePlayPurchase {
        let asked = calls.timing.time.now
        let answer = try await answer(
            to: GatewayCall(path: ["purchases", "productsv2", "tokens", token.text]), of: .payment, attempt)
        return try GooglePlayPurchase(
            PlayMembers(answer), token: token, app: configuration.packageName, toldAt: asked)
    }

    /// `GET …/orders/{orderId}`.
    func order(_ id: GooglePlayOrderID, _ attempt: Attempt) async throws(GatewayError) -> GooglePlayOrder {
        let asked = calls.timing.time.now
        let answer = try await answer(to: GatewayCall(path: ["orders", id.text]), of: .order, attempt)
        let order = try GooglePlayOrder(PlayMembers(answer), app: configuration.packageName, toldAt: asked)
        guard order.id == id else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response is about another order")
        }
        return order
    }

    /// Checks that a purchase without an order costs nothing (`GET …/purchases/products/{productId}/tokens/{token}`): the order
    /// of a paid one comes later.
    ///
    /// - Throws: ``GatewayError/Code/notFoundYet`` if it is not said to be a promotion or a reward.
    private func checkIsFree(_ purchase: GooglePlayPurchase, _ attempt: Attempt) async throws(GatewayError) {
        let path = ["purchases", "products", purchase.items[0].productID, "tokens", purchase.token.text]
        let answer = try await answer(to: GatewayCall(path: path), of: .product, attempt)
        // 0: a test, 1: a promotion, 2: a reward; absent: the usual way.
        guard let type = try PlayMembers(answer).integer("purchaseType", in: 0...Int64.max), type == 1 || type == 2
        else {
            throw GatewayError(.notFoundYet, httpStatus: 200, message: "the purchase has no order yet")
        }
    }
}
