import FoundationEssentials
import SandboxSupport

extension PlayPurchase {
    /// The purchase in the API (ProductPurchaseV2).
    var purchaseV2: JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string("androidpublisher#productPurchaseV2"),
            "productLineItem": .array(lines.map(\.lineItem)),
            "purchaseStateContext": .object(["purchaseState": .string(state.rawValue.uppercased())]),
            "regionCode": .string(region),
            "acknowledgementState": .string(
                isAcknowledged ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"),
        ]
        members["orderId"] = orderID.map(JSONValue.string)
        members["obfuscatedExternalAccountId"] = accountID.map(JSONValue.string)
        members["obfuscatedExternalProfileId"] = profileID.map(JSONValue.string)
        members["purchaseCompletionTime"] = completedAt.map(RFC3339Time.nanoseconds)
        if kind == .test { members["testPurchaseContext"] = .object(["fopType": .string("TEST")]) }
        return .object(members.replaced(by: purchaseReplacements))
    }

    /// The purchase of one item in the older API (ProductPurchase).
    func purchaseV1(of line: Line) -> JSONValue {
        let states: [State: Int] = [.purchased: 0, .cancelled: 1, .pending: 2]
        var members: [String: JSONValue] = [
            "kind": .string("androidpublisher#productPurchase"), "productId": .string(line.productID),
            "purchaseToken": .string(token), "purchaseState": .int(states[state] ?? 0),
            "consumptionState": .int(line.isConsumed ? 1 : 0), "acknowledgementState": .int(isAcknowledged ? 1 : 0),
            "purchaseTimeMillis": .string(String(createdAt.milliseconds)), "regionCode": .string(region),
            "refundableQuantity": .int(line.refundableQuantity),
        ]
        if line.quantity > 1 { members["quantity"] = .int(line.quantity) }
        members["purchaseType"] = kind.map { .int($0.number) }
        members["orderId"] = orderID.map(JSONValue.string)
        members["developerPayload"] = developerPayload.map(JSONValue.string)
        members["obfuscatedExternalAccountId"] = accountID.map(JSONValue.string)
        members["obfuscatedExternalProfileId"] = profileID.map(JSONValue.string)
        return .object(members)
    }

    /// The order of the purchase at `now` (Order); nil if it has none.
    func order(at now: Date) -> JSONValue? {
        guard let orderID else { return nil }
        let processed = refunds.filter { $0.processedAt <= now }
        let left = processed.reduce(total) { $0 - $1.total }
        return .object(
            [
                "orderId": .string(orderID), "purchaseToken": .string(token), "state": .string(orderState(at: now)),
                "createTime": RFC3339Time.nanoseconds(createdAt),
                "lastEventTime": RFC3339Time.nanoseconds(lastEventAt),
                "buyerAddress": .object(["buyerCountry": .string(region)]), "total": total.wire, "tax": tax.wire,
                "lineItems": .array(lines.map { $0.orderItem(taxOf: total, tax) }),
                "orderDetails": .object(["taxInclusive": .bool(true)]), "orderHistory": .object(history(at: now)),
                "developerRevenueInBuyerCurrency": revenue.part(left.micros, of: total.micros).wire,
                "salesChannel": .string("IN_APP"),
            ].replaced(by: orderReplacements))
    }

    private func orderState(at now: Date) -> String {
        if let wholeRefund { return wholeRefund.processedAt <= now ? "REFUNDED" : "PENDING_REFUND" }
        switch state {
        case .pending: return "PENDING"
        case .cancelled: return "CANCELED"
        case .purchased:
            return partialRefunds.contains { $0.processedAt <= now } ? "PARTIALLY_REFUNDED" : "PROCESSED"
        }
    }

    private var lastEventAt: Date {
        ([completedAt, cancelledAt].compactMap(\.self) + refunds.map(\.at)).reduce(createdAt, max)
    }

    private func history(at now: Date) -> [String: JSONValue] {
        var events: [String: JSONValue] = [:]
        if let completedAt { events["processedEvent"] = .object(["eventTime": RFC3339Time.nanoseconds(completedAt)]) }
        if let cancelledAt, completedAt == nil {
            events["cancellationEvent"] = .object(["eventTime": RFC3339Time.nanoseconds(cancelledAt)])
        }
        if !partialRefunds.isEmpty {
            events["partialRefundEvents"] = .array(partialRefunds.map { $0.partialEvent(at: now) })
        }
        if let wholeRefund, wholeRefund.processedAt <= now {
            events["refundEvent"] = .object([
                "eventTime": RFC3339Time.nanoseconds(wholeRefund.processedAt), "refundDetails": wholeRefund.details,
                "refundReason": .string(wholeRefund.isChargeback ? "CHARGEBACK" : "OTHER"),
            ])
        }
        return events
    }
}

extension PlayPurchase.Refund {
    /// PartialRefundEvent.
    fileprivate func partialEvent(at now: Date) -> JSONValue {
        var members: [String: JSONValue] = [
            "createTime": RFC3339Time.nanoseconds(at), "state": .string("PENDING"), "refundDetails": details,
        ]
        if processedAt <= now {
            members["processTime"] = RFC3339Time.nanoseconds(processedAt)
            members["state"] = .string("PROCESSED_SUCCESSFULLY")
        }
        return .object(members)
    }

    /// RefundDetails.
    fileprivate var details: JSONValue { .object(["total": total.wire, "tax": tax.wire]) }
}

extension PlayPurchase.Line {
    private static let purchaseOption = "base"

    /// ProductLineItem.
    fileprivate var lineItem: JSONValue {
        var details: [String: JSONValue] = [
            "purchaseOptionId": .string(Self.purchaseOption), "quantity": .int(quantity),
            "refundableQuantity": .int(refundableQuantity),
            "consumptionState": .string(
                isConsumed ? "CONSUMPTION_STATE_CONSUMED" : "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"),
        ]
        details["offerId"] = offerID.map(JSONValue.string)
        return .object(["productId": .string(productID), "productOfferDetails": .object(details)])
    }

    /// LineItem, with its share of the order's tax.
    fileprivate func orderItem(taxOf total: PlayMoney, _ tax: PlayMoney) -> JSONValue {
        var details: [String: JSONValue] = [
            "quantity": .int(quantity), "purchaseOptionId": .string(Self.purchaseOption),
        ]
        details["offerId"] = offerID.map(JSONValue.string)
        return .object([
            "productId": .string(productID), "productTitle": .string(productID),
            "listingPrice": price.part(1, of: quantity).wire, "total": price.wire,
            "tax": tax.part(price.micros, of: total.micros).wire, "oneTimePurchaseDetails": .object(details),
        ])
    }
}

extension [String: JSONValue] {
    /// The members with others in their place; null removes one.
    fileprivate func replaced(by replacements: [String: JSONValue]) -> [String: JSONValue] {
        merging(replacements) { $1 }.filter { $0.value != .null }
    }
}
