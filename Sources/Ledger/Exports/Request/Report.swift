/// What finance can take out of the books.
///
/// `docs/exports.md` tells how each is read.
public enum Report: String, CaseIterable, Sendable {
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

    /// Whether it is about a period; the others only about a moment.
    var takesPeriod: Bool {
        switch self {
        case .journal, .purchases, .lots: true
        case .trialBalance, .liability: false
        }
    }
}
