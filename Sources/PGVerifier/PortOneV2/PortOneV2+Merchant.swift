import Crypto
public import FoundationEssentials

extension PortOneV2: MerchantGateway {
    /// Registers the amount of an order (`POST /payments/{paymentId}/pre-register`), the order's id being the payment's.
    ///
    /// - Throws: ``GatewayError``; definite when the gateway refuses, as for an order that is paid already.
    public func register(_ order: OrderAmount) async throws(GatewayError) {
        let storeID = client.configuration.storeID
        let call = PortOneV2Call(
            method: .post, path: ["payments", order.merchantUID.text, "pre-register"],
            body: .object([
                "storeId": .string(storeID), "totalAmount": .number(String(order.amount)),
                "currency": .string(order.currency),
            ]),
            idempotencyKey: Self.key(order, storeID))
        do throws(GatewayError) {
            _ = try await client.ask("register") { client, attempt throws(GatewayError) in
                try await client.answer(to: call, attempt)
            }
        } catch {
            throw error.code == .refused ? error.definite : error
        }
    }

    /// The same order and amount is the same act, whoever asks for it again.
    private static func key(_ order: OrderAmount, _ storeID: String) -> String {
        let text = [storeID, order.merchantUID.text, String(order.amount), order.currency].joined(separator: "\n")
        return "register-" + SHA256.hash(data: Array(text.utf8)).prefix(16).map(hexadecimal).joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The one payment of an order; the attempts to pay it are within.
    ///
    /// - Throws: ``GatewayError``.
    public func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment] {
        do throws(GatewayError) {
            return [try await payment(for: .v2(paymentID: PaymentID(merchantUID)))]
        } catch {
            guard error.isNoSuchThing else { throw error }
            return []
        }
    }

    /// Walks the payments that were created in a period (`GET /payments-by-cursor`).
    ///
    /// Payments that were made through V1 are listed too, and left out here.
    public func payments(in period: ClosedRange<Date>) -> PaymentWalk {
        PaymentWalk { cursor throws(GatewayError) in
            let items = try await page("payments-by-cursor", period, after: cursor)
            var payments: [GatewayPayment] = []
            for item in items {
                let payment = item["payment"] ?? .null
                guard payment["version"]?.text != "V1" else { continue }
                payments.append(try PortOneV2Payment.read(payment, storeID: client.configuration.storeID))
            }
            return PaymentWalk.Page(payments: payments, next: items.last?["cursor"]?.text)
        }
    }

    /// One page of a list; empty past the end.
    ///
    /// The request is a body that travels as a query, for many intermediaries drop the body of a GET.
    func page(
        _ path: String, _ period: ClosedRange<Date>, after cursor: String?
    ) async throws(GatewayError) -> [JSON] {
        var request: [String: JSON] = [
            "storeId": .string(client.configuration.storeID), "from": .string(RFC3339.text(period.lowerBound)),
            "until": .string(RFC3339.text(period.upperBound)),
            "size": .number(String(client.configuration.limits.pageSize)),
        ]
        request["cursor"] = cursor.map(JSON.string)
        let call = PortOneV2Call(
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
