package import FoundationEssentials
import WireFormats

extension PortOneV2 {
    /// Walks the payments that were created in a period (`GET /payments-by-cursor`).
    ///
    /// Payments that were made through V1 are listed too, and left out here.
    package func payments(in period: ClosedRange<Date>) -> PaymentWalk {
        PaymentWalk(by: \.impUID) { cursor throws(GatewayError) in
            let items = try await page("payments-by-cursor", period, after: cursor)
            let payments = try ReadElements(
                items.madeThroughV2("payment"), of: Self.name, names: ("transactionId", "id")
            ) { payment throws(GatewayError) in
                try PortOneV2Payment.read(payment, storeID: client.configuration.storeID)
            }
            return PaymentWalk.WalkPage(payments, next: items.last?["cursor"]?.text)
        }
    }

    /// Walks what happened to payments in a period (`GET /payment-events-by-cursor`): each payment, each cancellation.
    ///
    /// Nothing is ever moved or changed in it, so it is what to reconcile against: a payment made in June and cancelled in
    /// July is an event in each. Test payments are told too; those that were made through V1 are left out.
    package func events(in period: ClosedRange<Date>) -> GatewayWalk<PaymentEvent> {
        GatewayWalk(by: \.id) { cursor throws(GatewayError) in
            let items = try await page("payment-events-by-cursor", period, after: cursor)
            let events = try ReadElements(
                items.madeThroughV2("paymentEvent"), of: Self.name, names: ("transactionId", "paymentId")
            ) { event throws(GatewayError) in
                try PortOneV2Payment.event(event, storeID: client.configuration.storeID)
            }
            return GatewayWalk.WalkPage(events, next: items.last?["cursor"]?.text)
        }
    }

    /// One page of a list; empty past the end.
    ///
    /// The request is a body that travels as a query, for many intermediaries drop the body of a GET.
    private func page(
        _ path: String, _ period: ClosedRange<Date>, after cursor: String?
    ) async throws(GatewayError) -> [JSON] {
        var request: [String: JSON] = [
            "storeId": .string(client.configuration.storeID), "from": .string(RFC3339.text(period.lowerBound)),
            "until": .string(RFC3339.text(period.upperBound)),
            "size": .number(String(client.configuration.limits.pageSize)),
        ]
        request["cursor"] = cursor.map(JSON.string)
        let call = GatewayCall(
            path: [path], query: [(name: "requestBody", value: JSON.object(request).written)], answersMany: true)
        let answer = try await client.ask("list") { client, attempt throws(GatewayError) in
            try await client.answer(to: call, attempt)
        }
        guard let items = answer["items"]?.elements else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the answer isn't a page")
        }
        return items
    }
}

extension [JSON] {
    /// What a page's items hold under a name, but for what was made through V1.
    fileprivate func madeThroughV2(_ name: String) -> [JSON] {
        map { $0[name] ?? .null }.filter { $0["version"]?.text != "V1" }
    }
}
