extension Plan {
    /// The output VAT that arises when lots become these; negative: it falls away.
    ///
    /// To be asked before the lots are changed.
    func outputVAT(of changed: [Lot]) -> OutputVAT {
        changed.reduce(OutputVAT()) { sum, lot in
            sum + lot.outputVAT - (lots[lot.id]?.outputVAT ?? OutputVAT())
        }
    }

    /// The output VAT of the fee of a refund; nil: the fee pays for no supply.
    ///
    /// The fee of exempt coins is part of an exempt supply.
    func feeVAT(of quote: RefundQuote) -> Int64? {
        let lot = paidLot(of: quote.purchase)
        guard vatSettings.taxesRefundFees, quote.fee > 0, let rule = lot?.vat else { return nil }
        return rule == .exempt ? 0 : VATRule.vat(of: quote.fee)
    }

    /// The lines of output VAT; those of VAT that falls away are the opposite ones.
    ///
    /// ```
    /// Dr revenue (less by it)  recognised / Cr tax:vat-payable  payable
    /// Dr tax:vat-deferred      deferred
    /// ```
    /// If coins are used after others of the lot have expired, the VAT of the breakage can change by ₩1.
    func lines(of vat: OutputVAT, in stripe: Stripe) -> [Line] {
        [breakageLine(of: 0, vat, in: stripe)] + taxLines(of: vat, in: stripe)
    }

    /// `Cr revenue:breakage`, or `Dr` if it is below zero: breakage without its part of the output VAT.
    func breakageLine(of amount: Int64, _ vat: OutputVAT, in stripe: Stripe) -> Line {
        let net = amount - vat.breakage
        return Line(account: .system(.breakage, stripe), side: net < 0 ? .debit : .credit, amount: abs(net))
    }

    /// The lines of ``lines(of:in:)`` without that of breakage.
    func taxLines(of vat: OutputVAT, in stripe: Stripe) -> [Line] {
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
    /// The accounts that acts need for the VAT of lots, and that were not read, by stripe.
    ///
    /// Lots keep the rule of their sale, also when the setting is off. If expired coins of a lot have VAT, any use of its
    /// other coins can change the breakage by ₩1.
    var accountsLackingForVAT: [Stripe: [SystemAccount]] {
        let taxed = lots.filter { $0.vat == .atUse || $0.vat == .atSale }
        let withBreakage = stripes(of: taxed.filter { $0.suppliedBreakage > 0 }, lacking: .breakage)
        var lacking = stripes(of: taxed, lacking: .vatPayable).reduce(into: [Stripe: [SystemAccount]]()) {
            $0[$1] = [.vatPayable, .vatDeferred]
        }
        for stripe in withBreakage { lacking[stripe, default: []].append(.breakage) }
        return lacking
    }

    private func stripes(of lots: [Lot], lacking account: SystemAccount) -> Set<Stripe> {
        guard !lots.isEmpty else { return [] }
        let start = "\(account.rawValue)/".utf8
        return Set(lots.lazy.map(\.stripe)).subtracting(
            accounts.lazy.filter { $0.owner == nil && $0.code.rawValue.utf8.starts(with: start) }.map(\.stripe))
    }
}
