import Currencies
import OutboundHTTP
import WireFormats

extension PortOneV1: RegistersOrders {
    /// Registers the amount of an order (`POST /payments/prepare`).
    ///
    /// PortOne does not document a second registration: if one is refused, the registered amount decides.
    ///
    /// - Throws: ``GatewayError``; definite if another amount is registered.
    package func register(_ order: OrderAmount) async throws(GatewayError) {
        do throws(GatewayError) {
            try await prepare(.post, order)
        } catch {
            guard error.code == .refused else { throw error }
            if try await registered(order.merchantUID, currency: order.currency) == order { return }
            throw error.definite
        }
    }

    /// Changes the registered amount of an order (`PUT /payments/prepare`).
    ///
    /// - Throws: ``GatewayError``; ``GatewayError/Code/notFound`` (definite) if none is registered.
    package func change(_ order: OrderAmount) async throws(GatewayError) {
        try await prepare(.put, order)
    }

    /// The registered amount of an order (`GET /payments/prepare/{merchant_uid}`); nil if there is none.
    ///
    /// `currency` is used if the response has no currency.
    ///
    /// - Throws: ``GatewayError``.
    package func registered(
        _ merchantUID: MerchantUID, currency: String
    ) async throws(GatewayError) -> OrderAmount? {
        do throws(GatewayError) {
            let answer = try await client.ask(
                "registered", GatewayCall(path: ["payments", "prepare", try merchantUID.pathSegment()]))
            return try Self.order(answer.response, currency: currency)
        } catch {
            guard error.isNoSuchThing else { throw error }
            return nil
        }
    }

    private func prepare(_ method: HTTPRequest.Method, _ order: OrderAmount) async throws(GatewayError) {
        let body = JSON.object([
            "merchant_uid": .string(order.merchantUID.text), "currency": .string(order.currency),
            "amount": .number(try Self.amounts.text(of: order.amount, inCode: order.currency)),
        ])
        let call = GatewayCall(method: method, path: ["payments", "prepare"], body: body)
        let answer = try await client.ask("register", call)
        guard try Self.order(answer.response, currency: order.currency) == order else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the gateway registered another amount")
        }
    }

    private static func order(_ json: JSON, currency: String) throws(GatewayError) -> OrderAmount {
        let code = json["currency"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? currency
        guard let text = json["merchant_uid"]?.text, let merchantUID = try? MerchantUID(text),
            let currency = Currency(code), case .number(let number) = json["amount"],
            let amount = amounts.read(number, in: currency)
        else { throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the registered amount is unusable") }
        return OrderAmount(merchantUID: merchantUID, amount: amount, currency: currency.code)
    }
}

extension PortOneV1 {
    /// The latest attempt to pay an order, optionally with a status (`GET /payments/find/{merchant_uid}`); nil if there
    /// is none.
    ///
    /// To ask whether an order is paid, give the status: the latest attempt can be a failed one. Includes test
    /// payments.
    ///
    /// - Throws: ``GatewayError``.
    package func payment(
        ofOrder merchantUID: MerchantUID, status: ListedStatus? = nil
    ) async throws(GatewayError) -> GatewayPayment? {
        do throws(GatewayError) {
            let path = ["payments", "find", try merchantUID.pathSegment()] + (status.map { [$0.rawValue] } ?? [])
            let payment = try PortOneV1Payment.read(try await client.ask("find", GatewayCall(path: path)).response)
            guard payment.merchantUID == merchantUID.text else { throw Self.anotherOrder }
            return payment
        } catch {
            guard error.isNoSuchThing else { throw error }
            return nil
        }
    }

    /// Every attempt to pay an order (`GET /payments/findAll/{merchant_uid}`), including test payments.
    ///
    /// - Throws: ``GatewayError``.
    package func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment] {
        var attempts: [GatewayPayment] = []
        for try await payment in walk(["payments", "findAll", try merchantUID.pathSegment()], period: nil) {
            guard payment.merchantUID == merchantUID.text else { throw Self.anotherOrder }
            attempts.append(payment)
        }
        return attempts
    }

    private static let anotherOrder = GatewayError(
        .malformedAnswer, httpStatus: 200, message: "the response is about another order")
}

extension GatewayError {
    /// Whether the gateway said that the item does not exist.
    var isNoSuchThing: Bool { code == .notFound && isDefinite }

    /// The same error as a statement of the gateway.
    var definite: GatewayError {
        GatewayError(
            code, isDefinite: true, httpStatus: httpStatus, gatewayCode: gatewayCode, gatewayType: gatewayType,
            message: message, retryAfter: retryAfter)
    }
}
