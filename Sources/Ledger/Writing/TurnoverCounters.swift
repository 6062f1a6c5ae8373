import Metrics

/// Counters of coins and won, by kind of entry: `ledgerd_coins_total` and `ledgerd_won_total`.
struct TurnoverCounters: Sendable {
    private struct Counters: Sendable {
        let paid: Counter
        let bonus: Counter
        let won: Counter

        init(of kind: JournalEntry.Kind) {
            func coins(_ coins: String) -> Counter {
                Counter(label: "ledgerd_coins_total", dimensions: [("entry", kind.rawValue), ("coins", coins)])
            }
            paid = coins("paid")
            bonus = coins("bonus")
            won = Counter(label: "ledgerd_won_total", dimensions: [("entry", kind.rawValue)])
        }
    }

    private let counters: [JournalEntry.Kind: Counters]

    /// All series begin at zero, so that the first increase is seen.
    init() {
        let kinds = JournalEntry.Kind.allCases.filter(\.movesCoinsOrWon)
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

extension JournalEntry.Kind {
    /// Whether its entries do more than set coins aside or release them.
    fileprivate var movesCoinsOrWon: Bool {
        switch self {
        case .purchase, .grant, .clawBack, .debtPayment, .spend, .capture, .expiry, .refund, .settlement,
            .spendReversal, .captureReversal, .refundPayment, .refundReversal, .debtBankPayment, .expiryReversal,
            .clawBackReversal:
            true
        case .hold, .void, .refundHold, .refundRelease, .disputeHold, .disputeRelease, .debtWriteOff,
            .debtWriteOffReversal, .payout, .providerRepayment, .adjustment:
            false
        }
    }
}
