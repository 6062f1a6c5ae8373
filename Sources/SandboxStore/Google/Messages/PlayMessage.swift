import FoundationEssentials
import SandboxSupport

/// A message of Pub/Sub to the shop's server.
struct PlayMessage: OutgoingMessage {
    var number = 0
    var id = newID()
    /// As rules name it.
    let type: String
    let purchaseToken: String?
    /// The JSON text that the message carries.
    let data: String
    let publishedAt: Date
    let url: String
    let audience: String
    let email: String
    let subscription: String
    let defect: TokenDefect
    /// The seconds between two attempts, from the first pause to the longest.
    let backoff: ClosedRange<Double>
    var delivery = Delivery()

    static func newID() -> String { String(Int.random(in: 1_000_000_000_000_000...9_999_999_999_999_999)) }

    /// How long Pub/Sub keeps a message that nobody acknowledges.
    private static let retention = 7 * 86_400.0

    /// Twice as long each time, until the message is no longer kept.
    func pause(at now: Date) -> Double? {
        guard now < publishedAt.addingTimeInterval(Self.retention) else { return nil }
        let doublings = min(max(delivery.tried - 1, 0), 10)
        return min(backoff.lowerBound * Double(1 << doublings), backoff.upperBound)
    }

    /// The body of the push, with both spellings that Pub/Sub sends.
    var body: String {
        let published = RFC3339Time.nanoseconds(publishedAt)
        return JSONValue.object([
            "message": .object([
                "attributes": .object([:]), "data": .string(Data(data.utf8).base64EncodedString()),
                "messageId": .string(id), "message_id": .string(id), "publishTime": published,
                "publish_time": published,
            ]), "subscription": .string(subscription),
        ]).jsonText
    }

    /// The format of the control API.
    var wire: JSONValue {
        .object(
            [
                "number": .int(number), "message_id": .string(id), "type": .string(type),
                "purchase_token": .text(purchaseToken), "data": .string(data), "url": .string(url),
                "subscription": .string(subscription), "token": .string(defect.rawValue),
            ].merging(delivery.wire) { $1 })
    }
}

/// What happens to a message, for the next ones that match.
struct PlayMessageRule: OutgoingRule {
    enum Act: String, Sendable, CaseIterable {
        case hold
        /// It is lost.
        case drop
        /// The same message is delivered twice.
        case duplicate
        /// The same content is published twice, as two messages.
        case republish
        /// It names another subscription.
        case misdirect
        /// Its token has a defect.
        case sign
    }

    let act: Act
    let type: String?
    let defect: TokenDefect
    var times: Int
}
