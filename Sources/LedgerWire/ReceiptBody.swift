/// The receipt of a payment.
///
/// A receipt with the ids of both gateways is V1's if V1 is configured, else V2's.
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// V1's payment id.
    public let impUID: String?
    /// The merchant's payment id at V1.
    public let merchantUID: String?
    /// V2's payment id.
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

/// A credited receipt.
public struct ReceiptBody: Codable, Hashable, Sendable {
    /// The purchase.
    public let purchase: PurchaseBody
    /// The user's balance now.
    public let balance: BalanceBody

    /// Creates the response to a credited receipt.
    public init(purchase: PurchaseBody, balance: BalanceBody) {
        self.purchase = purchase
        self.balance = balance
    }
}

/// A waiting receipt: the gateway has not decided, or is unavailable.
public struct WaitingReceiptBody: Codable, Hashable, Sendable {
    /// Always `waiting`.
    ///
    /// - Always: `waiting`
    public let status: String
    /// The reason.
    ///
    /// - Values: `awaiting_payment`, `gateway_unavailable`, `unknown_status`, `cancellation_pending`, `claim_pending`
    public let code: String
    /// The reason, for people.
    public let detail: String
    /// Always true: the receipt can be presented again.
    ///
    /// - Always: `true`
    public let retryable: Bool

    /// Creates the response to a waiting receipt.
    public init(code: String, detail: String) {
        status = "waiting"
        self.code = code
        self.detail = detail
        retryable = true
    }
}
