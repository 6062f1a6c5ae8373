/// What finance can take out of the books.
///
/// `docs/exports.md` tells how each is read.
package enum Report: String, CaseIterable, Sendable {
    /// Every posting of the entries of a period.
    case journal
    /// The purchases that were paid in a period.
    case purchases
    /// The lots acquired in a period, as they stood at a moment.
    case lots
    /// What every kind of account held at a moment.
    case trialBalance = "trial-balance"
    /// The unused coins at a moment, and the won that are deferred for them.
    case liability
    /// What a reconciliation found, payment by payment.
    case reconciliation

    /// What a report is about.
    enum Scope {
        /// A period, as it was known at a moment.
        case period
        /// A moment, and what took effect by then.
        case moment
        /// A reconciliation's run, which never changes.
        case run
    }

    /// What it is about, and so which options apply.
    var scope: Scope {
        switch self {
        case .journal, .purchases, .lots: .period
        case .trialBalance, .liability: .moment
        case .reconciliation: .run
        }
    }
}
