extension WebhookEvent {
    /// Reads a webhook of PortOne V1: JSON or a form, depending on the console's setting (PortOne V1 contract,
    /// webhooks).
    ///
    /// It is unsigned, so anybody may have sent it.
    ///
    /// - Throws: ``WebhookError/Code/malformedBody``.
    package static func portOneV1(body: [UInt8]) throws(WebhookError) -> WebhookEvent {
        let fields = try WebhookFields(body)
        guard let impUID = fields["imp_uid"], let merchantUID = fields["merchant_uid"] else {
            throw WebhookError(.malformedBody, "imp_uid and merchant_uid are required")
        }
        let status = fields["status"] ?? ""
        var event = WebhookEvent(gateway: PortOneV1.name, kind: kind(ofV1: status), type: status)
        event.paymentID = impUID
        event.merchantUID = merchantUID
        event.cancellationID = fields["cancellation_id"]
        return event
    }

    private static func kind(ofV1 status: String) -> Kind {
        switch status {
        case "ready": .ready
        case "paid": .paid
        case "failed": .failed
        case "cancelled": .cancelled
        default: .other
        }
    }
}
