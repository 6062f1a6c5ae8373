import Ledger

/// The tax-free part (면세) of the amount of a refund, in the payment's currency: a gateway takes what is not said to be tax-free as taxable.
///
/// | payment | its part |
/// |---|---|
/// | wholly taxable | none is sent |
/// | wholly tax-free | the whole amount |
/// | mixed, or the books do not have the figure | the amount's share of what the gateway has left |
/// | the same, and no gateway tells what is left | none is sent |
enum TaxFreePart: Hashable, Sendable {
    /// In minor units; nil: none is sent.
    case known(Int64?)
    /// The gateway must be asked what is left of the payment: others can have cancelled with parts of their own.
    case atGateway

    /// - Parameter isTold: whether a gateway can be asked what is left (``Gateways/tellTaxFreeRest``).
    init(of refund: Refund, _ purchase: Purchase, isTold: Bool) {
        if let part = refund.taxFree {
            self = .known(part)
        } else {
            switch purchase.taxFree {
            case 0: self = .known(nil)
            case purchase.paidAmount: self = .known(refund.paidBack)
            default: self = isTold ? .atGateway : .known(nil)
            }
        }
    }
}
