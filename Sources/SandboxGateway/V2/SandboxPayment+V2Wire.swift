import FoundationEssentials
import SandboxSupport

extension SandboxPayment {
    /// The payment in V2's format: missing values are left out, never null; amounts are integers in minor units
    /// (PortOne V2 contract, payment).
    ///
    /// `webhooks` is the history of its webhooks.
    func v2Wire(webhooks: [JSONValue]) -> JSONValue {
        var members = common
        members["id"] = .string(merchantUID)
        members["transactionId"] = .string(transactionID)
        members["origin"] = .object(["platformType": .string("MOBILE"), "ipAddress": .string("203.0.113.7")])
        members.merge(progress) { _, later in later }
        members["billingKey"] = detail("billing_key")
        if !webhooks.isEmpty { members["webhooks"] = .array(webhooks) }
        return .object(members)
    }

    /// The attempt as `GET /payments/{paymentId}/transactions` lists it.
    var v2TransactionWire: JSONValue {
        var members = common
        members["id"] = .string(transactionID)
        members["paymentId"] = .string(merchantUID)
        members.merge(progress) { _, later in later }
        members["billingKey"] = detail("billing_key")
        if status == .paid { for name in ["disputes", "cancellations"] { members[name] = nil } }
        return .object(members)
    }

    /// A money movement in V2's event format.
    func v2Wire(event: PaymentEvents.Event) -> JSONValue {
        let cancellation = cancellations.first { $0.id == event.cancellationID }
        var members = common
        for name in ["status", "updatedAt", "statusChangedAt", "amount"] { members[name] = nil }
        members["type"] = .string(event.status.rawValue)
        members["id"] = .string(event.id)
        members["paymentId"] = .string(merchantUID)
        members["transactionId"] = .string(transactionID)
        members["origin"] = .object(["platformType": .string("MOBILE"), "ipAddress": .string("203.0.113.7")])
        members["createdAt"] = RFC3339Time.nanoseconds(event.at)
        members["totalAmount"] = v2Amount
        members["eventAmount"] = minor(event.amount)
        members["channel"] = v2Channel
        members["pgTxId"] = .string(pgTxID)
        if event.status == .paid { members["disputes"] = .array([]) }
        members["cancellation"] = cancellation.map(v2Wire)
        return .object(members)
    }

    /// The cancellation in V2's format.
    func v2Wire(_ cancellation: Cancellation) -> JSONValue {
        var members: [String: JSONValue] = [
            "status": .string(cancellation.status.rawValue), "id": .string(cancellation.id),
            "totalAmount": minor(cancellation.amount), "taxFreeAmount": minor(cancellation.taxFree),
            "vatAmount": .int(
                cancellation.vat?.minorUnits(of: currency) ?? vat(of: cancellation.amount - cancellation.taxFree)),
            "reason": .string(cancellation.reason), "requestedAt": RFC3339Time.nanoseconds(cancellation.requestedAt),
            "trigger": .string(cancellation.trigger.rawValue),
        ]
        members["cancelledAt"] = cancellation.cancelledAt.map(RFC3339Time.seconds)
        if cancellation.status == .succeeded {
            members["pgCancellationId"] = .string(pgTxID + "-" + cancellation.id.prefix(8))
        }
        return .object(members)
    }

    private func v2Wire(_ dispute: SandboxDispute) -> JSONValue {
        var members: [String: JSONValue] = [
            "status": .string(dispute.resolvedAt == nil ? "UNRESOLVED" : "RESOLVED"), "reason": .string(dispute.reason),
            "createdAt": RFC3339Time.nanoseconds(dispute.createdAt), "pgDisputeId": .string(dispute.id),
        ]
        members["resolvedAt"] = dispute.resolvedAt.map(RFC3339Time.seconds)
        return .object(members)
    }

    // MARK: Parts

    private var common: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "status": .string(status.rawValue), "merchantId": .string("merchant-sandbox"),
            "storeId": .string(storeID), "version": .string(v2Version),
            "requestedAt": RFC3339Time.nanoseconds(startedAt), "updatedAt": RFC3339Time.nanoseconds(updatedAt),
            "statusChangedAt": RFC3339Time.seconds(listedAt), "orderName": detail("name") ?? .string("주문"),
            "amount": v2Amount, "currency": .string(currency), "customer": customer,
        ]
        members["method"] = v2Method
        members["customData"] = draft.customData.map(JSONValue.string)
        return members
    }

    /// Members of some states.
    private var progress: [String: JSONValue] {
        switch status {
        case .ready: [:]
        case .payPending, .accountIssued: ["channel": v2Channel, "pgTxId": .string(pgTxID)]
        case .failed: failure
        case .paid: approval.merging(["disputes": .array(disputes.map(v2Wire))]) { old, _ in old }
        case .partialCancelled, .cancelled:
            approval.merging(["cancelledAt": RFC3339Time.seconds(listedAt)]) { old, _ in old }
        }
    }

    private var failure: [String: JSONValue] {
        var failure: [String: JSONValue] = ["pgCode": .string("9999")]
        failure["reason"] = failReason.map(JSONValue.string)
        failure["pgMessage"] = failReason.map(JSONValue.string)
        return ["channel": v2Channel, "failedAt": RFC3339Time.seconds(listedAt), "failure": .object(failure)]
    }

    private var approval: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "channel": v2Channel, "pgTxId": .string(pgTxID),
            "receiptUrl": .string("https://sandbox.invalid/receipt/" + impUID),
        ]
        members["paidAt"] = paidAt.map(RFC3339Time.seconds)
        if !cancellations.isEmpty { members["cancellations"] = .array(cancellations.map(v2Wire)) }
        return members
    }

    private var v2Channel: JSONValue {
        .object([
            "type": .string(isTest ? "TEST" : "LIVE"), "id": .string("channel-id-sandbox"),
            "key": .string("channel-key-sandbox"), "name": .string("sandbox"),
            "pgProvider": .string(v2PGProvider), "pgMerchantId": .string("INIpayTest"),
        ])
    }

    /// `paid` is set before the payment, and doesn't decrease (PortOne V2 contract, traps).
    private var v2Amount: JSONValue {
        let taxed = amount - draft.taxFree
        let vat = vat(of: taxed)
        return .object([
            "total": minor(amount), "taxFree": minor(draft.taxFree), "vat": .int(vat),
            "supply": .int(taxed.minorUnits(of: currency) - vat), "discount": .int(0), "paid": minor(amount),
            "cancelled": minor(cancelledAmount),
            "cancelledTaxFree": minor(executed.reduce(0) { $0 + $1.taxFree }),
        ])
    }

    /// The tax of 10 %, which is an eleventh of the total, rounded.
    private func vat(of taxed: Decimal) -> Int { (taxed.minorUnits(of: currency) * 2 + 11) / 22 }

    private func minor(_ amount: Decimal) -> JSONValue { .int(amount.minorUnits(of: currency)) }

    private func detail(_ name: String) -> JSONValue? { draft.details[name] }

    private var customer: JSONValue {
        var members: [String: JSONValue] = [:]
        members["id"] = detail("customer_uid")
        members["name"] = detail("buyer_name")
        members["email"] = detail("buyer_email")
        members["phoneNumber"] = detail("buyer_tel")
        members["zipcode"] = detail("buyer_postcode")
        return .object(members)
    }
}
