import Ledger
import PGVerifier

extension CancellationRequest {
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
            believedBalance: refund.believedBalance, key: try CancellationKey(refund.gatewayKey),
            reason: refund.explanation, refundAccount: account.map(CancellationRequest.Account.init))
    }
}

extension Refund {
    fileprivate static let keyPrefix = "refund-"

    /// The refund's name at the gateway: `refund-0000000000004097`, for a key has sixteen characters at least.
    var gatewayKey: String {
        let digits = String(id)
        return Self.keyPrefix + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

extension GatewayCancellation {
    /// Whether a refund of ours asked for it, by the key that its reason begins with.
    var isOfRefund: Bool { reason?.hasPrefix("[" + Refund.keyPrefix) ?? false }
}

extension CancellationRequest.Account {
    /// The account, as the gateway takes it.
    fileprivate init(_ account: BankAccount) {
        self.init(bank: account.bank, number: account.number, holder: account.holder, phone: account.phone)
    }
}
