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
    /// The unused coins at a moment, and the won deferred for them.
    case liability
    /// The payments of a reconciliation run.
    case reconciliation
    /// What was done in the console in a period, by whom and why.
    case audit

    /// What a report covers.
    enum Scope {
        /// A period, as recorded by a moment.
        case period
        /// A moment.
        case moment
        /// A reconciliation run, which never changes.
        case run
    }

    /// What the report covers, which decides the options that apply.
    var scope: Scope {
        switch self {
        case .journal, .purchases, .lots, .audit: .period
        case .trialBalance, .liability: .moment
        case .reconciliation: .run
        }
    }
}
