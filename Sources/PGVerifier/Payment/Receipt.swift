/// What a client presents to show that it paid: a claim, never evidence.
///
/// Only what the gateway answers to our own request about it is evidence (PortOne V1 contract, client receipt).
public enum Receipt: Hashable, Sendable {
    /// A PortOne V1 receipt: the attempt, and the order it was for.
    case v1(impUID: ImpUID, merchantUID: MerchantUID)
    /// A PortOne V2 receipt: the payment, whose id is the merchant's own.
    case v2(paymentID: PaymentID)
}
