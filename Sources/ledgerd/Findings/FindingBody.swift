import Ledger
import LedgerWire

extension FindingBody {
    /// What clients read of a finding.
    init(_ finding: Finding) {
        self.init(
            id: finding.id, kind: finding.kind.rawValue, kinds: finding.kinds.map(\.rawValue),
            gateway: finding.payment.gateway,
            impUID: finding.payment.impUID, merchantUID: finding.payment.merchantUID,
            paymentID: finding.payment.paymentID, user: finding.user?.rawValue,
            claims: finding.claims.map { ClaimBody(user: $0.user.rawValue, claimedAt: $0.claimedAt) },
            amount: finding.amount, currency: finding.currency, paidAt: finding.paidAt, foundAt: finding.foundAt)
    }
}
