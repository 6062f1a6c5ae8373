import OutboundHTTP
import TestSupport
import Testing

extension Service {
    /// Orders a product as a user.
    func order(
        _ product: String, at version: Version? = nil, by user: String = "ann", key: String? = nil
    ) async throws -> Answer {
        let gateway = version.map { #", "gateway": "\#($0.gateway)""# } ?? ""
        return try await order(body: #"{"product": "\#(product)"\#(gateway)}"#, by: user, key: key)
    }

    /// Orders with a body that need not be one.
    func order(body: String, by user: String = "ann", key: String? = nil) async throws -> Answer {
        let named = key.map { [("Idempotency-Key", $0)] } ?? []
        return try await send(
            .post, "/v1/orders", as: Token.user(user), headers: [("Content-Type", "application/json")] + named,
            body: body)
    }

    /// Presents a payment's receipt through one of the APIs.
    func present(_ payment: Payment, at version: Version, by user: String = "ann") async throws -> Answer {
        switch version {
        case .v1: try await present(payment, by: user)
        case .v2: try await present(paymentID: payment.merchantUID, by: user)
        }
    }

    /// The payment, whose receipt its user has presented with success.
    func credited(
        _ payment: Payment, at version: Version = .v1, by user: String = "ann",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Payment {
        let answer = try await present(payment, at: version, by: user)
        #expect(answer.status == 201, "\(answer)", sourceLocation: sourceLocation)
        return payment
    }
}

extension Gateway {
    /// Pays an order.
    @discardableResult
    func pay(_ order: String, _ amount: Int, _ version: Version, _ members: String = "") async throws -> Payment {
        try await pay(
            "\(amount)", #", "version": "\#(version.rawValue)""# + members,
            as: Payment(impUID: Payment.unmade().impUID, merchantUID: order))
    }

    /// Opens the payment window of an order, if the gateway lets it.
    func attempt(_ order: String, _ amount: Int, _ version: Version) async throws -> Answer {
        let body = #"{"merchant_uid": "\#(order)", "amount": \#(amount), "version": "\#(version.rawValue)"}"#
        return Answer(
            try await transport.send(
                HTTPRequest(
                    .post, HTTPURL(url + "/sandbox/payments"), headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8), totalTimeout: Patience.hang)))
    }
}

extension Books {
    var orders: Int64 { get async throws { try await count(#"SELECT count(*) FROM "order""#) } }

    /// Makes an order as old as one that expired so long ago.
    func age(_ name: String, expiredSince age: String) async throws {
        try await execute(
            """
            UPDATE "order"
            SET created_at = now() - interval '\(age)' - interval '1 hour', expires_at = now() - interval '\(age)'
            WHERE merchant_uid = '\(name)'
            """)
    }
}

extension House {
    /// Lends a house whose service takes payments of both APIs, and gets no webhooks.
    static func openBoth(
        _ settings: [String: String] = [:], _ body: (House, Gateway, Service) async throws -> Void
    ) async throws {
        try await with { house in
            let gateway = try await house.startGateway()
            let v2 = Hooks.v2Settings(at: gateway, secret: nil)
            let service = try await house.serve(at: gateway, v2.merging(settings) { $1 })
            try await body(house, gateway, service)
        }
    }
}
