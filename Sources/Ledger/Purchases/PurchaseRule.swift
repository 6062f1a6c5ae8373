import Foundation

/// What the entry of a purchase posts, and the limits of its time and totals.
///
/// The plan of a purchase goes by it, and so do the functions of the database that credit purchases: a test writes
/// ``lines`` and the limits into `schema/judges/crediting.sql` (docs/decisions/0199).
enum PurchaseRule {
    /// What a line of the entry counts.
    ///
    /// The raw value is its name in SQL.
    enum Measure: String, CaseIterable {
        /// Paid coins.
        case coins
        /// Bonus coins.
        case bonus
        /// Won that were paid.
        case amount
        /// The output VAT of a sale that is a supply.
        case vat
    }

    /// An account that a line increases.
    enum Place {
        case system(SystemAccount)
        case wallet(UserAccount)
    }

    /// The lines of the entry, in order; each increases its account, and is left out if there is nothing to count.
    ///
    /// A store's purchase has the account of what the store owes in place of `gateway:receivable`, and is always planned. One in
    /// a foreign currency has both legs in its place (``Plan/owedLines(_:at:in:_:_:)``).
    static let lines: [(account: Place, measure: Measure)] = [
        (.system(.coinsIssued), .coins), (.wallet(.paid), .coins),
        (.system(.coinsPromotions), .bonus), (.wallet(.bonus), .bonus),
        (.system(.gatewayReceivable), .amount), (.system(.deferredRevenue), .amount),
        (.system(.vatPayable), .vat), (.system(.vatDeferred), .vat),
    ]

    /// The lines of a purchase's entry.
    ///
    /// - Parameters:
    ///   - rule: the rule of VAT; nil: none is booked.
    ///   - wallet: the user's account of this kind, which is opened if need be.
    static func lines(
        of act: CreditPurchase, in stripe: Stripe, vat rule: VATRule?,
        wallet: (UserAccount) -> PlannedAccounts.Reference
    ) -> [Plan.Line] {
        lines.compactMap { account, measure -> Plan.Line? in
            let amount = amount(measure, of: act, vat: rule)
            guard amount != 0 else { return nil }
            switch account {
            case .system(.gatewayReceivable):
                guard act.foreign == nil else { return nil }
                let account = SystemAccount.receivable(of: act.payment.gateway)
                return Plan.Line(account: .system(account, stripe), side: account.normalSide, amount: amount)
            case .system(let account):
                return Plan.Line(account: .system(account, stripe), side: account.normalSide, amount: amount)
            case .wallet(let account):
                return Plan.Line(account: wallet(account), side: account.normalSide, amount: amount)
            }
        }
    }

    private static func amount(_ measure: Measure, of act: CreditPurchase, vat rule: VATRule?) -> Int64 {
        switch measure {
        case .coins: act.coins.count
        case .bonus: act.bonusCoins?.count ?? 0
        case .amount: act.price.amount
        case .vat: OutputVAT(atSaleOf: act.price.amount, by: rule).payable
        }
    }
}

extension PurchaseRule {
    /// The rule as the declarations of the functions that credit purchases.
    static var sql: String {
        let system = lines.compactMap { account, measure -> (name: String, measure: String)? in
            guard case .system(let account) = account else { return nil }
            return (account.rawValue, measure.rawValue)
        }
        return """
            accounts    CONSTANT text[] := '{\(system.map(\.name).joined(separator: ","))}';
            measures    CONSTANT text[] := '{\(system.map(\.measure).joined(separator: ","))}';
            tolerance   CONSTANT interval := '\(Int64(CreditPurchase.clockTolerance)) s';
            full_total  CONSTANT bigint := \(Account.fullTotal);
            vat_divisor CONSTANT bigint := \(VATRule.divisor);

            """
    }
}
