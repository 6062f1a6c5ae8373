import CivilTime
import WireFormats

extension WebhookEvent {
    /// Reads a webhook of PortOne V2, version 2024-04-25 or 2024-01-01 (PortOne V2 contract, webhooks).
    ///
    /// Verify the signature first. An unknown type is not an error: acknowledge and ignore it.
    ///
    /// - Parameter id: the `webhook-id` header.
    /// - Throws: ``WebhookError/Code/malformedBody``.
    package static func portOneV2(body: [UInt8], id: String?) throws(WebhookError) -> WebhookEvent {
        if body.count <= WebhookFields.maxBytes, let json = try? JSONParser.parse(body), let type = json["type"]?.text {
            return try event(type, json, id)
        }
        let fields = try WebhookFields(body)
        guard let paymentID = fields["payment_id"], let status = fields["status"] else {
            throw WebhookError(.malformedBody, "type, or payment_id and status, are required")
        }
        var event = WebhookEvent(gateway: PortOneV2.name, eventID: id, kind: kind(ofV2: status), type: status)
        event.merchantPaymentID = paymentID
        event.paymentID = fields["tx_id"]
        return event
    }

    private static func event(_ type: String, _ json: JSON, _ id: String?) throws(WebhookError) -> WebhookEvent {
        let data = json["data"] ?? .null
        let isAboutPayment = type.hasPrefix("Transaction.")
        var event = WebhookEvent(
            gateway: PortOneV2.name, eventID: id,
            kind: isAboutPayment ? kind(ofV2: String(type.dropFirst("Transaction.".count))) : .other, type: type)
        event.merchantPaymentID = data["paymentId"]?.text
        event.paymentID = data["transactionId"]?.text
        event.storeID = data["storeId"]?.text
        event.cancellationID = data["cancellationId"]?.text
        event.occurredAt = json["timestamp"]?.text.flatMap(RFC3339.date(from:))
        guard event.kind == .other || event.merchantPaymentID != nil else {
            throw WebhookError(.malformedBody, "data.paymentId is required")
        }
        return event
    }

    private static func kind(ofV2 word: String) -> Kind {
        switch word {
        case "Ready", "VirtualAccountIssued", "PayPending": .ready
        case "Paid": .paid
        case "Failed": .failed
        case "Cancelled": .cancelled
        case "PartialCancelled": .partiallyCancelled
        case "CancelPending": .cancelPending
        default: .other
        }
    }
}
