import Testing

@testable import Ledger

extension PlannedBooks {
    /// What the plan's postings moved, added up by accounts' names.
    func turnover(of plan: Plan) -> [EntryKind: Turnover.Amounts] {
        let codes = Dictionary(uniqueKeysWithValues: accounts.map { ($0.value.id, $0.key.rawValue) })
        var turnover: [EntryKind: Turnover.Amounts] = [:]
        let postings = Dictionary(grouping: plan.journal.postings, by: \.journalEntryID)
        for entry in plan.journal.entries {
            func net(_ prefixes: String..., suffix: String = "") -> Int64 {
                postings[entry.id, default: []].reduce(0) { sum, posting in
                    let code = codes[posting.accountID] ?? ""
                    guard prefixes.contains(where: code.hasPrefix), code.hasSuffix(suffix) else { return sum }
                    return sum + (posting.side == .credit ? posting.amount : -posting.amount)
                }
            }
            let repaid = entry.kind == .refundReversal ? net("bank/") : 0
            let outside = abs(net("gateway:receivable/", "refunds:payable/") + repaid)
            let recognised = abs(net("coins:deferred-revenue/"))
            let amounts = Turnover.Amounts(
                paid: abs(net("wallet:", "held:", suffix: ":paid")),
                bonus: abs(net("wallet:", "held:", suffix: ":bonus")),
                won: outside > 0 ? outside : recognised > 0 ? recognised : abs(net("bank/")))
            turnover[entry.kind] = turnover[entry.kind].map { Turnover.Amounts(sumOf: $0, amounts) } ?? amounts
        }
        return turnover
    }

    private static let withoutWon: [EntryKind] = [
        .hold, .void, .refundHold, .refundRelease, .disputeHold, .disputeRelease, .debtWriteOff,
        .debtWriteOffReversal,
    ]
    private static let received: [EntryKind] = [
        .purchase, .grant, .spendReversal, .captureReversal, .refundReversal, .expiryReversal, .clawBackReversal,
    ]
    private static let used: [EntryKind] = [.spend, .capture, .expiry, .refund, .clawBack, .debtPayment, .grantVoid]
    private static let ofCoins = received + used

    /// Whether every kind of entry happened that ``expectTotals(_:)`` looks at.
    static func isTelling(_ turnover: [EntryKind: Turnover.Amounts]) -> Bool {
        (withoutWon + ofCoins).allSatisfy { turnover[$0] != nil }
    }

    /// The counters of a whole history agree with the balances that it leaves.
    func expectTotals(_ turnover: [EntryKind: Turnover.Amounts]) {
        func coins(_ kind: EntryKind) -> Int64 { turnover[kind].map { $0.paid + $0.bonus } ?? 0 }
        func won(_ kind: EntryKind) -> Int64 { turnover[kind]?.won ?? 0 }
        let owned = accounts.filter { $0.key.rawValue.hasPrefix("wallet:") || $0.key.rawValue.hasPrefix("held:") }
        let left = Self.received.reduce(0) { $0 + coins($1) } - Self.used.reduce(0) { $0 + coins($1) }
        #expect(left == owned.values.reduce(0) { $0 + $1.balance })
        #expect(won(.purchase) == purchases.reduce(0) { $0 + $1.amount })
        #expect(
            won(.refund) + won(.clawBack) - won(.refundReversal) - won(.clawBackReversal)
                == purchases.reduce(0) { $0 + $1.refundedAmount })
        #expect(won(.refundPayment) > 0 && won(.debtBankPayment) > 0)
        for kind in Self.withoutWon {
            #expect(turnover[kind] == Turnover.Amounts(), "\(kind) only sets aside")
        }
        for kind in Self.ofCoins {
            #expect(coins(kind) > 0, "\(kind)")
        }
    }
}

extension Turnover.Amounts {
    init(sumOf first: Self, _ second: Self) {
        self.init(paid: first.paid + second.paid, bonus: first.bonus + second.bonus, won: first.won + second.won)
    }
}
