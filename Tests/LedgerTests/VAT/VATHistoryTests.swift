import Foundation
import Testing

@testable import Ledger

/// The same random history with and without VAT.
@Suite(.timeLimit(.minutes(10))) struct VATHistoryTests {
    @Test(arguments: [3, 20_261_123] as [UInt64])
    func `VAT takes its part of revenue and changes nothing else`(seed: UInt64) async throws {
        var history = RandomHistory(seed: seed)
        var without = PlannedBooks()
        var with = PlannedBooks(booksVAT: true)
        var ofAgents: Set<Int64> = []
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        for _ in 0..<1200 {
            let commands = history.batch()
            let expected = without.plan(commands, now: now)
            let plan = with.plan(commands, now: now)
            try without.apply(expected)
            try with.apply(plan)
            let names = try plan.answers.map { try $0.get().name }
            #expect(try expected.answers.map { try $0.get().name } == names)
            history.learn(from: plan)
            for redemption in plan.answers.compactMap({ $0.answer?.redeemed }) where redemption.share?.role == .agent {
                ofAgents.formUnion(redemption.left.map(\.lotID))
            }
            await Task.yield()
            now += 1
        }
        try with.checkAsAWhole()
        Self.expectVAT(of: with)
        Self.expectSame(with, without)
        try Self.expectRecognised(with, except: ofAgents)
    }

    /// The accounts are the sums of 10/110 of what was recognised of each lot.
    private static func expectVAT(of books: PlannedBooks) {
        var (payable, deferred): (Int64, Int64) = (0, 0)
        for lot in books.lots {
            let before = lot.vat == .atUse || lot.vat == .atSale ? max(0, lot.taxed) * 10 / 110 : 0
            let whole = lot.vat == .atSale ? max(0, lot.taxed + lot.deferred) * 10 / 110 : before
            payable += whole
            deferred += whole - before
        }
        payable += books.debtsPaidInWon.reduce(0) { $0 + $1 * 10 / 110 }
        #expect(books.total(.vatPayable) == payable && payable > 0)
        #expect(books.total(.vatDeferred) == deferred && deferred > 0)
    }

    /// All accounts but those of revenue and VAT are as without it, and revenue is less by what was recognised.
    private static func expectSame(_ with: PlannedBooks, _ without: PlannedBooks) {
        let changed: [SystemAccount] = [.revenue, .commission, .vatPayable, .vatDeferred]
        for account in SystemAccount.allCases where !changed.contains(account) {
            #expect(with.total(account) == without.total(account), "\(account)")
        }
        func balances(_ books: PlannedBooks) -> [AccountCode: Int64] {
            books.accounts.values.filter { $0.owner != nil }.reduce(into: [:]) { $0[$1.code] = $1.balance }
        }
        #expect(balances(with) == balances(without))
        let vat = with.total(.vatPayable) - with.total(.vatDeferred)
        for books in [without] { #expect(books.total(.vatPayable) == 0 && books.total(.vatDeferred) == 0) }
        #expect(
            without.total(.revenue) + without.total(.commission)
                == with.total(.revenue) + with.total(.commission) + vat)
    }

    /// Of a lot whose payment did not go back and which no agent got, what was recognised is what is neither deferred
    /// nor expired.
    private static func expectRecognised(_ books: PlannedBooks, except ofAgents: Set<Int64>) throws {
        let whole = Set(
            books.purchases.filter { $0.refundedAmount == 0 && $0.refundedCoins == 0 && $0.chargedCoins == 0 }.map(\.id)
        )
        var count = 0
        for lot in books.lots where lot.vat != nil && !ofAgents.contains(lot.id) {
            guard let purchase = lot.purchaseID, whole.contains(purchase) else { continue }
            try #require(lot.taxed == lot.amount - lot.deferred - lot.breakage)
            count += lot.taxed > 0 ? 1 : 0
        }
        #expect(count > 100)
    }
}

extension PlannedBooks {
    /// The balance of a system account over all stripes.
    fileprivate func total(_ account: SystemAccount) -> Int64 {
        accounts.values.filter { $0.owner == nil && $0.code.rawValue.hasPrefix("\(account.rawValue)/") }
            .reduce(0) { $0 + $1.balance }
    }
}
