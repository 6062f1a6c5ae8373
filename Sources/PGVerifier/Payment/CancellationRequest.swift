/// A request to the gateway to cancel a payment, in whole or in part.
package struct CancellationRequest: Hashable, Sendable {
    /// The payment.
    package var receipt: Receipt

    /// The amount in minor units.
    ///
    /// Always sent, because V1 takes 0 and a missing amount as "all that is left".
    package var amount: Int64

    /// The part of ``amount`` that has no VAT, in minor units: V1 `tax_free`, V2 `taxFreeAmount`.
    ///
    /// Nil: none is sent. The gateway takes the whole amount as taxable then.
    package var taxFree: Int64?

    /// The payment's currency; an ISO 4217 code, upper case.
    package var currency: String

    /// The amount that the caller believes can still be cancelled, in minor units.
    ///
    /// The gateway refuses if its balance differs: V1 `checksum`, V2 `currentCancellableAmount`.
    package var believedBalance: Int64

    /// The idempotency key.
    ///
    /// Requests with the same key are the same cancellation.
    package var key: CancellationKey

    /// The reason; the gateway may show it to the buyer.
    package var reason: String

    /// The bank account for the money, for payment methods that can't return it.
    package var refundAccount: Account?

    /// A cancellation request.
    package init(
        receipt: Receipt, amount: Int64, taxFree: Int64? = nil, currency: String, believedBalance: Int64,
        key: CancellationKey, reason: String, refundAccount: Account? = nil
    ) {
        self.receipt = receipt
        self.amount = amount
        self.taxFree = taxFree
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
        /// The gateway's code of the bank: V1's depend on the payment company, V2's are names such as `SHINHAN`.
        package var bank: String

        /// The account number.
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
