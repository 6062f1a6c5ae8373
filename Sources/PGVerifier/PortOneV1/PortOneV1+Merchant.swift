import WireFormats

extension PortOneV1: MerchantGateway {
    /// Registers the amount of an order (`POST /payments/prepare`).
    ///
    /// What a second registration does isn't published: when one is refused, what is registered decides.
    ///
    /// - Throws: ``GatewayError``; definite when another amount is registered.
    package func register(_ order: OrderAmount) async throws(GatewayError) {
        do throws(GatewayError) {
            try await prepare(.post, order)
        } catch {
            guard error.code == .refused else { throw error }
            if try await registered(order.merchantUID, currency: order.currency) == order { return }
            throw error.definite
        }
    }

    /// Changes the amount of an order that was registered before (`PUT /payments/prepare`).
    ///
    /// - Throws: ``GatewayError``; definitely ``GatewayError/Code/notFound`` when none was.
    package func change(_ order: OrderAmount) async throws(GatewayError) {
        try await prepare(.put, order)
    }

    /// The amount that is registered for an order (`GET /payments/prepare/{merchant_uid}`); nil when none is.
    ///
    /// `currency` is what it is in when the gateway doesn't say.
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
            "amount": .number(MinorUnits.decimal(order.amount, currency: order.currency)),
        ])
        let call = GatewayCall(method: method, path: ["payments", "prepare"], body: body)
        let answer = try await client.ask("register", call)
        guard try Self.order(answer.response, currency: order.currency) == order else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "another amount than asked was registered")
        }
    }

    private static func order(_ json: JSON, currency: String) throws(GatewayError) -> OrderAmount {
        let currency = json["currency"]?.text.flatMap(MinorUnits.currency) ?? currency
        guard let text = json["merchant_uid"]?.text, let merchantUID = try? MerchantUID(text),
            case .number(let number) = json["amount"], let amount = MinorUnits.parse(number, currency: currency)
        else { throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the registered amount can't be used") }
        return OrderAmount(merchantUID: merchantUID, amount: amount, currency: currency)
    }
}

extension PortOneV1 {
    /// The attempt to pay an order that was begun last, of a status if given (`GET /payments/find/{merchant_uid}`);
    /// nil when there is none.
    ///
    /// "Was this order paid?" needs the status: the last attempt may be one that failed. Test payments are shown.
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

    /// Every attempt to pay an order (`GET /payments/findAll/{merchant_uid}`), test payments included.
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
        .malformedAnswer, httpStatus: 200, message: "the answer is about another order")
}

extension GatewayError {
    /// Whether the gateway said that what was asked for isn't there.
    var isNoSuchThing: Bool { code == .notFound && isDefinite }

    /// The same, known to be the gateway's own word.
    var definite: GatewayError {
        GatewayError(
            code, isDefinite: true, httpStatus: httpStatus, gatewayCode: gatewayCode, gatewayType: gatewayType,
            message: message, retryAfter: retryAfter)
    }
}
