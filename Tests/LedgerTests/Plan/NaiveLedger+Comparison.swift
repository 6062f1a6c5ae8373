import LedgerTestSupport
import Testing

@testable import Ledger

extension NaiveLedger {
    /// Balances, lots, holds, revenue and what providers earned are the same.
    func expectSame(as books: PlannedBooks) throws {
        let lots = Dictionary(grouping: books.lots, by: \.user)
        for (user, wallet) in wallets {
            let balance = Balance(user: user) { books.accounts[.user($0, of: user)]?.balance ?? 0 }
            try #require(balance.paid == wallet.paid && balance.bonus == wallet.bonus)
            try #require(balance.held == wallet.held && balance.debt == wallet.debt)
            let theirs = (lots[user] ?? []).map { [$0.remaining, $0.held, $0.deferred, $0.expired, $0.breakage] }
            try #require(theirs == wallet.lots.map { [$0.remaining, $0.held, $0.won, $0.expired, $0.breakage] })
            try #require((lots[user] ?? []).map(\.isVoided) == wallet.lots.map(\.isVoided))
        }
        for (id, name) in holdNames {
            let hold = try #require(books.holds[id])
            let mine = try #require(wallets[hold.user]?.holds[name])
            try #require(hold.status.rawValue == mine.status && hold.remaining == mine.left)
            try #require(hold.captured == mine.captured && hold.released == mine.released)
        }
        func total(_ prefix: String) -> Int64 {
            books.accounts.filter { $0.key.rawValue.hasPrefix(prefix + "/") }.reduce(0) { $0 + $1.value.balance }
        }
        func sum(_ part: (NaiveWallet) -> Int64) -> Int64 { wallets.values.reduce(0) { $0 + part($1) } }
        #expect(total("coins:deferred-revenue") == sum(\.deferred))
        // An agent's revenue is the commission; a principal has the share as a cost.
        #expect(total("revenue:coins") == sum(\.revenue) - agent.won - full.won)
        #expect(total("revenue:commission") == agent.won - agent.share)
        #expect(total("payable:provider-0") == agent.share && total("payable:provider-1") == principal.share)
        #expect(total("payable:provider-2") == full.won)
        #expect(total("cost:providers") == principal.share)
        #expect(total("revenue:breakage") == sum(\.breakage))
        #expect(total("revenue:refund-fees") == sum(\.fees))
        #expect(total("gateway:receivable") == sum(\.receivable))
        #expect(total("refunds:payable") == sum(\.payable))
        #expect(total("bank") == sum(\.bank))
        #expect(total("coins:written-off") == sum(\.writtenOff))
        for number in 0..<5 {
            let provider = "provider-\(number)"
            #expect(total("earnings:\(provider)") == sum { $0.earned[provider] ?? 0 })
        }
    }

    private var agent: (won: Int64, share: Int64) { kept("provider-0", 8000) }
    private var full: (won: Int64, share: Int64) { kept("provider-2", 10_000) }
    private var principal: (won: Int64, share: Int64) { kept("provider-1", 3333) }

    /// Whether each kind of provider has earned something, and some of it was kept back.
    var hasShares: Bool {
        agent.won > agent.share && principal.won > principal.share && principal.share > 0 && full.share > 0
    }

    /// The won of a provider's captures that did not come back, and the provider's share of each.
    private func kept(_ provider: String, _ basisPoints: Int64) -> (won: Int64, share: Int64) {
        captures.filter { $0.provider == provider }.reduce(into: (0, 0)) { sums, capture in
            let won = (wallets[capture.user]?.uses[capture.name] ?? []).reduce(0) { $0 + $1.won }
            sums.0 += won
            sums.1 += won * basisPoints / 10_000
        }
    }
}
