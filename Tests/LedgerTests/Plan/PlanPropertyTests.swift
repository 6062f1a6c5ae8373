import Foundation
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct PlanPropertyTests {
    private static let most = 40_000
    private static let least = Effort.count(8_000, upTo: most)

    /// One by one, so that `PlannedBooks` judges after every act, and in batches, as `PlanInDatabaseTests` always does.
    @Test(arguments: [1, 48].prefix(Effort.count(1, upTo: 2)))
    func `random commands keep the books balanced at every step`(largestBatch: Int) async throws {
        let (least, most) = (Self.least, Self.most)
        var history = RandomHistory(
            seed: Effort.seed, largestBatch: largestBatch, users: least * 300 / most, gives: true)
        var books = PlannedBooks()
        var model = NaiveLedger()
        var outcomes: [String: Int] = [:]
        var turnover: [EntryKind: Turnover.Amounts] = [:]
        var count = 0
        var hadShares = false
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        // A history in which one of the outcomes never happened would prove little, so it goes on until all have.
        func isTelling() -> Bool {
            AnswerNames.all.allSatisfy { outcomes[$0] != nil } && hadShares && PlannedBooks.isTelling(turnover)
                && books.returnsVoided > 0 && model.otherNames.same > 9 && model.otherNames.another > 4
        }
        while count < least || count < 2 * most && !isTelling() {
            let commands = history.batch()
            let plan = books.plan(commands, now: now)
            try #require(plan.answers.count == commands.count)
            try books.apply(plan)
            #expect(plan.journal.turnover.amounts == books.turnover(of: plan))
            turnover.merge(plan.journal.turnover.amounts) { Turnover.Amounts(sumOf: $0, $1) }
            history.learn(from: plan)
            try model.follow(commands, plan)
            hadShares = hadShares || model.hasShares
            for answer in plan.answers { outcomes[try answer.get().name, default: 0] += 1 }
            count += commands.count
            await Task.yield()  // tests with a clock run beside this one, on as many threads as there are cores
            // Clocks go back now and then. A short history takes as long as a long one, so that as much expires.
            now += Double((count.isMultiple(of: 7) ? -1 : 1) * most / least)
        }
        try books.checkAsAWhole()
        try model.expectSame(as: books)
        #expect(turnover[.grant]?.bonus == turnover[.grantVoid].map { model.granted + $0.bonus })
        #expect(books.returnsVoided > 0, "coins came back into a voided lot")
        books.expectTotals(turnover)
        #expect(books.lotsBelowZeroInTime.isEmpty)
        #expect(books.plansMadeAgain > least / 400)
        #expect(Set(outcomes.keys).subtracting(AnswerNames.all).isSubset(of: AnswerNames.seldom), "\(outcomes)")
        #expect(isTelling(), "\(outcomes), other names: \(model.otherNames)")
    }
}

extension PlannedBooks {
    /// Σ debits = Σ credits in each currency; what users hold is what their lots hold; what is deferred is what the lots
    /// were bought for; each payment was credited once.
    func checkAsAWhole() throws {
        for currency in [Currency.won, .coin] {
            let these = accounts.values.filter { $0.currency == currency }
            #expect(these.reduce(0) { $0 + $1.debits } == these.reduce(0) { $0 + $1.credits })
        }
        for (owner, lots) in Dictionary(grouping: lots, by: { "\($0.user.rawValue):\($0.kind.rawValue)" }) {
            let wallet = accounts[AccountCode(rawValue: "wallet:\(owner)")]?.balance ?? 0
            let held = accounts[AccountCode(rawValue: "held:\(owner)")]?.balance ?? 0
            #expect(wallet == lots.reduce(0) { $0 + $1.remaining } && held == lots.reduce(0) { $0 + $1.held })
        }
        func total(_ account: SystemAccount) -> Int64 {
            accounts.filter { $0.key.rawValue.hasPrefix(account.rawValue) }.values.reduce(0) { $0 + $1.balance }
        }
        #expect(total(.deferredRevenue) == lots.reduce(0) { $0 + $1.deferred })
        #expect(total(.coinsExpired) == lots.reduce(0) { $0 + $1.expired })
        #expect(total(.breakage) == lots.reduce(0) { $0 + $1.breakage - $1.outputVAT.breakage })
        #expect(total(.clearingCoins) == 0 && total(.clearingWon) == 0)
        let kept = purchases.reduce(0) { $0 + $1.amount - $1.cancelledAmount }
        #expect(total(.gatewayReceivable) == kept)
        for purchase in purchases {
            #expect((0...purchase.amount).contains(purchase.refundedAmount))
            let isWhole = purchase.refundedAmount == purchase.amount || purchase.refundedCoins == purchase.coins
            #expect((purchase.status == .refunded) == isWhole)
        }
        #expect(Set(purchases.map(\.payment.paymentID)).count == purchases.count)
        #expect(Set(purchases.map(\.payment.merchantUID)).count == purchases.count)
    }
}

extension AnyAnswer {
    var name: String {
        if let refusal { return refusal.name }
        return isRepeat ? act + " again" : act
    }

    /// The type of the success in words, such as `hold placed`.
    private var act: String {
        "\(type(of: self))".dropFirst("Answer<".count).dropLast().reduce(into: "") { words, letter in
            if letter.isUppercase, !words.isEmpty { words += " " }
            words += letter.lowercased()
        }
    }
}

extension Refusal {
    /// Without the numbers.
    var name: String { String("\(self)".prefix { $0 != "(" }) }
}
