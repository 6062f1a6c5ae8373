import Foundation
import OutboundHTTP
import SoakHistory

/// The simulated gateway, as payers, its console and its faults drive it.
struct SandboxControl: Sendable {
    struct Refused: Error { let status: Int, text: String }

    let url: String
    private let transport = CurlTransport()

    init(url: String) { self.url = url }

    /// Pays an order.
    ///
    /// - Parameter webhooks: where the gateway reports it; several get duplicates.
    /// - Returns: the `imp_uid`.
    func pay(_ merchantUID: String, amount: Int64, webhooks: [String]) async throws -> String {
        try await send(
            .post, "/sandbox/payments",
            [
                "merchant_uid": merchantUID, "amount": amount, "version": "V1",
                "notice_url": webhooks.map { $0 + "/webhooks/portone/v1" },
            ] as [String: Any], as: Payment.self
        ).impUID
    }

    /// Cancels a payment in the gateway's console.
    ///
    /// - Parameter amount: the amount; nil: the rest.
    func cancel(_ impUID: String, amount: Int64?) async throws {
        var body: [String: Any] = ["status": "cancelled", "reason": "console"]
        if let amount { body["cancel_amount"] = amount }
        _ = try await send(.patch, "/sandbox/payments/\(impUID)", body, as: Payment.self)
    }

    func find(_ impUID: String) async throws -> PaymentRecord {
        let payment = try await send(.get, "/sandbox/payments/\(impUID)", nil, as: Payment.self)
        let wasPaid = ["paid", "cancelled", "partial_cancelled"].contains(payment.status.lowercased())
        return PaymentRecord(
            merchantUID: payment.merchantUID, paid: wasPaid ? payment.amount : 0, cancelled: payment.cancelled)
    }

    /// Makes the next requests to a path fail.
    func fail(_ path: String, _ kind: String, times: Int, delay: Int = 3000) async throws {
        _ = try await send(
            .put, "/sandbox/faults", ["path": path, "kind": kind, "times": times, "delay_ms": delay] as [String: Any],
            as: Ignored.self)
    }

    /// Says what happens to the next webhooks: held back, sent twice, or dropped; none: nothing.
    func falsifyWebhooks(_ rules: [[String: Any]]) async throws {
        _ = try await sendAny(.put, "/sandbox/webhooks/plan", rules)
    }

    func releaseWebhooks() async throws {
        _ = try await sendAny(.post, "/sandbox/webhooks/release", ["order": "shuffled"])
    }

    private struct Ignored: Decodable {}

    private struct Payment: Decodable {
        let impUID: String
        let merchantUID: String
        let status: String
        let amount: Int64
        let cancelled: Int64

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
            case merchantUID = "merchant_uid"
            case status, amount
            case cancelled = "cancel_amount"
        }
    }

    private func send<Body: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ body: [String: Any]?, as: Body.Type
    ) async throws -> Body {
        let bytes = try await sendAny(method, path, body)
        return try JSONDecoder().decode(Body.self, from: Data(bytes))
    }

    private func sendAny(_ method: HTTPRequest.Method, _ path: String, _ body: Any?) async throws -> [UInt8] {
        let bytes = try body.map { Array(try JSONSerialization.data(withJSONObject: $0)) } ?? []
        let answer = try await transport.send(
            HTTPRequest(
                method, HTTPURL(url + path, allowsPlainHTTP: true), headers: [("Content-Type", "application/json")],
                body: bytes, totalTimeout: .seconds(15)))
        guard (200..<300).contains(answer.status) else {
            throw Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
        }
        return answer.body
    }
}
