import OutboundHTTP
import TestSupport
import Testing

/// What tests of refunds do to the service, the gateway and the books.
extension Service {
    /// Has a purchase given back.
    func refund(
        _ purchase: Int64, _ members: String = "", key: String = "refund-1", as token: String = Token.refunds()
    ) async throws -> Answer {
        try await post(
            "/v1/purchases/\(purchase)/refunds", #"{"reason": "changed her mind"\#(members)}"#, key: key, as: token)
    }

    func quote(_ purchase: Int64, _ query: String = "") async throws -> Answer {
        try await get("/v1/purchases/\(purchase)/refund-quote\(query)", as: Token.service())
    }

    /// Pays, presents the receipt, and returns the purchase's id.
    func buy(_ payment: Payment, by user: String = "ann") async throws -> Int64 {
        let answer = try await present(payment, by: user)
        return try #require(answer.purchase["id"].integer, "\(answer)")
    }
}

extension Gateway {
    /// What the gateway has cancelled of a payment.
    func cancelled(_ payment: Payment) async throws -> Int64? {
        try await summary(payment)["cancel_amount"].integer
    }

    /// How many cancellations it carried out.
    func cancellations(_ payment: Payment) async throws -> [JSON] {
        try await summary(payment)["cancellations"].elements.filter { $0["status"] == "SUCCEEDED" }
    }

    /// Ends a cancellation that was requested.
    func settle(_ payment: Payment, _ status: String) async throws {
        try await drive(
            .patch, "/sandbox/payments/\(payment.impUID)", #"{"cancellation_status": "\#(status)"}"#)
    }

    private func summary(_ payment: Payment) async throws -> JSON {
        try await drive(.get, "/sandbox/payments/\(payment.impUID)", "").json
    }
}

extension Books {
    /// How refunds stand, in the order in which they were requested.
    var refunds: [String] {
        get async throws { try await texts("SELECT status FROM refund ORDER BY requested_at, id") }
    }

    /// What was refunded of all purchases.
    var refunded: Int64 {
        get async throws { try await count("SELECT coalesce(sum(refunded_amount), 0)::int8 FROM purchase") }
    }

    /// Makes refunds due, whatever backoff or lease said, and requests to the gateway old, so that they may be repeated.
    func makeRefundsDue() async throws {
        try await execute(
            """
            UPDATE refund SET next_attempt_at = now(),
                asked_at = CASE WHEN asked_at > now() - interval '90 s' THEN asked_at - interval '90 s' ELSE asked_at END
            WHERE status = 'pending'
            """)
    }
}

extension House {
    /// Waits until no refund waits.
    func waitUntilDecided() async throws {
        try await eventually("every refund is decided") {
            try await books.makeRefundsDue()
            return try await !books.refunds.contains("pending")
        }
    }

    /// Expects the books to be sound, and to say of the payment what the gateway says.
    func expectAgreement(
        with gateway: Gateway, on payment: Payment, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectSound(sourceLocation: sourceLocation)
        let refunded = try await books.count(
            "SELECT refunded_amount FROM purchase WHERE merchant_uid = $1", [payment.merchantUID])
        #expect(try await gateway.cancelled(payment) == refunded, sourceLocation: sourceLocation)
    }
}
