/// Coins and won that entries moved, by kind of entry.
struct Turnover: Sendable, Equatable {
    /// What entries of one kind moved.
    struct Amounts: Sendable, Equatable {
        /// Paid coins that came into users' accounts, or left them; coins that only became held are in them before and after.
        var paid: Int64 = 0
        /// The same of bonus coins.
        var bonus: Int64 = 0
        /// Won that the gateway took, gave back or paid out, or that are owed for refunds; if there are none, won that were
        /// recognised as revenue, or reached the bank.
        var won: Int64 = 0
    }

    private(set) var amounts: [EntryKind: Amounts] = [:]

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - userAccount: the account that a line names, if it is a user's.
    ///   - isCarrying: whether a line is of won that are carried for what gateways owe in a foreign currency.
    mutating func add(
        _ kind: EntryKind, _ lines: [Plan.Line], userAccount: (PlannedAccounts.Reference) -> UserAccount?,
        isCarrying: (PlannedAccounts.Reference) -> Bool = { _ in false }
    ) {
        var entry = Amounts()
        var outside: Int64 = 0
        var bank: Int64 = 0
        for line in lines {
            let amount = line.side == .credit ? line.amount : -line.amount
            switch line.account {
            case .system(.gatewayReceivable, _), .system(.appStoreReceivable, _), .system(.googlePlayReceivable, _),
                .system(.refundsPayable, _):
                outside += amount
            case .system(.bank, _): bank += amount
            case .system(.deferredRevenue, _): entry.won += amount
            case .system: break
            case .place:
                switch userAccount(line.account) {
                case .paid, .heldPaid: entry.paid += amount
                case .bonus, .heldBonus: entry.bonus += amount
                case nil where isCarrying(line.account): outside += amount
                case .debt, nil: break
                }
            }
        }
        // A repaid refund is reversed against the bank.
        if kind == .refundReversal { outside += bank }
        if outside != 0 { entry.won = outside }
        if entry.won == 0 { entry.won = bank }
        // Below what an integer holds: no account's total is more than a sixteenth of it.
        amounts[kind, default: Amounts()].add(entry)
    }
}

extension Turnover.Amounts {
    fileprivate mutating func add(_ entry: Self) {
        paid += abs(entry.paid)
        bonus += abs(entry.bonus)
        won += abs(entry.won)
    }
}
