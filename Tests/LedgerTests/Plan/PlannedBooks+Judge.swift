import Foundation
import Testing

@testable import Ledger

extension PlannedBooks {
    /// At every moment, by what had taken effect, every lot has some coins or none, in the wallet and held.
    var lotsBelowZeroInTime: [Int64] {
        lots.filter { lot in
            var (remaining, held) = (lot.coins, Int64(0))
            let moments = Dictionary(grouping: changes[lot.id] ?? [], by: \.effectiveAt).sorted { $0.key < $1.key }
            return moments.contains { _, changes in
                remaining += changes.reduce(0) { $0 + $1.remaining }
                held += changes.reduce(0) { $0 + $1.held }
                return remaining < 0 || held < 0
            }
        }.map(\.id)
    }

    /// Every entry balances in each currency and lies in one stripe; every posting follows the one before it in its
    /// account, number by number and balance by balance; nobody's own account is below zero; totals are what was posted.
    mutating func post(_ plan: Plan) throws {
        var sums: [String: Int64] = [:]
        var running = accounts
        let entries = Dictionary(uniqueKeysWithValues: plan.journal.entries.map { ($0.id, $0) })
        for posting in plan.journal.postings {
            let entry = try #require(entries[posting.journalEntryID])
            let code = try #require(codeByID[posting.accountID])
            var account = try #require(running[code])
            sums["\(entry.id) \(posting.currency.code)", default: 0] +=
                posting.side == .debit ? posting.amount : -posting.amount
            switch posting.side {
            case .debit: account.debits += posting.amount
            case .credit: account.credits += posting.amount
            }
            account.seq += 1
            try #require(account.postedAt ?? .distantPast <= entry.recordedAt)
            account.postedAt = entry.recordedAt
            try #require(posting.amount > 0)
            try #require(posting.stripe == entry.stripe && account.stripe == entry.stripe)
            try #require(posting.currency == account.currency)
            try #require(posting.seq == account.seq && posting.balance == account.balance)
            try #require(account.owner == nil || account.currency == .won || account.balance >= 0)
            if code.rawValue.hasPrefix("debt:"), let user = account.owner {
                histories[user, default: DebtHistory()].add(
                    DebtHistory.Line(
                        user: user, owner: user, into: nil, kind: entry.kind.rawValue,
                        purchase: Int64(entry.reference.dropFirst(9)),
                        coins: posting.amount, balance: posting.balance, effectiveAt: entry.effectiveAt))
            }
            if entry.kind == .clawBack, code.rawValue.hasPrefix("debt:") {
                owedByReference[entry.reference, default: 0] += posting.amount
            }
            running[code] = account
        }
        try #require(sums.values.allSatisfy { $0 == 0 })
        accounts = running
    }

    /// Nobody owes coins and has some that can be used.
    func judge(_ touched: [Account], at moment: Date) throws {
        for user in Set(touched.compactMap(\.owner)) where debt(of: user) > 0 {
            let open = (openLotPlacesByUser[user] ?? []).map { lots[$0] }
            try #require(!open.contains { $0.remaining > 0 && !$0.isExpired(at: moment) }, "\(user)")
        }
    }

    /// Of a payment that went back whole nothing that can be used is left but what is held, or was held and was owed for.
    func judge(_ reversed: [Int64], and lots: [Lot], at moment: Date) throws {
        for id in Set(reversed + lots.compactMap(\.purchaseID)) {
            guard let place = purchasePlaces[id] else { continue }
            let purchase = purchases[place]
            let left = (lotPlacesByPurchase[id] ?? []).map { self.lots[$0] }
            guard purchase.refundedAmount == purchase.amount, left.allSatisfy({ $0.held == 0 }) else { continue }
            // Nobody can use what has expired; its expiry takes it.
            let coins = left.filter { !$0.isExpired(at: moment) }.reduce(0) { $0 + $1.remaining }
            try #require(
                coins <= owedByReference["purchase:\(id)", default: 0] + returnedOfPurchase[id, default: 0],
                "\(purchase) at \(moment): \(left)")
        }
    }
}
