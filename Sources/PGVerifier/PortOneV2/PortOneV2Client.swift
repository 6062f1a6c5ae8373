/// Speaks V2's HTTP: the secret, the store, the idempotency key, the errors.
struct PortOneV2Client: Sendable {
    let configuration: PortOneV2Configuration
    let calls: GatewayCalls

    init(configuration: PortOneV2Configuration, transport: any HTTPTransport, timing: GatewayTiming) {
        self.configuration = configuration
        calls = GatewayCalls(
            gateway: PortOneV2.name, limits: configuration.limits, transport: transport, timing: timing)
    }

    /// Asks a question that is safe to repeat.
    ///
    /// - Throws: ``GatewayError``, at the latest when the configured time is over.
    func ask<Answer: Sendable>(
        _ operation: String, within limit: Duration? = nil,
        _ attempt: @escaping @Sendable (PortOneV2Client, Attempt) async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let limit = limit ?? configuration.limits.totalTimeout
        return try await calls.ask(operation, within: limit) { current throws(GatewayError) in
            try await attempt(self, current)
        }
    }

    /// Calls once.
    func answer(to call: PortOneV2Call, _ attempt: Attempt) async throws(GatewayError) -> JSON {
        let limits = configuration.limits
        var headers: [HTTPRequest.Field] = [
            ("Authorization", "PortOne " + configuration.secret.text), ("Accept", "application/json"),
        ]
        if call.body != nil { headers.append(("Content-Type", "application/json")) }
        // A structured field: a string in double quotes, which our keys can't contain (RFC 8941, 3.3.3).
        if let key = call.idempotencyKey { headers.append(("Idempotency-Key", "\"" + key + "\"")) }
        let request = HTTPRequest(
            call.method, configuration.url.appending(call.path, query: call.query), headers: headers,
            body: Array((call.body?.written ?? "").utf8), connectTimeout: limits.connectTimeout,
            totalTimeout: call.timeout ?? limits.attemptTimeout,
            maxResponseBytes: call.answersMany ? limits.maxListBytes : limits.maxResponseBytes,
            needsFreshConnection: call.isUnrepeatable)
        return try await calls.exchange(request, attempt) { response throws(GatewayError) in
            try response.portOneV2Answer()
        }
    }

    /// `GET /payments/{paymentId}`.
    func payment(_ paymentID: PaymentID, _ attempt: Attempt) async throws(GatewayError) -> GatewayPayment {
        let call = PortOneV2Call(
            path: ["payments", paymentID.text], query: [(name: "storeId", value: configuration.storeID)])
        let payment = try PortOneV2Payment.read(try await answer(to: call, attempt), storeID: configuration.storeID)
        guard payment.paymentID == paymentID.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the answer is about another payment")
        }
        return payment
    }
}

/// One call of V2's REST API.
struct PortOneV2Call: Sendable {
    var method = HTTPRequest.Method.get
    var path: [String]
    var query: [HTTPURL.Parameter] = []
    var body: JSON?
    var idempotencyKey: String?
    /// How long one attempt may take, if longer than usual.
    var timeout: Duration?
    var answersMany = false
    /// Whether nobody but the caller may repeat it.
    var isUnrepeatable = false
}
