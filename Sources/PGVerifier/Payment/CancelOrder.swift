/// A request to the gateway to cancel a payment, whole or in part.
public struct CancelOrder: Hashable, Sendable {
    /// The payment.
    public var receipt: Receipt

    /// The amount in minor units.
    ///
    /// Always sent, because V1 takes 0 and a missing amount as "all that is left".
    public var amount: Int64

    /// The payment's currency; an ISO 4217 code, upper case.
    public var currency: String

    /// The amount that the caller believes can still be cancelled, in minor units.
    ///
    /// The gateway refuses if its balance differs: V1 `checksum`, V2 `currentCancellableAmount`.
    public var believedBalance: Int64

    /// The caller's key: the same key is the same cancellation, another key is another one.
    public var key: IdempotencyKey

    /// The reason; the gateway may show it to the buyer.
    public var reason: String

    /// The bank account for the money, for payment methods that can't return it.
    public var refundAccount: RefundAccount?

    /// A request to cancel.
    public init(
        receipt: Receipt, amount: Int64, currency: String, believedBalance: Int64, key: IdempotencyKey, reason: String,
        refundAccount: RefundAccount? = nil
    ) {
        self.receipt = receipt
        self.amount = amount
        self.currency = currency
        self.believedBalance = believedBalance
        self.key = key
        self.reason = reason
        self.refundAccount = refundAccount
    }
}

/// A bank account for a refund.
///
/// Virtual accounts and late phone bills need one.
public struct RefundAccount: Hashable, Sendable {
    /// The bank, in the gateway's code: V1's differ by payment company, V2 has names such as `SHINHAN`.
    public var bank: String

    /// The account's number.
    public var number: String

    /// The account holder.
    public var holder: String

    /// The holder's phone number; only Smartro requires it.
    public var phone: String?

    /// A bank account.
    public init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }
}
