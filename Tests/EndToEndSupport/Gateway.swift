package import OutboundHTTP
import TestSupport
import Testing

/// A payment at the stand-in gateway.
package struct Payment: Sendable {
    package let impUID: String
    package let merchantUID: String

    package init(impUID: String, merchantUID: String) {
        self.impUID = impUID
        self.merchantUID = merchantUID
    }

    /// The receipt that a client presents.
    package var receipt: String { #"{"imp_uid": "\#(impUID)", "merchant_uid": "\#(merchantUID)"}"# }

    /// One with fresh ids that nobody has made yet.
    package static func unmade() -> Payment {
        let word = Fresh.word
        return Payment(impUID: "imp_\(word)", merchantUID: "order-\(word)")
    }
}

/// The stand-in gateway, as the buyer and the gateway's console drive it.
package struct Gateway: Sendable {
    package let port: Int
    package let transport: CurlTransport
    private let ending: @Sendable () async -> Void

    /// - Parameter ending: ends it.
    package init(port: Int, transport: CurlTransport, ending: @escaping @Sendable () async -> Void = {}) {
        self.port = port
        self.transport = transport
        self.ending = ending
    }

    /// Ends it, so that nobody listens at its address; its payments are gone.
    package func end() async { await ending() }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Makes a payment.
    ///
    /// - Parameter members: further members of the control request, each with its comma before it.
    @discardableResult
    package func pay(
        _ amount: String = "1000", _ members: String = "", as payment: Payment = .unmade()
    ) async throws -> Payment {
        let body = """
            {"imp_uid": "\(payment.impUID)", "merchant_uid": "\(payment.merchantUID)", "amount": \(amount)\(members)}
            """
        let answer = try await send(.post, "/sandbox/payments", body)
        #expect(answer.status == 201, "\(answer)")
        return payment
    }

    /// Changes a payment's status as the gateway's console would.
    package func change(_ payment: Payment, to status: String) async throws {
        let answer = try await send(.patch, "/sandbox/payments/\(payment.impUID)", #"{"status": "\#(status)"}"#)
        #expect(answer.status == 200, "\(answer)")
    }

    /// Says what goes wrong next.
    package func fail(_ fault: String) async throws {
        let answer = try await send(.put, "/sandbox/faults", fault)
        #expect(answer.status == 200, "\(answer)")
    }

    /// The requests it was sent whose path begins so, without those of the sweep, which works beside all others.
    package func journal(_ prefix: String) async throws -> [JSON] {
        try await requests(prefix).filter { request in
            let path = request["path"].text ?? ""
            return path != "/payments" && !path.hasPrefix("/payments/status/")
        }
    }

    /// The requests for lists of payments of V1 that it was sent.
    package func listings() async throws -> [JSON] { try await requests("/payments/status/") }

    private func requests(_ prefix: String) async throws -> [JSON] {
        try await send(.get, "/sandbox/journal?path=\(prefix)", "").json["requests"].elements
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String) async throws -> Answer {
        Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL(url + path), headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8), totalTimeout: Patience.hang)))
    }
}

/// The gateway's API through which something happens.
package enum Version: String, Sendable, CaseIterable {
    case v1 = "V1"
    case v2 = "V2"

    /// The name under which its payments are recorded.
    package var gateway: String { self == .v1 ? "portone-v1" : "portone-v2" }
}
