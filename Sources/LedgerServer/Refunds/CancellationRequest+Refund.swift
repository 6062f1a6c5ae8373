import Ledger
import PGVerifier

extension CancellationRequest {
    /// The cancellation that a refund requests.
    ///
    /// It is always the same for a refund, so that it is carried out once.
    ///
    /// - Throws: ``MalformedIdentifier`` if a stored id is invalid.
    init?(
        _ refund: Refund, of payment: PaymentIdentity, to account: BankAccount?
    ) throws(MalformedIdentifier) {
        let receipt = try Receipt(
            gateway: payment.gateway, paymentID: payment.paymentID, merchantUID: payment.merchantUID)
        guard let receipt else { return nil }
        self.init(
            receipt: receipt, amount: refund.paidBack, taxFree: refund.taxFree, currency: refund.paidCurrency.code,
            believedBalance: refund.paidBalance, key: try CancellationKey(refund.gatewayKey),
            reason: refund.explanation, refundAccount: account.map(CancellationRequest.Account.init))
    }
}

extension Refund {
    fileprivate static let keyPrefix = "refund-"

    /// The refund's key at the gateway: `refund-0000000000004097`; a key must have at least 16 characters.
    var gatewayKey: String {
        let digits = String(id)
        return Self.keyPrefix + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

extension GatewayCancellation {
    /// Whether a refund by ledgerd requested it: its reason starts with a refund's key.
    var isOfRefund: Bool { reason?.hasPrefix("[" + Refund.keyPrefix) ?? false }
}

extension CancellationRequest.Account {
    /// The account in the gateway's format.
    fileprivate init(_ account: BankAccount) {
        self.init(bank: account.bank, number: account.number, holder: account.holder, phone: account.phone)
    }
}
