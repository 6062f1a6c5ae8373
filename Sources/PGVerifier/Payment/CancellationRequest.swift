/// A request to the gateway to give a payment's money back, whole or in part.
package struct CancellationRequest: Hashable, Sendable {
    /// Which payment.
    package var receipt: Receipt

    /// How much, in minor units; always said, for V1 takes 0 and silence for "all that is left".
    package var amount: Int64

    /// The payment's currency; an ISO 4217 code, upper case.
    package var currency: String

    /// What the caller believes can still be cancelled, in minor units.
    ///
    /// The gateway does nothing when it knows better: V1 `checksum`, V2 `currentCancellableAmount`.
    package var believedBalance: Int64

    /// The caller's name for this very act: the same again is the same cancellation, another is another.
    package var key: CancellationKey

    /// Why; the buyer may be shown it.
    package var reason: String

    /// Where the money goes, for methods that can't return it by themselves.
    package var refundAccount: Account?

    /// States a request.
    package init(
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
    package struct Account: Hashable, Sendable {
        /// The bank, in the gateway's code: V1's differ by payment company, V2 has names such as `SHINHAN`.
        package var bank: String

        /// The account's number.
        package var number: String

        /// Whose it is.
        package var holder: String

        /// The holder's telephone; only Smartro asks for it.
        package var phone: String?

        /// Names an account.
        package init(bank: String, number: String, holder: String, phone: String? = nil) {
            self.bank = bank
            self.number = number
            self.holder = holder
            self.phone = phone
        }
    }
}
