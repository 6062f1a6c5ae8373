package import Ledger

/// What carries out acts, for the API and the console alike.
package struct Desks: Sendable {
    let acts: KeyedActs
    let refunds: RefundDesk
    package let reviewer: PaymentReviewer
    package let grantLimits: GrantLimits
    let giftSettings: GiftSettings
    /// What is withheld of a provider whose terms do not name it.
    let providerWithholding: ProviderTerms.Withholding
    /// How long coins of a reversed act can be used if their lot has expired meanwhile.
    let returnGrace: Duration
    let custody: CustodyWatch
    let forgettingRules: ForgettingRules

    package var ledger: Ledger { acts.ledger }

    // MARK: - The acts of features

    package var bankRefunds: BankRefundActs { BankRefundActs(ledger: ledger, grace: returnGrace) }
    package var campaigns: CampaignActs { CampaignActs(ledger: ledger, limits: grantLimits) }
    var debts: DebtActs { DebtActs(ledger: ledger) }
    package var differences: DifferenceActs { DifferenceActs(ledger: ledger) }
    package var disputes: DisputeActs {
        DisputeActs(ledger: ledger, usedBonus: reviewer.usedBonus, grace: returnGrace)
    }
    package var findings: FindingActs { FindingActs(crediter: reviewer.crediter) }
    package var findingRefunds: FindingRefunds { FindingRefunds(reviewer: reviewer) }
    package var gifts: GiftActs { GiftActs(ledger: ledger, settings: giftSettings) }
    package var forgetting: ForgettingActs { ForgettingActs(ledger: ledger, rules: forgettingRules) }
    package var grants: GrantActs { GrantActs(ledger: ledger, limits: grantLimits) }
    package var holds: HoldActs { HoldActs(ledger: ledger) }
    package var merges: MergeActs { MergeActs(ledger: ledger, logger: reviewer.logger) }
    package var payouts: PayoutActs { PayoutActs(ledger: ledger) }
    package var periods: PeriodActs { PeriodActs(ledger: ledger) }
    package var providers: ProviderActs { ProviderActs(ledger: ledger) }
    package var providerTerms: ProviderTermsActs {
        ProviderTermsActs(ledger: ledger, standardWithholding: providerWithholding)
    }
    package var refundQuestions: RefundQuestionActs { RefundQuestionActs(ledger: ledger) }
    package var refunding: RefundActs { RefundActs(ledger: ledger, desk: refunds) }
    var reversals: ReversalActs { ReversalActs(ledger: ledger, grace: returnGrace) }
    package var topUps: TopUpActs { TopUpActs(ledger: ledger, gateways: reviewer.crediter.gateways) }
    package var takeBacks: TakeBackActs { TakeBackActs(ledger: ledger, desk: refunds, grace: returnGrace) }
}
