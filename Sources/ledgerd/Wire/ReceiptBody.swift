import Ledger
import PGVerifier

/// The receipt that a client presents.
struct ReceiptRequestBody: Decodable {
    let impUID: NonEmpty
    let merchantUID: NonEmpty

    enum CodingKeys: String, CodingKey {
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
    }

    /// The receipt, if both members can be ids of the gateway.
    func receipt() throws -> Receipt {
        do {
            return .v1(impUID: try ImpUID(impUID.value), merchantUID: try MerchantUID(merchantUID.value))
        } catch {
            throw Problem.invalid(pointer: "/\(error.field)", "/\(error)")
        }
    }
}

/// A receipt that became a purchase, and what the user has after it.
struct ReceiptBody: Encodable {
    let purchase: PurchaseBody
    let balance: BalanceBody

    init(_ credited: Credited) {
        purchase = PurchaseBody(purchase: credited.purchase)
        balance = BalanceBody(credited.balance)
    }
}

/// A receipt that is kept because the gateway has not decided or can't be reached.
struct WaitingReceiptBody: Encodable {
    let status = "waiting"
    let code: String
    let detail: String
    let retryable = true

    init(_ reason: WaitReason) {
        code = reason.rawValue
        detail =
            switch reason {
            case .awaitingPayment: "the payment is not made yet; the coins are credited when it is"
            case .unknownStatus, .gatewayUnavailable:
                "the payment gateway could not confirm the payment yet; we go on asking"
            }
    }
}
