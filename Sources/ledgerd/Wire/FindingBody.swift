import Ledger
import LedgerWire

extension FindingBody {
    /// What clients read of a finding.
    init(_ finding: Finding) {
        self.init(
            id: finding.id, kind: finding.kind.rawValue, gateway: finding.payment.gateway,
            impUID: finding.payment.impUID, merchantUID: finding.payment.merchantUID,
            paymentID: finding.payment.paymentID, user: finding.user?.rawValue, amount: finding.amount,
            currency: finding.currency, foundAt: finding.foundAt)
    }
}
