import Crypto
import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// Webhooks as the gateway, or somebody who would like to be it, sends them.
enum Hooks {
    /// What the stand-in gateway signs with.
    static let secret = "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA=="
    /// A second secret, as there is while one is replaced.
    static let nextSecret = "whsec_" + Data("the next secret of the tests".utf8).base64EncodedString()

    /// What turns V2 on.
    ///
    /// - Parameter gateway: the gateway's address; by default one where nobody listens.
    static func v2Settings(at gateway: Gateway? = nil, secret: String? = secret) -> [String: String] {
        var settings = [
            "LEDGERD_PORTONE_V2_URL": gateway?.url ?? "http://127.0.0.1:9",
            "LEDGERD_PORTONE_V2_SECRET": "sandbox-v2-secret",
            "LEDGERD_PORTONE_V2_STORE_ID": "store-sandbox",
        ]
        settings["LEDGERD_PORTONE_V2_WEBHOOK_SECRET"] = secret
        return settings
    }

    /// V1's words about a payment.
    static func v1(_ payment: Payment, _ status: String) -> String {
        #"{"imp_uid": "\#(payment.impUID)", "merchant_uid": "\#(payment.merchantUID)", "status": "\#(status)"}"#
    }
}

/// A V2 webhook, signed.
struct SignedHook: Sendable {
    var id: String
    var timestamp: String
    /// The code itself, without version and base64.
    var code: [UInt8]
    var version = "v1"
    var body: [UInt8]

    init(
        _ body: String, id: String = "msg-\(Fresh.number)", age: TimeInterval = 0,
        secret: String = Hooks.secret
    ) {
        self.id = id
        self.body = Array(body.utf8)
        timestamp = String(Int(Date().timeIntervalSince1970 - age))
        let key = SymmetricKey(data: sure(Data(base64Encoded: String(secret.dropFirst("whsec_".count)))))
        code = Array(HMAC<SHA256>.authenticationCode(for: Data("\(id).\(timestamp).\(body)".utf8), using: key))
    }

    /// About a payment.
    init(_ type: String, paymentID: String, id: String = "msg-\(Fresh.number)") {
        self.init(#"{"type": "\#(type)", "data": {"paymentId": "\#(paymentID)"}}"#, id: id)
    }

    var headers: [HTTPRequest.Field] {
        [
            ("webhook-id", id), ("webhook-timestamp", timestamp),
            ("webhook-signature", version + "," + Data(code).base64EncodedString()),
        ]
    }
}

extension Service {
    /// Has V1 say something of a payment.
    func tellV1(_ body: String, type: String = "application/json", from: String? = nil) async throws -> Answer {
        let forwarded = from.map { [("X-Forwarded-For", $0)] } ?? []
        return try await send(
            .post, "/webhooks/portone/v1", headers: [("Content-Type", type)] + forwarded, body: body)
    }

    /// Has V2 say something.
    ///
    /// - Parameter leavingOut: a header that does not come.
    func tellV2(_ hook: SignedHook, leavingOut missing: String = "") async throws -> Answer {
        Answer(
            try await transport.send(
                HTTPRequest(
                    .post, HTTPURL("http://127.0.0.1:\(port)/webhooks/portone/v2"),
                    headers: [("Content-Type", "application/json")] + hook.headers.filter { $0.name != missing },
                    body: hook.body, totalTimeout: Patience.hang)))
    }

    /// What finance is shown.
    func findings() async throws -> [JSON] {
        let answer = try await get("/v1/findings", as: Token.make(sub: "a-clerk", scope: "finance"))
        #expect(answer.status == 200, "\(answer)")
        return answer.json["findings"].elements
    }

    /// Presents V2's receipt.
    func present(paymentID: String, by user: String = "ann") async throws -> Answer {
        try await post("/v1/receipts", #"{"payment_id": "\#(paymentID)"}"#, as: Token.user(user))
    }
}

extension Books {
    var events: Int64 { get async throws { try await count("SELECT count(*) FROM webhook_event") } }

    /// How many events stand so.
    func events(_ status: String) async throws -> Int64 {
        try await count("SELECT count(*) FROM webhook_event WHERE status = $1", [status])
    }

    /// Has no waiting receipt be asked about for a day, so that only a webhook can decide it.
    ///
    /// A worker that has a receipt decides itself when it is due again, so it is waited for.
    func postponeReceipts() async throws {
        try await eventually("no worker has a receipt") {
            try await execute(
                """
                UPDATE receipt_retry SET next_attempt_at = now() + interval '1 day'
                WHERE status = 'waiting' AND lease_holder IS NULL
                """)
            return try await count(
                """
                SELECT count(*) FROM receipt_retry
                WHERE status = 'waiting' AND next_attempt_at < now() + interval '12 hours'
                """) == 0
        }
    }

    /// Makes all that waits due, whatever backoff or lease said.
    func makeAllDue() async throws {
        try await makeReceiptsDue()
        // One that was taken less than two seconds ago is left to its worker: made due again, it would not be decided.
        try await execute(
            """
            UPDATE webhook_event SET next_attempt_at = now()
            WHERE status = 'waiting' AND next_attempt_at NOT BETWEEN now() + interval '58 s' AND now() + interval '60 s'
            """)
    }
}

extension Gateway {
    /// Drives the gateway in a way that has no name of its own.
    @discardableResult
    func drive(_ method: HTTPRequest.Method, _ path: String, _ body: String) async throws -> Answer {
        let answer = Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL(url + path), headers: [("Content-Type", "application/json")],
                    body: Array(body.utf8), totalTimeout: Patience.hang)))
        #expect((200..<300).contains(answer.status), "\(answer)")
        return answer
    }

    /// Cancels a part of a payment in the console.
    func cancel(_ payment: Payment, _ amount: Int) async throws {
        try await drive(
            .patch, "/sandbox/payments/\(payment.impUID)", #"{"status": "cancelled", "cancel_amount": \#(amount)}"#)
    }
}

extension JSON {
    /// Whether a request of the gateway's journal is about this payment.
    func names(_ payment: Payment) -> Bool {
        description.contains(payment.impUID) || description.contains(payment.merchantUID)
    }
}

extension House {
    /// Lends a house whose gateway tells the service what happens.
    ///
    /// There are no sweeps, so what the service learns of a payment that nobody presents came by a webhook.
    static func openNotified(
        _ settings: [String: String] = [:], _ body: (House, Gateway, Service) async throws -> Void
    ) async throws {
        try await with { house in
            let port = TestPort.next()
            let gateway = try await house.startGateway(telling: port)
            let usual = Hooks.v2Settings(at: gateway).merging(["LEDGERD_LISTEN": "127.0.0.1:\(port)"]) { $1 }
            let service = try await house.serve(at: gateway, usual.merging(settings) { $1 })
            try await body(house, gateway, service)
        }
    }
}
