/// The receipt that a client presents: V1's two ids, or V2's one.
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// V1's name of the payment.
    public let impUID: String?
    /// The merchant's name of the payment at V1.
    public let merchantUID: String?
    /// V2's name of the payment.
    public let paymentID: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
    }

    private init(impUID: String? = nil, merchantUID: String? = nil, paymentID: String? = nil) {
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
    }

    /// The receipt of a payment through PortOne V1.
    public static func v1(impUID: String, merchantUID: String) -> ReceiptRequest {
        ReceiptRequest(impUID: impUID, merchantUID: merchantUID)
    }

    /// The receipt of a payment through PortOne V2.
    public static func v2(paymentID: String) -> ReceiptRequest { ReceiptRequest(paymentID: paymentID) }
}

/// A receipt that became a purchase, and what the user has after it.
public struct ReceiptBody: Codable, Hashable, Sendable {
    /// The purchase.
    public let purchase: PurchaseBody
    /// What the user has now.
    public let balance: BalanceBody

    /// Creates the answer to a receipt that is credited.
    public init(purchase: PurchaseBody, balance: BalanceBody) {
        self.purchase = purchase
        self.balance = balance
    }
}

/// A receipt that is kept because the gateway has not decided or can't be reached.
public struct WaitingReceiptBody: Codable, Hashable, Sendable {
    /// Always `waiting`.
    public let status: String
    /// Why it waits: `awaiting_payment`, `gateway_unavailable`, `unknown_status`, `cancellation_pending` or
    /// `claim_pending`.
    public let code: String
    /// The same for people.
    public let detail: String
    /// Always true: it may be presented again.
    public let retryable: Bool

    /// Creates the answer to a receipt that waits.
    public init(code: String, detail: String) {
        status = "waiting"
        self.code = code
        self.detail = detail
        retryable = true
    }
}
