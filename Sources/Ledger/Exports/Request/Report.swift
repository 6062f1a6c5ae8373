/// The reports that can be exported.
///
/// `docs/exports.md` describes them.
package enum Report: String, CaseIterable, Sendable {
    /// All postings of the entries of a period.
    case journal
    /// The purchases that were paid in a period.
    case purchases
    /// The lots acquired in a period, with their state at a moment.
    case lots
    /// The balance of every kind of account at a moment.
    case trialBalance = "trial-balance"
    /// The opening balance, the totals and the balance of every kind of account in a period.
    case trialBalanceTotals = "trial-balance-totals"
    /// The won of the journal, day by day, in the accounts of an ERP.
    case vouchers
    /// The supplies of a period and their VAT, and the input VAT of the gateway's fees.
    case vat
    /// The gateways' fees to expect on what is outstanding at a moment.
    case feeAccrual = "fee-accrual"
    /// The unused coins at a moment, and the won deferred for them.
    case liability
    /// What was issued, used, refunded and expired on each day of a period, and what is outstanding at its end.
    case prepaid
    /// What each user has at a moment.
    case userBalances = "user-balances"
    /// The adjustments of months' ends, by month of sale.
    case adjustments
    /// What became of the coins that were sold in each month, up to a moment.
    case breakage
    /// The payments of a reconciliation run.
    case reconciliation
    /// What was done in the console in a period, by whom and why.
    case audit

    /// What a report covers.
    enum Coverage {
        /// A period, as recorded by a moment.
        case period
        /// A moment.
        case moment
        /// A reconciliation run, which never changes.
        case run
    }

    /// What the report covers, which decides the options that apply.
    var coverage: Coverage {
        switch self {
        case .journal, .purchases, .lots, .audit, .trialBalanceTotals, .vouchers, .vat, .prepaid,
            .adjustments:
            .period
        case .trialBalance, .liability, .feeAccrual, .userBalances, .breakage: .moment
        case .reconciliation: .run
        }
    }

    /// Whether the report has rows for each day, so that it needs both ends of the period.
    var isByDay: Bool { self == .prepaid || self == .vouchers }
}
