import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What taking back and refunding books, compared with its parts as acts of their own.
@Suite(.timeLimit(.minutes(20))) struct TakeBackPlanTests {
    /// What a plan writes, but the outcomes.
    private static func facts(_ plan: Plan) -> [String] {
        plan.journal.entries.map { "\($0)" } + plan.journal.postings.map { "\($0)" }
            + plan.journal.accounts.opened.map { "\($0)" } + plan.lots.movements.map { "\($0)" }
            + plan.redemptions.returns.map { "\($0)" } + plan.refunds.new.map { "\($0)" }
    }

    /// An outcome, whatever the order of its members.
    private static func recorded(_ outcome: RecordedOutcome) throws -> [String] {
        let members = try JSONSerialization.jsonObject(with: Data(outcome.outcome.text.utf8))
        let sorted = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return [
            "\(outcome.key)", outcome.act, "\(outcome.fingerprint)", "\(outcome.journalEntryID ?? 0)",
            String(decoding: sorted, as: UTF8.self),
        ]
    }

    /// In the middle of a history of all kinds of acts: debts, holds, expired lots, refunds, disputes.
    @Test func `it books what its parts book one after the other, or nothing`() throws {
        var random = SplitMix64(seed: Effort.seed)
        var history = RandomHistory(seed: Effort.seed, largestBatch: 16, users: 12)
        var books = PlannedBooks()
        var redeemed: [Int64] = []
        var outcomes: [String: Int] = [:]
        var now = Date(timeIntervalSince1970: 1_767_225_600)
        var steps = 0
        // A history in which it was never done, or never refused, would prove little.
        while steps < Effort.count(400, upTo: 4_000)
            || steps < 20_000 && (outcomes["done", default: 0] < 20 || outcomes.count < 4)
        {
            steps += 1
            let plan = books.plan(history.batch(), now: now)
            try books.apply(plan)
            history.learn(from: plan)
            redeemed += plan.answers.compactMap { $0.answer?.redeemed?.id }
            now += 5
            guard let act = act(in: books, redeemed, &random) else { continue }
            outcomes[try compare(act, in: books, at: now), default: 0] += 1
        }
        #expect(outcomes["done", default: 0] >= 20 && outcomes.count >= 4, "\(outcomes)")
    }

    /// One to three of the last spends and captures of a user, and the purchase of a lot of one of them.
    private func act(in books: PlannedBooks, _ redeemed: [Int64], _ random: inout SplitMix64) -> TakeBackAndRefund? {
        guard let id = redeemed.suffix(40).randomElement(using: &random), let first = books.redemptions[id],
            let lot = first.left.randomElement(using: &random).flatMap({ books.lotPlaces[$0.lotID] }),
            let purchase = books.lots[lot].purchaseID.flatMap({ books.purchasePlaces[$0] })
        else { return nil }
        let others = redeemed.suffix(200).filter { $0 != id && books.redemptions[$0]?.user == first.user }
            .shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
        return TakeBackAndRefund.sample(
            of: [first] + others.map { books.redemptions[$0] }, and: books.purchases[purchase],
            policy: RefundPolicy(feePercent: 10, expired: ExpiredCoinRule(days: 30, percent: 90)),
            grace: Bool.random(using: &random) ? 500 : 0)
    }

    /// - Returns: what became of it.
    private func compare(_ act: TakeBackAndRefund, in before: PlannedBooks, at now: Date) throws -> String {
        var books = before
        let parts: [any Act] = act.reversals + [act.refund]
        let snapshot = books.snapshot(for: parts, now: now)
        let (whole, single) = (Plan([act], on: snapshot), Plan(parts, on: snapshot))
        let answer = try #require(try whole.answers.first?.get())
        let refusals = try single.answers.compactMap { try $0.get().refusal }
        if let refusal = answer.refusal {
            #expect(Self.facts(whole).isEmpty && whole.outcomes.new.count <= 1, "\(refusal)")
            switch refusal {
            case .purchaseDisputed, .redemptionOfOtherPurchase: break
            case .redemptionAlreadyReversed: #expect(refusals.contains(.alreadyReversed))
            default: #expect(refusals.contains(refusal), "\(refusal), \(refusals)")
            }
            return refusal.row.code ?? "refused"
        }
        #expect(refusals.isEmpty)
        #expect(Self.facts(whole) == Self.facts(single))
        #expect(
            try whole.outcomes.new.dropLast().map(Self.recorded) == single.outcomes.new.map(Self.recorded))
        try books.apply(single)
        return "done"
    }
}
