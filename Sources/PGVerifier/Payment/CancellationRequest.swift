/// A request to the gateway to give a payment's money back, whole or in part.
package struct CancellationRequest: Hashable, Sendable {
    /// The payment.
    package var receipt: Receipt

    /// The amount in minor units.
    ///
    /// Always sent, because V1 takes 0 and a missing amount as "all that is left".
    package var amount: Int64

    /// The payment's currency; an ISO 4217 code, upper case.
    package var currency: String

    /// The amount that the caller believes can still be cancelled, in minor units.
    ///
    /// The gateway refuses if its balance differs: V1 `checksum`, V2 `currentCancellableAmount`.
    package var believedBalance: Int64

    /// The caller's key: the same key is the same cancellation, another key is another one.
    package var key: CancellationKey

    /// The reason; the gateway may show it to the buyer.
    package var reason: String

    /// The bank account for the money, for payment methods that can't return it.
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
    /// A bank account for a refund.
    ///
    /// Virtual accounts and late phone bills need one.
    package struct Account: Hashable, Sendable {
        /// The bank, in the gateway's code: V1's differ by payment company, V2 has names such as `SHINHAN`.
        package var bank: String

        /// The account's number.
        package var number: String

        /// The account holder.
        package var holder: String

        /// The holder's phone number; only Smartro requires it.
        package var phone: String?

        /// A bank account.
        package init(bank: String, number: String, holder: String, phone: String? = nil) {
            self.bank = bank
            self.number = number
            self.holder = holder
            self.phone = phone
        }
    }
}
