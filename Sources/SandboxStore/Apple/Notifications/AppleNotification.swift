import FoundationEssentials
import SandboxSupport

/// A notification (version 2) to the shop's server, with what became of it.
struct AppleNotification: Sendable {
    enum State: String, Sendable {
        /// It will be sent.
        case waiting
        case held
        case succeeded
        case failed
    }

    struct Attempt: Sendable {
        let at: Date
        /// As the history names it (SendAttemptResult).
        let result: String
        let status: Int?
    }

    let number: Int
    let uuid: String
    let type: String
    let subtype: String?
    let environment: AppleEnvironment
    let transactionID: String?
    let customer: String?
    let signedPayload: String
    let createdAt: Date
    let url: String
    /// Whether it repeats another one, which the history lists once.
    var isCopy = false
    var state = State.waiting
    var dueAt: Date?
    var attempts: [Attempt] = []
    var resends = 0

    /// The hours from one attempt to the next; the sandbox has one attempt (Responding to notifications).
    private static let pauses: [Double] = [1, 12, 24, 48, 72]

    var isDelivered: Bool { attempts.contains { $0.result == "SUCCESS" } }

    /// The token of a test, from which its status is asked.
    var testToken: String { "\(uuid)_\(createdAt.milliseconds)" }

    var body: String { JSONValue.object(["signedPayload": .string(signedPayload)]).jsonText }

    /// How many seconds after the last attempt the next one is; nil for no further attempt.
    var pause: Double? {
        guard environment == .production, !isDelivered else { return nil }
        let tried = attempts.count - resends
        return Self.pauses.indices.contains(tried - 1) ? Self.pauses[tried - 1] * 3600 : nil
    }

    /// The notification in the history, and as the status of a test.
    var historyItem: JSONValue {
        .object([
            "signedPayload": .string(signedPayload),
            "sendAttempts": .array(
                attempts.map {
                    .object([
                        "attemptDate": .int($0.at.milliseconds), "sendAttemptResult": .string($0.result),
                    ])
                }),
        ])
    }

    /// The format of the control API.
    var wire: JSONValue {
        .object([
            "number": .int(number), "uuid": .string(uuid), "type": .string(type), "subtype": .text(subtype),
            "environment": .string(environment.rawValue), "transaction_id": .text(transactionID),
            "url": .string(url), "state": .string(state.rawValue), "signed_payload": .string(signedPayload),
            "due_at": dueAt.map(RFC3339Time.nanoseconds) ?? .null,
            "attempts": .array(
                attempts.map {
                    .object([
                        "at": RFC3339Time.nanoseconds($0.at), "result": .string($0.result),
                        "status": $0.status.map(JSONValue.int) ?? .null,
                    ])
                }),
        ])
    }
}

/// What a notification is about.
struct NotificationContent: Sendable {
    let type: String
    var subtype: String?
    let environment: AppleEnvironment
    var transaction: AppleTransaction?
    /// Why the customer asks for a refund.
    var consumptionReason: String?

    static func test(in environment: AppleEnvironment) -> NotificationContent {
        NotificationContent(type: "TEST", environment: environment)
    }
}
