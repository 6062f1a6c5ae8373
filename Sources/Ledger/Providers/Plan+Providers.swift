extension Plan {
    /// The share of a capture for a provider; nil: no provider, or one without terms.
    func share(of won: Int64, for provider: UserID?, item: String?) -> ProviderShare? {
        provider.flatMap { providers.terms(of: $0, item: item) }.map { ProviderShare(of: won, by: $0) }
    }

    /// The won lines of a capture; those of its reversal are the opposite ones.
    ///
    /// Output VAT makes the revenue less: that of an agent is the commission only.
    ///
    /// ```
    /// no terms    Dr coins:deferred-revenue / Cr revenue:coins
    /// agent       Dr coins:deferred-revenue / Cr payable:<provider>, Cr revenue:commission
    /// principal   Dr coins:deferred-revenue / Cr revenue:coins
    ///             Dr cost:providers         / Cr payable:<provider>
    /// ```
    mutating func recognition(
        of won: Int64, _ share: ProviderShare?, _ vat: OutputVAT, for provider: UserID?, in stripe: Stripe
    ) -> [Line] {
        guard let share, let provider else { return recognition(of: won, vat, in: stripe) }
        func line(_ account: SystemAccount, _ side: Side, _ amount: Int64) -> Line {
            Line(account: .system(account, stripe), side: side, amount: amount)
        }
        let owed = Line(account: openPayable(of: provider, in: stripe), side: .credit, amount: share.amount)
        switch share.role {
        case .agent:
            return [
                line(.deferredRevenue, .debit, won), owed,
                line(.commission, .credit, won - share.amount - vat.recognised),
            ] + lines(of: vat, in: stripe)
        case .principal:
            return recognition(of: won, vat, in: stripe) + [line(.providerCosts, .debit, share.amount), owed]
        }
    }

    /// Notes a provider's share of a capture, or of what came back of it.
    ///
    /// - Parameters:
    ///   - captureID: the entry of the capture.
    ///   - entryID: the entry of the capture or reversal.
    ///   - item: what the provider sold, as the capture names it; nil for what came back.
    ///   - vat: the output VAT of the capture, or that which falls away.
    mutating func note(
        _ share: ProviderShare?, of captureID: Int64, by entryID: Int64, for provider: UserID?,
        item: String? = nil, won: Int64, _ vat: OutputVAT, in stripe: Stripe
    ) {
        guard let share, let provider else { return }
        providers.insert(
            ProviderShareRecord(
                journalEntryID: entryID, captureID: captureID, provider: provider, item: item, stripe: stripe,
                won: won, share: share, commissionVAT: share.role == .agent ? vat.recognised : 0,
                recordedAt: recordedAt))
    }
}
