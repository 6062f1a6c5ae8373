/// What was paid for a purchase in a foreign currency.
///
/// The amount of the purchase is its worth at the rate, and what goes back of it goes back at the same rate
/// (docs/decisions/0223).
package struct ForeignPayment: Hashable, Sendable {
    /// The highest amount: far below the limit of an account's totals, as ``Price/highest`` is of won.
    package static let highest: Int64 = 1_000_000_000_000_000

    /// In minor units of ``currency``.
    package let amount: Int64
    package let currency: ForeignCurrency
    /// The rate of the payment.
    package let rateID: Int64
    /// What of it the gateway gave back, in minor units.
    package let refunded: Int64

    /// A payment of which nothing went back.
    package init(amount: Int64, currency: ForeignCurrency, rateID: Int64) {
        self.init(amount: amount, currency: currency, rateID: rateID, refunded: 0)
    }

    fileprivate init(amount: Int64, currency: ForeignCurrency, rateID: Int64, refunded: Int64) {
        self.amount = amount
        self.currency = currency
        self.rateID = rateID
        self.refunded = refunded
    }
}

extension Purchase {
    /// What was paid, if that was not won.
    package var foreign: ForeignPayment? {
        guard let foreignAmount, let foreignCurrency, let rateID else { return nil }
        return ForeignPayment(
            amount: foreignAmount, currency: foreignCurrency, rateID: rateID, refunded: foreignRefunded ?? 0)
    }

    /// The amount as the gateway has it, in minor units of ``paidCurrency``.
    package var paidAmount: Int64 { foreignAmount ?? amount }
    /// The payment's currency.
    package var paidCurrency: Currency { foreignCurrency.map(Currency.init) ?? currency }
    /// What the gateway gave back according to the books, in minor units of ``paidCurrency``.
    package var paidBack: Int64 { foreignRefunded ?? cancelledAmount }

    /// The won of what is cancelled at the gateway in all: the same share of the purchase's won, rounded down.
    ///
    /// So the parts that are cancelled one after the other add up, and all of the payment is all of the won.
    ///
    /// - Parameter cancelled: in minor units of ``paidCurrency``.
    package func worth(ofCancelled cancelled: Int64) -> Int64 {
        guard let foreignAmount else { return cancelled }
        return amount.share(max(0, min(cancelled, foreignAmount)), of: foreignAmount)
    }

    /// The won that leave the carrying amount when so much of the payment is settled in all: the amount less what would go back
    /// of the rest (docs/decisions/0225).
    ///
    /// So a payment that is settled or went back in whole has no won left, whatever its parts were.
    ///
    /// - Parameter settled: in minor units of ``paidCurrency``; below zero: more was deducted than paid out.
    func worth(ofSettled settled: Int64) -> Int64 {
        guard let foreignAmount else { return settled }
        if settled < 0 { return -amount.share(-settled, of: foreignAmount) }
        return amount - amount.share(foreignAmount - settled, of: foreignAmount)
    }

    /// What was settled, in minor units of ``paidCurrency``.
    package var paidOut: Int64 { foreignAmount == nil ? settledAmount : foreignSettled ?? 0 }

    /// Adds what a line settles.
    ///
    /// - Returns: the won that leave the carrying amount; of a payment in won, the line's gross amount.
    @discardableResult
    mutating func settle(_ line: SettlementLineDraft) -> Int64 {
        let settled = paidOut + line.paid
        let won = worth(ofSettled: settled) - settledAmount
        settledAmount += won
        if foreignAmount != nil { foreignSettled = settled }
        return won
    }

    /// The part that is not in the books yet when this much is cancelled at the gateway in all.
    ///
    /// - Parameter won: what is to be taken back of it.
    func part(of won: Int64, cancelled: Int64) -> PaidPart {
        PaidPart(won: won, foreign: foreignAmount.map { min(cancelled, $0) - (foreignRefunded ?? 0) })
    }

    /// Whether the part that is not in the books yet is booked when this much is cancelled at the gateway in all.
    ///
    /// A part that is worth no won is booked if we can refund the purchase: a refund tells the gateway what is left of the
    /// payment. In the App Store, it is booked with the next part.
    ///
    /// - Parameter won: what is to be taken back of it.
    package func isDue(_ won: Int64, cancelled: Int64) -> Bool {
        won > 0 || won == 0 && isRefundable && part(of: won, cancelled: cancelled).foreign ?? 0 > 0
    }
}

extension Snapshot {
    /// The accounts of foreign currencies that purchases may be posted to and that were not read, in stripes whose locks are held.
    var foreignAccountsLacking: [AccountCode] {
        let paid = purchases.compactMap { purchase in purchase.foreign.map { (purchase, $0.currency) } }
        guard !paid.isEmpty else { return [] }
        let posted = settlementLines.isEmpty ? ForeignAccount.ofPurchase(at:in:) : ForeignAccount.ofSettlement(at:in:)
        let locked = Set(accounts.lazy.filter { $0.owner == nil }.map(\.stripe))
        let codes = paid.flatMap { purchase, currency in
            let stripe = Stripe(of: purchase.user, among: stripes)
            guard locked.contains(stripe) else { return [AccountCode]() }
            return posted(purchase.payment.gateway, currency).map { .foreign($0, stripe) }
        }
        return Array(Set(codes).subtracting(accounts.map(\.code)))
    }
}

/// A part of what was paid for a purchase.
struct PaidPart: Sendable, Equatable {
    let won: Int64
    /// In minor units of the payment's currency; nil: it was paid in won.
    let foreign: Int64?
}

extension Plan {
    /// What a gateway owes of a payment, as lines that put it on its accounts, or take it off.
    ///
    /// ```
    /// Dr gateway:receivable won
    /// ```
    /// In a foreign currency:
    /// ```
    /// Dr gateway:receivable:USD  amount  / Cr fx:clearing:USD  amount
    /// Dr fx:clearing:USD:KRW     won
    /// ```
    func owedLines(
        _ part: PaidPart, at gateway: String, in currency: ForeignCurrency?, _ side: Side, _ stripe: Stripe
    ) -> [Line] {
        owedLines(part, on: .receivable(of: gateway), in: currency, side, stripe)
    }

    /// The same on the account of what is owed.
    func owedLines(
        _ part: PaidPart, on account: SystemAccount, in currency: ForeignCurrency?, _ side: Side, _ stripe: Stripe
    ) -> [Line] {
        guard let currency, let foreign = part.foreign else {
            return [Line(account: .system(account, stripe), side: side, amount: part.won)]
        }
        return [
            line(of: .receivable(account, currency), in: stripe, side, foreign),
            line(of: .clearing(currency), in: stripe, side.opposite, foreign),
            line(of: .carrying(currency), in: stripe, side, part.won),
        ]
    }

    /// The same of a purchase.
    func owedLines(_ part: PaidPart, of purchase: Purchase, _ side: Side, in stripe: Stripe) -> [Line] {
        owedLines(part, at: purchase.payment.gateway, in: purchase.foreignCurrency, side, stripe)
    }

    func line(of account: ForeignAccount, in stripe: Stripe, _ side: Side, _ amount: Int64) -> Line {
        guard let place = journal.accounts.place(of: account, in: stripe) else {
            preconditionFailure("\(account.name) was not loaded")
        }
        return Line(account: .place(place), side: side, amount: amount)
    }
}
