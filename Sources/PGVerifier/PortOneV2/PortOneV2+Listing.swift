import CivilTime
package import FoundationEssentials
import WireFormats

extension PortOneV2: ListsPayments {
    /// The payments that were started in the period, and the events of payments in it, whenever the payments were
    /// started.
    package static let lists = ["payments", "events"]

    /// A page of one of the ``lists``.
    ///
    /// - Throws: ``GatewayError`` if it can't be fetched.
    package func page(
        of list: String, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> ListedPage {
        let whole = period.lowerBound...period.upperBound
        switch list {
        case "payments":
            return ListedPage(try await payments(in: whole).page(at: place), ListedPage.Element.payment)
        case "events": return ListedPage(try await events(in: whole).page(at: place), ListedPage.Element.event)
        default: return ListedPage()
        }
    }
}

extension PortOneV2 {
    /// Walks the payments that were created in a period (`GET /payments-by-cursor`).
    ///
    /// V2 also lists V1's payments; they are left out here.
    package func payments(in period: ClosedRange<Date>) -> PaymentWalk {
        PaymentWalk(by: \.paymentID) { cursor throws(GatewayError) in
            let items = try await page("payments-by-cursor", period, after: cursor)
            let payments = try ReadElements(
                items.madeThroughV2("payment"), of: Self.name, names: ("transactionId", "id", "id")
            ) { payment throws(GatewayError) in
                try PortOneV2Payment.read(payment, storeID: client.configuration.storeID)
            }
            return PaymentWalk.WalkPage(payments, next: items.last?["cursor"]?.text)
        }
    }

    /// Walks the payment events of a period (`GET /payment-events-by-cursor`): each payment, each cancellation.
    ///
    /// Events never move or change, so reconciliation uses them: a payment made in June and cancelled in July is an
    /// event in each month. Includes test payments; leaves out V1's payments.
    package func events(in period: ClosedRange<Date>) -> GatewayWalk<PaymentEvent> {
        GatewayWalk(by: \.id) { cursor throws(GatewayError) in
            let items = try await page("payment-events-by-cursor", period, after: cursor)
            let events = try ReadElements(
                items.madeThroughV2("paymentEvent"), of: Self.name, names: ("transactionId", "paymentId", "paymentId")
            ) { event throws(GatewayError) in
                try PortOneV2Payment.event(event, storeID: client.configuration.storeID)
            }
            return GatewayWalk.WalkPage(events, next: items.last?["cursor"]?.text)
        }
    }

    /// One page of a list; empty past the end.
    ///
    /// The request body is sent as a query parameter, because many intermediaries drop the body of a GET.
    private func page(
        _ path: String, _ period: ClosedRange<Date>, after cursor: String?
    ) async throws(GatewayError) -> [JSON] {
        var request: [String: JSON] = [
            "storeId": .string(client.configuration.storeID), "from": .string(RFC3339.string(from: period.lowerBound)),
            "until": .string(RFC3339.string(from: period.upperBound)),
            "size": .number(String(client.configuration.limits.pageSize)),
        ]
        request["cursor"] = cursor.map(JSON.string)
        let call = GatewayCall(
            path: [path], query: [(name: "requestBody", value: JSON.object(request).written)], answersMany: true)
        let answer = try await client.ask("list") { client, attempt throws(GatewayError) in
            try await client.answer(to: call, attempt)
        }
        guard let items = answer["items"]?.elements else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a page")
        }
        return items
    }
}

extension [JSON] {
    /// The named objects of a page's items, without V1's payments.
    fileprivate func madeThroughV2(_ name: String) -> [JSON] {
        map { $0[name] ?? .null }.filter { $0["version"]?.text != "V1" }
    }
}
