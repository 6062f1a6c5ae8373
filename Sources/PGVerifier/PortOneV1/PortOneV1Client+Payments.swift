extension PortOneV1Client {
    /// `GET /payments/{imp_uid}`.
    ///
    /// This look-up hides test-channel payments unless requested (PortOne V1 contract, lookups).
    ///
    /// - Parameter admission: the slot of the first attempt, if it already has one.
    func payment(_ impUID: ImpUID, _ admission: Admission? = nil) async throws(GatewayError) -> GatewayPayment {
        try Self.read(try await look("payment", paymentCall(impUID), admission), impUID)
    }

    /// `GET /payments/{imp_uid}` as part of another request.
    func payment(_ impUID: ImpUID, _ attempt: Attempt) async throws(GatewayError) -> GatewayPayment {
        try Self.read(try await answer(to: paymentCall(impUID), attempt), impUID)
    }

    static func read(_ answer: PortOneV1Answer, _ impUID: ImpUID) throws(GatewayError) -> GatewayPayment {
        let payment = try PortOneV1Payment.read(answer.response)
        guard payment.paymentID == impUID.text else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response is about another payment")
        }
        return payment
    }

    private func paymentCall(_ impUID: ImpUID) -> GatewayCall {
        let query = configuration.includeTestPayments ? [(name: "include_sandbox", value: "true")] : []
        return GatewayCall(path: ["payments", impUID.text], query: query)
    }

    /// The result of a look-up of many payments, by `imp_uid`.
    struct Found: Sendable {
        var payments: [String: Result<GatewayPayment, GatewayError>]
        /// Whether the gateway said that the missing ones do not exist.
        var tellsMissing: Bool
    }

    /// `GET /payments?imp_uid[]=…`: at most 100, returned in any order; a 207 means that some do not exist.
    ///
    /// - Parameter admission: the slot of the first attempt, if it already has one.
    func payments(_ impUIDs: [ImpUID], _ admission: Admission? = nil) async throws(GatewayError) -> Found {
        let query = impUIDs.map { (name: "imp_uid[]", value: $0.text) }
        let answer: PortOneV1Answer
        do throws(GatewayError) {
            let call = GatewayCall(path: ["payments"], query: query, answersMany: true)
            answer = try await look("payments", call, admission)
        } catch {
            guard error.code == .notFound, error.isDefinite else { throw error }
            return Found(payments: [:], tellsMissing: true)
        }
        return try Self.index(answer)
    }

    private static func index(_ answer: PortOneV1Answer) throws(GatewayError) -> Found {
        guard let elements = answer.response.elements else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a list of payments")
        }
        var found = Found(payments: [:], tellsMissing: answer.isPartial)
        for element in elements {
            // An element without an id may be one of those that seem to be missing.
            guard let impUID = element["imp_uid"]?.text else {
                found.tellsMissing = false
                continue
            }
            do throws(GatewayError) {
                found.payments[impUID] = .success(try PortOneV1Payment.read(element))
            } catch {
                found.payments[impUID] = .failure(error)
            }
        }
        return found
    }
}
