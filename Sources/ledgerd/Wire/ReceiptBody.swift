import Ledger
import PGVerifier

/// The receipt that a client presents: V1's two ids, or V2's one.
struct ReceiptRequestBody: Decodable {
    private let impUID: NonEmpty?
    private let merchantUID: NonEmpty?
    private let paymentID: NonEmpty?

    enum CodingKeys: String, CodingKey {
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
    }

    /// The receipt, if its members can be ids of the gateway.
    ///
    /// With `payment_id` it is V2's, whatever else is there.
    func receipt() throws(Problem) -> Receipt {
        guard let first = paymentID ?? impUID else { throw .missingMember("/imp_uid") }
        guard let order = paymentID ?? merchantUID else { throw .missingMember("/merchant_uid") }
        do throws(MalformedIdentifier) {
            if paymentID != nil { return .v2(paymentID: try PaymentID(first.value)) }
            return .v1(impUID: try ImpUID(first.value), merchantUID: try MerchantUID(order.value))
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
            case .cancellationPending: "a cancellation of the payment is under way at the gateway"
            case .unknownStatus, .gatewayUnavailable:
                "the payment gateway could not confirm the payment yet; we go on asking"
            }
    }
}
