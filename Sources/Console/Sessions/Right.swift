import Ledger

/// What a page or an act of the console needs.
enum Right: String, CaseIterable, Sendable {
    /// Read customers and payments.
    case read
    /// Ask the gateway about a payment again, and book its answer.
    case lookUp
    /// Write notes on customers.
    case note
    /// Refund purchases.
    case refund
    /// Grant coins.
    case grant
    /// Release held coins to the wallet.
    case voidHold
    /// Pause, resume and revoke automatic top-ups.
    case topUp
    /// Pause, resume and void campaigns.
    case campaign
    /// Ask to forget customers, and cancel it.
    case forget
    /// Take back spends and captures, so that their coins return to the customer.
    case reverse
    /// Forgive coins that a customer owes.
    case writeOff
    /// Approve or decline acts above the limits that somebody else proposed.
    case approve
    /// Read what was done in the console.
    case audit
    /// Work on findings: assign and note them, and credit their payments or give them back.
    case workOnFindings
    /// Resolve findings without a credit.
    case decideFindings
    /// Read the books: figures, accounts, reconciliations and settlements.
    case readBooks
    /// Start reconciliations and import settlement files.
    case keepBooks
    /// Change what is on sale.
    case sell
    /// Add, change, test and disable endpoints, and send events again.
    case manageEndpoints
}

extension Person.Role {
    /// What the role may do: the only place that says so.
    var rights: Set<Right> {
        switch self {
        case .viewer: [.read]
        case .support: [.read, .lookUp, .note, .refund, .grant, .voidHold, .topUp, .forget, .reverse, .workOnFindings]
        case .finance:
            [
                .read, .lookUp, .note, .refund, .grant, .voidHold, .topUp, .campaign, .forget, .reverse, .writeOff,
                .approve, .audit, .workOnFindings, .decideFindings, .readBooks, .keepBooks,
            ]
        case .administrator: Set(Right.allCases)
        }
    }
}
