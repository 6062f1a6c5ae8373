import FoundationEssentials
import SandboxSupport

/// One message to one URL.
struct WebhookDelivery: Codable, Sendable {
    enum State: String, Codable, Sendable {
        /// It will be sent.
        case waiting
        case held
        /// It was dropped on purpose.
        case dropped
        case succeeded
        case failed
    }

    /// A defect of a message.
    enum Spoiling: String, Codable, Sendable {
        case wrongSecret = "wrong_secret"
        case stale
        case unsigned
    }

    struct Attempt: Codable, Sendable {
        let at: Date
        let status: Int?
        let header: String
        let body: String
        let error: String?
        let respondedAt: Date
    }

    let number: Int
    let id: String
    let message: WebhookMessage
    let url: String
    /// The message that must be attempted before this one.
    ///
    /// Messages of one payment are sent in order, unless retries or a plan change the order.
    var follows: Int?
    var spoiling: Spoiling?
    var state = State.waiting
    var dueAt: Date?
    var attempts: [Attempt] = []
    var resends = 0

    /// The result of an attempt: done, or another attempt after a delay; nil for no further attempt.
    ///
    /// V1 sends once; if retries are on, it repeats up to five times, a minute apart, after no response or a 5xx. V2
    /// retries up to five times after anything but a 2xx, with full jitter (PortOne V1 and V2 contracts, delivery).
    func wait(after attempt: Attempt, v1Retries: Bool, jitter: Double) -> (isDone: Bool, seconds: Double?) {
        let tried = attempts.count - resends
        switch message.api {
        case .v1:
            guard attempt.status.map({ $0 >= 500 }) ?? true else { return (attempt.status == 200, nil) }
            return (false, v1Retries && (1...5).contains(tried) ? 60 : nil)
        case .v2:
            if let status = attempt.status, (200..<300).contains(status) { return (true, nil) }
            let minutes: [Double] = [1, 4, 16, 64, 256]
            return (false, (1...5).contains(tried) ? minutes[tried - 1] * 60 * jitter : nil)
        }
    }
}

extension WebhookDelivery {
    /// The headers of an attempt at the time `now`.
    func headers(signer: OutboxSigner, now: Date) -> [(String, String)] {
        let type = [("Content-Type", message.contentType)]
        guard message.api == .v2, spoiling != .unsigned else { return type }
        let seconds = Int(now.timeIntervalSince1970) - (spoiling == .stale ? 600 : 0)
        return type
            + signer.headers(id: id, timestamp: seconds, body: message.body, isForged: spoiling == .wrongSecret)
    }

    /// The format of the control API.
    var wire: JSONValue {
        .object([
            "number": .int(number), "id": .string(id), "api": .string(message.api.rawValue),
            "type": .string(message.type), "payment": .text(message.impUID), "url": .string(url),
            "state": .string(state.rawValue), "spoiling": .text(spoiling?.rawValue),
            "due_at": dueAt.map(RFC3339Time.nanoseconds) ?? .null, "body": .string(message.body),
            "attempts": .array(
                attempts.map { attempt in
                    .object([
                        "at": RFC3339Time.nanoseconds(attempt.at), "status": attempt.status.map(JSONValue.int) ?? .null,
                        "error": .text(attempt.error), "body": .string(attempt.body),
                    ])
                }),
        ])
    }

    /// The format of V2's payment history, which has less for a V1 payment (PortOne V2 contract, relation to V1).
    var v2Wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "url": .string(url), "currentExecutionCount": .int(attempts.count),
            "maxExecutionCount": .int(message.api == .v2 ? 6 : 1),
        ]
        if message.api == .v2 {
            members["paymentStatus"] = message.status.map { .string($0.rawValue) }
            members["isAsync"] = .bool(false)
        }
        if resends > 0 { members["trigger"] = .string("MANUAL") }
        var request: [String: JSONValue] = ["body": .string(message.body)]
        if let last = attempts.last {
            members["status"] = .string(
                state == .succeeded
                    ? "SUCCEEDED" : last.status == nil ? "FAILED_UNEXPECTED_ERROR" : "FAILED_NOT_OK_RESPONSE")
            members["triggeredAt"] = RFC3339Time.nanoseconds(attempts[0].at)
            request["requestedAt"] = RFC3339Time.nanoseconds(last.at)
            if let status = last.status {
                members["response"] = .object([
                    "code": .string(String(status)), "header": .string(last.header), "body": .string(last.body),
                    "respondedAt": RFC3339Time.nanoseconds(last.respondedAt),
                ])
            }
        }
        members["request"] = .object(request)
        return .object(members)
    }
}
