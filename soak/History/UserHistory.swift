/// One user's entries in the order in which they were committed, with the balance after each.
struct UserHistory {
    let user: String
    /// In order.
    let entries: [Books.Entry]
    /// The balances: first the empty wallet, then that after each entry.
    let states: [Coins]
    /// The place of each entry in `entries`.
    let places: [Int64: Int]
    /// Where an account's postings contradict that order.
    let problems: [String]

    /// Orders entries by commit.
    ///
    /// A user's acts are serialized by the locks of the user's accounts, so the commits have one order; the entries of a
    /// transaction have that of their ids. The ids of transactions are given before the locks, and have another.
    init(user: String, entries unordered: [Books.Entry]) {
        self.user = user
        entries = unordered.sorted { ($0.committedAt, $0.transaction, $0.id) < ($1.committedAt, $1.transaction, $1.id) }
        var problems: [String] = []
        var states = [Coins()]
        var accounts: [String: (place: Int64, balance: Int64)] = [:]
        for entry in entries {
            for line in entry.lines.sorted(by: { $0.place < $1.place }) {
                let before = accounts[line.account] ?? (0, 0)
                if line.place != before.place + 1 || line.balance != before.balance + line.change {
                    problems.append(
                        "entry \(entry.id) changes \(line.account) by \(line.change) to \(line.balance) as posting "
                            + "\(line.place), after posting \(before.place) with \(before.balance)")
                }
                accounts[line.account] = (line.place, line.balance)
            }
            states.append(Coins(accounts.mapValues(\.balance)))
        }
        self.states = states
        self.problems = problems
        places = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }
}

extension Coins {
    fileprivate init(_ balances: [String: Int64]) {
        self.init(
            paid: balances["wallet:paid", default: 0], bonus: balances["wallet:bonus", default: 0],
            held: balances["held:paid", default: 0] + balances["held:bonus", default: 0],
            debt: balances["debt", default: 0])
    }
}
