package import Ledger
package import PGVerifier

/// The reason why a receipt is refused.
package enum CreditRefusal: Hashable, Sendable {
    /// The gateway's response, or the purchase in the books, contradicts the receipt.
    case payment(RefusalReason)
    /// The paid amount is not the order's, or of no product that was on sale; the caller may know what was paid.
    case wrongAmount(GatewayPayment)
    /// Nobody has paid it; in a store's sandbox it can be a trial.
    case testPayment(GatewayPayment)
    /// The receipt's gateway is not configured.
    case gatewayOff
    /// Several users have presented the payment.
    case claimedBySeveral
    /// Another payment of the order was credited; the purchase is told to its owner only.
    case orderAlreadyCredited(by: Purchase?)
    /// Another payment of the same `merchant_uid` was credited; the purchase is told to its owner only.
    case merchantUIDAlreadyCredited(by: Purchase?)
    /// The payment is not the one that a person saw who decided about it.
    case changedMeanwhile
    /// The totals of an account would exceed their maximum.
    case accountFull
    /// The receipt would have to wait, and the user has too many waiting receipts.
    case tooManyWaitingReceipts

    /// The name of the problem's code, which is stored with a waiting receipt; it must not change.
    var name: String {
        switch self {
        case .payment(let reason): reason.rawValue
        case .wrongAmount: RefusalReason.amountMismatch.rawValue
        case .testPayment: RefusalReason.testPayment.rawValue
        case .gatewayOff: "gateway_off"
        case .claimedBySeveral: "claimed_by_several"
        case .orderAlreadyCredited: RefusalReason.orderAlreadyCredited.rawValue
        case .merchantUIDAlreadyCredited: "merchant_uid_already_credited"
        case .changedMeanwhile: "changed_meanwhile"
        case .accountFull: "invalid_request"
        case .tooManyWaitingReceipts: "too_many_waiting_receipts"
        }
    }

    /// The refusal with the user's own purchase of the order.
    func telling(_ purchase: Purchase?) -> Self {
        switch self {
        case .payment(.orderAlreadyCredited): .orderAlreadyCredited(by: purchase)
        case .merchantUIDAlreadyCredited: .merchantUIDAlreadyCredited(by: purchase)
        default: self
        }
    }
}
