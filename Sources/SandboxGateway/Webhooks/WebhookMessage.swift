import FoundationEssentials
import SandboxSupport

/// The content of a webhook.
///
/// Receivers must ask the gateway for the payment: a webhook proves nothing.
struct WebhookMessage: Codable, Sendable {
    let api: SandboxPayment.Version
    /// V2's type, or V1's status.
    let type: String
    let impUID: String?
    let status: SandboxPayment.Status?
    let body: String
    let contentType: String
    /// URLs that replace the configured URL.
    var noticeURLs: [String] = []

    /// V1's message for a step; nil if V1 sends none (PortOne V1 contract, webhooks).
    init?(v1 step: PaymentStep, of payment: SandboxPayment, isForm: Bool) {
        switch step {
        case .accountIssued, .paid, .partialCancelled, .cancelled: break
        case .opened, .payPending, .failed, .cancelPending, .disputeCreated, .disputeResolved: return nil
        }
        let status: V1Status =
            switch step {
            case .paid: .paid
            case .partialCancelled, .cancelled: .cancelled
            default: .ready
            }
        var members = [
            ("imp_uid", payment.impUID), ("merchant_uid", payment.merchantUID), ("status", status.rawValue),
        ]
        if let id = step.cancellationID { members.append(("cancellation_id", id)) }
        api = .v1
        type = status.rawValue
        impUID = payment.impUID
        self.status = payment.status
        body =
            isForm
            ? members.map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
            : JSONValue.object(
                Dictionary(members.map { ($0.0, JSONValue.string($0.1)) }, uniquingKeysWith: { $1 })
            ).wireText
        contentType = isForm ? "application/x-www-form-urlencoded" : "application/json"
        noticeURLs = payment.draft.noticeURLs
    }

    /// V2's message for a step (PortOne V2 contract, webhooks).
    init(
        v2 step: PaymentStep, of payment: SandboxPayment, version: SandboxGatewayConfiguration.WebhookVersion, at: Date
    ) {
        let name = Self.name(of: step)
        api = .v2
        type = "Transaction." + name
        impUID = payment.impUID
        status = payment.status
        contentType = "application/json"
        noticeURLs = payment.draft.noticeURLs
        switch version {
        case .january2024:
            body =
                JSONValue.object([
                    "payment_id": .string(payment.merchantUID), "tx_id": .string(payment.transactionID),
                    "status": .string(name),
                ]).jsonText
        case .april2024:
            var data: [String: JSONValue] = [
                "paymentId": .string(payment.merchantUID), "storeId": .string(payment.storeID),
                "transactionId": .string(payment.transactionID),
            ]
            data["cancellationId"] = step.cancellationID.map(JSONValue.string)
            body =
                JSONValue.object([
                    "type": .string(type), "timestamp": .string(at.formatted(Self.milliseconds)),
                    "data": .object(data),
                ]).jsonText
        }
    }

    /// A message with any content, for tests.
    init(api: SandboxPayment.Version, type: String, impUID: String?, body: String, contentType: String) {
        self.api = api
        self.type = type
        self.impUID = impUID
        status = nil
        self.body = body
        self.contentType = contentType
    }

    private static func name(of step: PaymentStep) -> String {
        switch step {
        case .opened: "Ready"
        case .accountIssued: "VirtualAccountIssued"
        case .payPending: "PayPending"
        case .paid: "Paid"
        case .failed: "Failed"
        case .cancelPending: "CancelPending"
        case .partialCancelled: "PartialCancelled"
        case .cancelled: "Cancelled"
        case .disputeCreated: "DisputeCreated"
        case .disputeResolved: "DisputeResolved"
        }
    }

    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
