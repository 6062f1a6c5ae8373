import FoundationEssentials
import SandboxSupport

/// A notification (version 2) to the shop's server, with what became of it.
struct AppleNotification: OutgoingMessage {
    var number = 0
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
    var delivery = Delivery()

    /// The hours from one attempt to the next; the sandbox has one attempt (Responding to notifications).
    private static let pauses: [Double] = [1, 12, 24, 48, 72]

    var isDelivered: Bool { delivery.attempts.contains { $0.result == Delivery.Attempt.success } }

    /// The token of a test, from which its status is asked.
    var testToken: String { "\(uuid)_\(createdAt.milliseconds)" }

    var body: String { JSONValue.object(["signedPayload": .string(signedPayload)]).jsonText }

    func pause(at now: Date) -> Double? {
        guard environment == .production, !isDelivered else { return nil }
        return Self.pauses.indices.contains(delivery.tried - 1) ? Self.pauses[delivery.tried - 1] * 3600 : nil
    }

    /// The notification in the history, and as the status of a test.
    var historyItem: JSONValue {
        .object([
            "signedPayload": .string(signedPayload),
            "sendAttempts": .array(
                delivery.attempts.map {
                    .object([
                        "attemptDate": .int($0.at.milliseconds), "sendAttemptResult": .string($0.result),
                    ])
                }),
        ])
    }

    /// The format of the control API.
    var wire: JSONValue {
        .object(
            [
                "number": .int(number), "uuid": .string(uuid), "type": .string(type), "subtype": .text(subtype),
                "environment": .string(environment.rawValue), "transaction_id": .text(transactionID),
                "url": .string(url), "signed_payload": .string(signedPayload),
            ].merging(delivery.wire) { $1 })
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
