extension Plan {
    /// The output VAT that arises when lots become these; negative: it falls away.
    ///
    /// To be asked before the lots are changed.
    func outputVAT(of changed: [Lot]) -> OutputVAT {
        changed.reduce(OutputVAT()) { sum, lot in
            sum + lot.outputVAT - (lots[lot.id]?.outputVAT ?? OutputVAT())
        }
    }

    /// The lines of output VAT; those of VAT that falls away are the opposite ones.
    ///
    /// ```
    /// Dr revenue (less by it)  recognised / Cr tax:vat-payable  payable
    /// Dr tax:vat-deferred      deferred
    /// ```
    func lines(of vat: OutputVAT, in stripe: Stripe) -> [Line] {
        [
            Line(
                account: .system(.vatPayable, stripe), side: vat.payable < 0 ? .debit : .credit,
                amount: abs(vat.payable)),
            Line(
                account: .system(.vatDeferred, stripe), side: vat.deferred < 0 ? .credit : .debit,
                amount: abs(vat.deferred)),
        ]
    }
}

extension Snapshot {
    /// The stripes in which acts need the accounts of VAT, although the setting is off or the accounts were not read.
    ///
    /// Lots keep the rule of their sale.
    var stripesLackingVATAccounts: Set<Stripe> {
        let taxed = Set(lots.lazy.filter { $0.vat == .atUse || $0.vat == .atSale }.map(\.stripe))
        guard !taxed.isEmpty else { return [] }
        return taxed.subtracting(accounts.lazy.filter(\.code.isVATPayable).map(\.stripe))
    }
}

extension AccountCode {
    fileprivate var isVATPayable: Bool { rawValue.utf8.starts(with: SystemAccount.vatPayable.rawValue.utf8) }
}
