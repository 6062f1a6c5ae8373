import Ledger
import PGVerifier

extension CancelOrder {
    /// What the gateway is asked for a refund: always the same of the same refund, so that it is done once.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    init?(
        _ refund: Refund, of payment: PaymentIdentity, to account: BankAccount?
    ) throws(MalformedIdentifier) {
        let receipt = try Receipt(
            gateway: payment.gateway, impUID: payment.impUID, merchantUID: payment.merchantUID)
        guard let receipt else { return nil }
        self.init(
            receipt: receipt, amount: refund.amount, currency: refund.currency.code,
            believedBalance: refund.believedBalance, key: try PGVerifier.IdempotencyKey(refund.gatewayKey),
            reason: refund.explanation, refundAccount: account.map(RefundAccount.init))
    }
}

extension Refund {
    /// The refund's name at the gateway: `refund-0000000000004097`, for a key has sixteen characters at least.
    var gatewayKey: String {
        let digits = String(id)
        return "refund-" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

extension RefundAccount {
    /// The account, as the gateway takes it.
    fileprivate init(_ account: BankAccount) {
        self.init(bank: account.bank, number: account.number, holder: account.holder, phone: account.phone)
    }
}
