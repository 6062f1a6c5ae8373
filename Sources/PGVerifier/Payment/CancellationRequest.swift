/// A request to the gateway to give a payment's money back, whole or in part.
public struct CancellationRequest: Hashable, Sendable {
    /// Which payment.
    public var receipt: Receipt

    /// How much, in minor units; always said, for V1 takes 0 and silence for "all that is left".
    public var amount: Int64

    /// The payment's currency; an ISO 4217 code, upper case.
    public var currency: String

    /// What the caller believes can still be cancelled, in minor units.
    ///
    /// The gateway does nothing when it knows better: V1 `checksum`, V2 `currentCancellableAmount`.
    public var believedBalance: Int64

    /// The caller's name for this very act: the same again is the same cancellation, another is another.
    public var key: CancellationKey

    /// Why; the buyer may be shown it.
    public var reason: String

    /// Where the money goes, for methods that can't return it by themselves.
    public var refundAccount: Account?

    /// States a request.
    public init(
        receipt: Receipt, amount: Int64, currency: String, believedBalance: Int64, key: CancellationKey, reason: String,
        refundAccount: Account? = nil
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

extension CancellationRequest {
    /// A bank account that a refund is paid to: virtual accounts and late phone bills need one.
    public struct Account: Hashable, Sendable {
        /// The bank, in the gateway's code: V1's differ by payment company, V2 has names such as `SHINHAN`.
        public var bank: String

        /// The account's number.
        public var number: String

        /// Whose it is.
        public var holder: String

        /// The holder's telephone; only Smartro asks for it.
        public var phone: String?

        /// Names an account.
        public init(bank: String, number: String, holder: String, phone: String? = nil) {
            self.bank = bank
            self.number = number
            self.holder = holder
            self.phone = phone
        }
    }
}
