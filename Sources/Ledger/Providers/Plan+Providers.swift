extension Plan {
    /// The share of a capture for a provider; nil: no provider, or one without terms.
    func share(of won: Int64, for provider: UserID?) -> ProviderShare? {
        provider.flatMap { providers.terms(of: $0) }.map { ProviderShare(of: won, by: $0) }
    }

    /// The won lines of a capture, or with `side` `.credit` those of its reversal.
    ///
    /// ```
    /// no terms    Dr coins:deferred-revenue / Cr revenue:coins
    /// agent       Dr coins:deferred-revenue / Cr payable:<provider>, Cr revenue:commission
    /// principal   Dr coins:deferred-revenue / Cr revenue:coins
    ///             Dr cost:providers         / Cr payable:<provider>
    /// ```
    ///
    /// - Parameter side: the side of the deferred won.
    mutating func recognition(
        of won: Int64, _ share: ProviderShare?, for provider: UserID?, side: Side = .debit, in stripe: Stripe
    ) -> [Line] {
        let other: Side = side == .debit ? .credit : .debit
        func line(_ account: SystemAccount, _ side: Side, _ amount: Int64) -> Line {
            Line(account: .system(account, stripe), side: side, amount: amount)
        }
        let deferred = line(.deferredRevenue, side, won)
        guard let share, let provider else { return [deferred, line(.revenue, other, won)] }
        let owed = Line(account: openPayable(of: provider, in: stripe), side: other, amount: share.amount)
        switch share.role {
        case .agent: return [deferred, owed, line(.commission, other, won - share.amount)]
        case .principal:
            return [deferred, line(.revenue, other, won), line(.providerCosts, side, share.amount), owed]
        }
    }

    /// Notes a provider's share of a capture, or of what came back of it.
    ///
    /// - Parameters:
    ///   - captureID: the entry of the capture.
    ///   - entryID: the entry of the capture or reversal.
    mutating func note(
        _ share: ProviderShare?, of captureID: Int64, by entryID: Int64, for provider: UserID?, won: Int64,
        in stripe: Stripe
    ) {
        guard let share, let provider else { return }
        providers.insert(
            ProviderShareRecord(
                journalEntryID: entryID, captureID: captureID, provider: provider, stripe: stripe, won: won,
                share: share, recordedAt: recordedAt))
    }
}
