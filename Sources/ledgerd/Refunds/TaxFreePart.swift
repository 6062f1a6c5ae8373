import Ledger
import PGVerifier

/// The tax-free part (면세) of the amount of a refund: a gateway takes what is not said to be tax-free as taxable.
///
/// | payment | its part |
/// |---|---|
/// | V2, wholly taxable | none is sent |
/// | V2, wholly tax-free | the whole amount |
/// | V2, mixed, or credited before the books kept the figure | the amount's share of what the gateway has left |
/// | V1, and V2 is configured | as above: V2 shows V1's payments too |
/// | V1, without V2 or not shown by it | none is sent |
enum TaxFreePart: Hashable, Sendable {
    /// In minor units; nil: none is sent.
    case known(Int64?)
    /// The gateway must be asked what is left of the payment: others can have cancelled with parts of their own.
    case atGateway

    /// - Parameter isV2On: whether V2 can be asked.
    init(of refund: Refund, _ purchase: Purchase, isV2On: Bool) {
        if let part = refund.taxFree {
            self = .known(part)
        } else if purchase.payment.gateway == PortOneV1.name {
            self = isV2On ? .atGateway : .known(nil)
        } else {
            switch purchase.taxFree {
            case 0: self = .known(nil)
            case purchase.amount: self = .known(refund.amount)
            default: self = .atGateway
            }
        }
    }
}
