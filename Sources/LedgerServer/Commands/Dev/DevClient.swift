import Foundation
import OutboundHTTP
import Timing

/// Sends the requests of an app and a buyer to ledgerd and the sandbox gateway.
struct DevClient: Sendable {
    let ledgerd: String
    let sandbox: String
    let token: String
    private let transport = CurlTransport()

    init(ledgerd: String, sandbox: String, token: String) {
        self.ledgerd = ledgerd
        self.sandbox = sandbox
        self.token = token
    }

    /// A response with a JSON body.
    struct Answer {
        let status: Int
        let body: Data

        /// The body, indented.
        var pretty: String {
            guard let object = try? JSONSerialization.jsonObject(with: body),
                let text = try? JSONSerialization.data(
                    withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            else { return String(decoding: body, as: UTF8.self) }
            return String(decoding: text, as: UTF8.self)
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }
    }

    /// A payment at the sandbox gateway.
    struct Payment: Codable {
        let impUID: String
        let merchantUID: String

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
            case merchantUID = "merchant_uid"
        }
    }

    private struct Order: Encodable {
        let merchantUID: String
        let amount: Int64

        enum CodingKeys: String, CodingKey {
            case merchantUID = "merchant_uid"
            case amount
        }
    }

    /// Returns when both servers respond.
    func waitUntilReady(within patience: Duration) async throws {
        let deadline = Time.current.instant + patience
        for address in [sandbox + "/sandbox/journal?limit=1", ledgerd + "/health/ready"] {
            while (try? await send(.get, address))?.status != 200 {
                guard Time.current.instant < deadline else { throw DevError("\(address) does not respond") }
                try await Time.current.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Makes a payment at the sandbox gateway.
    func pay(_ amount: Int64) async throws -> Payment {
        let order = Order(merchantUID: "dev_\(UInt64.random(in: 0...UInt64.max))", amount: amount)
        let answer = try await send(.post, sandbox + "/sandbox/payments", body: JSONEncoder().encode(order))
        guard (200..<300).contains(answer.status) else {
            throw DevError("the sandbox gateway responded with \(answer.status): \(answer.pretty)")
        }
        return try answer.decode(Payment.self)
    }

    /// Presents a payment's receipt to ledgerd.
    func present(_ payment: Payment) async throws -> Answer {
        let answer = try await send(.post, ledgerd + "/v1/receipts", body: JSONEncoder().encode(payment))
        guard [200, 201].contains(answer.status) else {
            throw DevError("POST /v1/receipts → \(answer.status)\n\(answer.pretty)")
        }
        return answer
    }

    /// Sends a `GET` request with the user's token to ledgerd.
    func get(_ path: String) async throws -> Answer {
        let answer = try await send(.get, ledgerd + path)
        guard answer.status == 200 else { throw DevError("GET \(path) → \(answer.status)\n\(answer.pretty)") }
        return answer
    }

    private func send(_ method: HTTPRequest.Method, _ address: String, body: Data = Data()) async throws -> Answer {
        var headers: [HTTPRequest.Field] = [("Content-Type", "application/json")]
        if address.hasPrefix(ledgerd) { headers.append(("Authorization", "Bearer \(token)")) }
        let response = try await transport.send(
            HTTPRequest(method, HTTPURL(address), headers: headers, body: Array(body)))
        return Answer(status: response.status, body: Data(response.body))
    }
}
