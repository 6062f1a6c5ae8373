import Ledger

/// What carries out acts, for the API and the console alike.
struct Desks: Sendable {
    let acts: KeyedActs
    let refunds: RefundDesk
    let reviewer: PaymentReviewer
    let grantLimits: GrantLimits
    /// How long coins of a reversed act can be used if their lot has expired meanwhile.
    let returnGrace: Duration
    let custody: CustodyWatch

    var ledger: Ledger { acts.ledger }

    // MARK: - The acts of features

    var bankRefunds: BankRefundActs { BankRefundActs(ledger: ledger, grace: returnGrace) }
    var debts: DebtActs { DebtActs(ledger: ledger) }
    var disputes: DisputeActs {
        DisputeActs(ledger: ledger, usedBonus: reviewer.usedBonus, grace: returnGrace)
    }
    var findings: FindingActs { FindingActs(crediter: reviewer.crediter) }
    var grants: GrantActs { GrantActs(ledger: ledger, limits: grantLimits) }
    var holds: HoldActs { HoldActs(ledger: ledger) }
    var payouts: PayoutActs { PayoutActs(ledger: ledger) }
    var providers: ProviderActs { ProviderActs(ledger: ledger) }
    var refunding: RefundActs { RefundActs(ledger: ledger, desk: refunds) }
    var reversals: ReversalActs { ReversalActs(ledger: ledger, grace: returnGrace) }
}
