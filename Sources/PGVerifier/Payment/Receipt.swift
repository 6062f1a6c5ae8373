/// What a client presents: a claim, not evidence.
///
/// Only the gateway's response to our own request is evidence (PortOne V1 contract, client receipt).
public enum Receipt: Hashable, Sendable {
    /// A PortOne V1 receipt: the attempt, and the order it was for.
    case v1(impUID: ImpUID, merchantUID: MerchantUID)
    /// A PortOne V2 receipt: the payment, whose id is the merchant's own.
    case v2(paymentID: PaymentID)
}
