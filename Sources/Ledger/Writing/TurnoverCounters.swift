import Metrics

/// Counters of coins and won, by kind of entry: `ledgerd_coins_total` and `ledgerd_won_total`.
struct TurnoverCounters: Sendable {
    private struct Counters: Sendable {
        let paid: Counter
        let bonus: Counter
        let won: Counter

        init(of kind: EntryKind) {
            func coins(_ coins: String) -> Counter {
                Counter(label: "ledgerd_coins_total", dimensions: [("entry", kind.rawValue), ("coins", coins)])
            }
            paid = coins("paid")
            bonus = coins("bonus")
            won = Counter(label: "ledgerd_won_total", dimensions: [("entry", kind.rawValue)])
        }
    }

    private let counters: [EntryKind: Counters]

    /// All series begin at zero, so that the first increase is seen.
    init() {
        let kinds = EntryKind.allCases.filter(\.row.isCounted)
        counters = Dictionary(uniqueKeysWithValues: kinds.map { ($0, Counters(of: $0)) })
    }

    func count(_ turnover: Turnover) {
        for (kind, amounts) in turnover.amounts {
            guard let counters = counters[kind] else { continue }
            counters.paid.increment(by: amounts.paid)
            counters.bonus.increment(by: amounts.bonus)
            counters.won.increment(by: amounts.won)
        }
    }
}
