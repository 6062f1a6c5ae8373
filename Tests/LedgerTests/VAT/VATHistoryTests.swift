import Foundation
import TestSupport
import Testing

@testable import Ledger

/// The same random history with and without VAT, and with settings that change in the middle of it.
@Suite(.timeLimit(.minutes(20))) struct VATHistoryTests {
    /// Seeds, and whether the settings change.
    private static let histories = [
        (Effort.seed, true), (Effort.seed, false), (Effort.seed &+ 1, true), (Effort.seed &+ 1, false),
    ].prefix(Effort.count(1, upTo: 4))

    /// The fewest batches; a history goes on until it shows all that is looked for, or has 2,000.
    private static let least = Effort.count(400, upTo: most)
    private static let most = 1000

    @Test(arguments: histories)
    func `VAT takes its part of revenue and changes nothing else`(seed: UInt64, changes: Bool) async throws {
        var history = RandomHistory(seed: seed, users: Self.least * 300 / Self.most)
        var without = PlannedBooks()
        var plain = PlannedBooks(vat: .on)
        var with = PlannedBooks(vat: .on)
        var ofAgents: Set<Int64> = []
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        for number in 0..<2000 {
            if number >= Self.least, number % 50 == 0, Self.showsAll(with, changes, except: ofAgents) { break }
            let commands = history.batch()
            if changes { with.vatSettings = Self.settings(ofBatch: number) }
            let expected = without.plan(commands, now: now)
            let plainly = plain.plan(commands, now: now)
            let plan = with.plan(commands, now: now)
            try without.apply(expected)
            try plain.apply(plainly)
            try with.apply(plan)
            let names = try plan.answers.map { try $0.get().name }
            #expect(try expected.answers.map { try $0.get().name } == names)
            history.learn(from: plan)
            for redemption in plan.answers.compactMap({ $0.answer?.redeemed }) where redemption.share?.role == .agent {
                ofAgents.formUnion(redemption.left.map(\.lotID))
            }
            await Task.yield()
            now += 5
        }
        try with.checkAsAWhole()
        Self.expectVAT(of: with)
        Self.expectSame(with, without)
        Self.expectSameRevenue(with, plain)
        try Self.expectRecognised(with, except: ofAgents)
        let taxed = with.lots.filter { $0.suppliedBreakage > 0 }
        #expect(taxed.isEmpty == !changes)
        #expect(Self.showsAll(with, changes, except: ofAgents))
    }

    /// Whether the books have what the rules are about: enough lots of which something was recognised, and with changing
    /// settings, breakage and fees with VAT and without.
    private static func showsAll(_ books: PlannedBooks, _ changes: Bool, except ofAgents: Set<Int64>) -> Bool {
        guard unbroken(books, except: ofAgents).count(where: { $0.taxed > 0 }) > 20,
            books.total(.vatPayable) > 0, books.total(.vatDeferred) > 0
        else { return false }
        guard changes else { return true }
        let refunds = books.refunds.values
        func isTaxed(_ status: Refund.Status) -> Bool {
            refunds.contains { ($0.feeVAT ?? 0) > 0 && $0.status == status }
        }
        return books.lots.contains { $0.suppliedBreakage > 0 }
            && books.lots.contains { $0.vat != nil && $0.breakage > 0 && $0.suppliedBreakage == 0 }
            && isTaxed(.refused) && isTaxed(.reversed) && refunds.contains { $0.feeVAT == nil && $0.fee > 0 }
    }

    /// Each of the two settings is on in half of the batches, and both in a quarter.
    private static func settings(ofBatch number: Int) -> VATSettings {
        VATSettings(isBooked: true, taxesBreakage: number / 20 % 2 == 0, taxesRefundFees: number / 40 % 2 == 0)
    }

    /// The accounts are the sums of 10/110 of what was recognised of each lot and kept as fees.
    private static func expectVAT(of books: PlannedBooks) {
        var (payable, deferred, ofBreakage): (Int64, Int64, Int64) = (0, 0, 0)
        for lot in books.lots where lot.vat == .atUse || lot.vat == .atSale {
            let used = max(0, lot.taxed) * 10 / 110
            let recognised = max(0, lot.taxed + lot.suppliedBreakage) * 10 / 110
            let ahead = lot.vat == .atSale ? max(0, lot.taxed + lot.deferred + lot.suppliedBreakage) * 10 / 110 : 0
            payable += lot.vat == .atSale ? ahead : recognised
            deferred += lot.vat == .atSale ? ahead - recognised : 0
            ofBreakage += recognised - used
        }
        let fees = fees(of: books)
        payable += books.debtsPaidInWon.reduce(0) { $0 + $1 * 10 / 110 } + fees.vat
        #expect(books.total(.vatPayable) == payable && payable > 0)
        #expect(books.total(.vatDeferred) == deferred && deferred > 0)
        #expect(books.total(.breakage) == books.lots.reduce(0) { $0 + $1.breakage } - ofBreakage)
        #expect(books.total(.refundFees) == fees.won - fees.vat)
    }

    /// The fees that were kept, and their VAT.
    private static func fees(of books: PlannedBooks) -> (won: Int64, vat: Int64) {
        let kept = books.refunds.values.filter { $0.status == .completed || $0.status == .approved }
        return (kept.reduce(0) { $0 + $1.fee }, kept.reduce(0) { $0 + ($1.feeVAT ?? 0) })
    }

    /// All accounts but those of revenue and VAT are as without it, and revenue is less by what was recognised.
    private static func expectSame(_ with: PlannedBooks, _ without: PlannedBooks) {
        let revenues: [SystemAccount] = [.revenue, .commission, .breakage, .refundFees]
        for account in SystemAccount.allCases where !(revenues + [.vatPayable, .vatDeferred]).contains(account) {
            #expect(with.total(account) == without.total(account), "\(account)")
        }
        func balances(_ books: PlannedBooks) -> [AccountCode: Int64] {
            books.accounts.values.filter { $0.owner != nil }.reduce(into: [:]) { $0[$1.code] = $1.balance }
        }
        #expect(balances(with) == balances(without))
        #expect(without.total(.vatPayable) == 0 && without.total(.vatDeferred) == 0)
        let vat = with.total(.vatPayable) - with.total(.vatDeferred)
        func total(_ books: PlannedBooks) -> Int64 { revenues.reduce(0) { $0 + books.total($1) } }
        #expect(total(without) == total(with) + vat)
    }

    /// VAT of breakage and of fees changes nothing of what was used.
    private static func expectSameRevenue(_ with: PlannedBooks, _ plain: PlannedBooks) {
        for account in [SystemAccount.revenue, .commission] { #expect(with.total(account) == plain.total(account)) }
        #expect(with.lots.map(\.taxed) == plain.lots.map(\.taxed))
    }

    /// Of a lot whose payment did not go back and which no agent got, what was recognised is what is neither deferred
    /// nor expired.
    private static func expectRecognised(_ books: PlannedBooks, except ofAgents: Set<Int64>) throws {
        for lot in unbroken(books, except: ofAgents) {
            try #require(lot.taxed == lot.amount - lot.deferred - lot.breakage)
        }
    }

    /// The lots with VAT whose payment did not go back and which no agent got.
    private static func unbroken(_ books: PlannedBooks, except ofAgents: Set<Int64>) -> [Lot] {
        let whole = Set(
            books.purchases.filter { $0.refundedAmount == 0 && $0.refundedCoins == 0 && $0.chargedCoins == 0 }.map(\.id)
        )
        return books.lots.filter { lot in
            lot.vat != nil && !ofAgents.contains(lot.id) && lot.purchaseID.map(whole.contains) == true
        }
    }
}

extension PlannedBooks {
    /// The balance of a system account over all stripes.
    fileprivate func total(_ account: SystemAccount) -> Int64 {
        accounts.values.filter { $0.owner == nil && $0.code.rawValue.hasPrefix("\(account.rawValue)/") }
            .reduce(0) { $0 + $1.balance }
    }
}
