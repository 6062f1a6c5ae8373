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
    /// A client that sends the ids of both APIs means one payment: it is V1's if that gateway is on, else V2's.
    func receipt(isOn: (Receipt) -> Bool) throws(Problem) -> Receipt {
        do throws(MalformedIdentifier) {
            if let impUID, let merchantUID {
                let v1 = Receipt.v1(impUID: try ImpUID(impUID.value), merchantUID: try MerchantUID(merchantUID.value))
                if paymentID == nil || isOn(v1) { return v1 }
            }
            if let paymentID { return .v2(paymentID: try PaymentID(paymentID.value)) }
        } catch {
            throw Problem(error)
        }
        throw .missingMember(impUID == nil ? "/imp_uid" : "/merchant_uid")
    }
}

extension Problem {
    /// A member of a receipt can be no id of the gateway.
    init(_ error: MalformedIdentifier) {
        self = .invalid(pointer: "/\(error.field)", "/\(error)")
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
