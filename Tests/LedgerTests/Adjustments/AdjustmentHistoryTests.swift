import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Random months under both policies.
@Suite(.timeLimit(.minutes(20))) struct AdjustmentHistoryTests {
    private static let months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]

    @Test(arguments: Effort.seeds(upTo: 3))
    func `after everything is used, refunded or expired, nothing is adjusted any more`(seed: UInt64) async throws {
        try await Calendar.with { calendar in
            var random = SplitMix64(seed: seed)
            var history = History()
            for (number, month) in Self.months.enumerated() {
                try await setPolicies(number, month, &random, calendar)
                for day in ["05", "15", "25"] {
                    try await calendar.go(to: "\(month)-\(day)")
                    for _ in 0..<8 { try await history.act(on: "\(month)-\(day)", &random, calendar) }
                    try await calendar.expire()
                }
                try await calendar.go(
                    to: number + 1 < Self.months.count ? "\(Self.months[number + 1])-01" : "2026-07-01")
                try await calendar.expire()
                try await adjust(month, calendar)
            }
            try await history.endHolds(calendar)
            try await calendar.go(to: "2026-09-01")
            try await calendar.expire()
            for subject in AccountingPolicy.Subject.allCases {
                let last = try #require(try await calendar.adjusted(subject, "2026-08"))
                #expect(last.target == 0)
            }
            #expect(
                try await calendar.balances(
                    .deferredRevenue, .expectedBreakage, .expectedBreakageRevenue, .deferredBonus, .bonusAllocation)
                    == [0, 0, 0, 0, 0])
            try await Audit.expectSound(calendar.test)
        }
    }

    private func setPolicies(
        _ number: Int, _ month: String, _ random: inout SplitMix64, _ calendar: Calendar
    ) async throws {
        guard number == 0 || Int.random(in: 0..<3, using: &random) == 0 else { return }
        let expected = Int64.random(in: 1...400, using: &random)
        let probable = Int64.random(in: 0...400, using: &random)
        let methods: [AccountingPolicy.Method] = [
            .expectedPattern(expected: expected, highlyProbable: probable),
            .relativePrice(bonusPrice: .random(in: 100...2000, using: &random)),
        ]
        for method in methods {
            guard case .set = try await calendar.setPolicy(method, from: month) else {
                Issue.record("it was not set")
                return
            }
        }
    }

    /// Adjusts a month, and compares what it comes from with the accounts of the same moment.
    private func adjust(_ month: String, _ calendar: Calendar) async throws {
        let test = calendar.test
        for subject in [AccountingPolicy.Subject.bonus, .breakage] {
            let adjustment = try #require(try await calendar.adjusted(subject, month))
            let cohorts = try await calendar.ledger.adjustments.cohorts(of: adjustment.id)
            #expect(cohorts.reduce(0) { $0 + $1.target } == adjustment.target)
            for cohort in cohorts.map(\.cohort) {
                #expect(cohort.sold == cohort.refunded + cohort.used + cohort.expired + cohort.deferred)
                #expect(cohort.used >= 0 && cohort.deferred >= 0 && cohort.expired >= 0 && cohort.refunded >= 0)
            }
            if subject == .bonus {
                #expect(cohorts.reduce(0) { $0 + $1.cohort.deferred } == (try await test.balance(of: .deferredRevenue)))
                #expect(cohorts.reduce(0) { $0 + $1.cohort.expired } == (try await test.balance(of: .breakage)))
            } else {
                #expect(cohorts.allSatisfy { 0...$0.cohort.deferred ~= $0.target })
            }
            #expect(try await calendar.adjusted(subject, month) == nil, "a rerun books nothing")
        }
        let liability =
            try await test.balance(of: .deferredRevenue) + test.balance(of: .deferredBonus)
            - test.balance(of: .expectedBreakage)
        #expect(liability >= 0)
        let misfits = try await test.number(
            "SELECT count(*) FROM account WHERE owner IS NULL AND code LIKE '%breakage/0' AND code LIKE 'coins:%' AND balance < 0"
        )
        #expect(misfits == 0)
    }
}

/// What random users do.
private struct History {
    private var purchases: [Purchase] = []
    private var holds: [Hold] = []
    private var spends: [Redemption] = []
    private var number = 0

    mutating func act(on day: String, _ random: inout SplitMix64, _ calendar: Calendar) async throws {
        number += 1
        let user = "user-\(Int.random(in: 0..<4, using: &random))"
        let ledger = calendar.ledger
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4:
            let expiry = ["2026-03-10", "2026-05-20", "2026-08-15"].filter { $0 > day }
            purchases.append(
                try await calendar.buy(
                    number, by: user, on: day, coins: .random(in: 1...90, using: &random),
                    bonus: .random(in: 0...30, using: &random), won: .random(in: 100...5000, using: &random),
                    until: sure(expiry.randomElement(using: &random))))
        case 5...7:
            let spent = try await ledger.submit(
                Spend.sample("act-\(number)", by: user, coins: .random(in: 1...60, using: &random)))
            if let redeemed = spent.redeemed { spends.append(redeemed) }
        case 8:
            let placed = try await ledger.submit(
                PlaceHold.sample(
                    "act-\(number)", by: user, coins: .random(in: 1...20, using: &random), timeout: 86_400 * 90))
            if let hold = placed.placed?.hold { holds.append(hold) }
        case 9:
            guard let spend = spends.randomElement(using: &random) else { return }
            _ = try await ledger.submit(ReverseRedemption.sample("act-\(number)", of: spend, coins: 1))
        case 10:
            guard let purchase = purchases.randomElement(using: &random) else { return }
            _ = try await ledger.submit(ClawBack.sample(of: purchase, .random(in: 1...purchase.amount, using: &random)))
        default:
            guard let purchase = purchases.randomElement(using: &random) else { return }
            let begun = try await ledger.submit(
                BeginRefund.sample(
                    "act-\(number)", of: purchase.id, by: purchase.user.rawValue,
                    coins: .random(in: 1...9, using: &random), feePercent: 10))
            if let refund = begun.begun { _ = try await ledger.submit(CompleteRefund.sample(refund)) }
        }
    }

    /// Voids the holds that are open, so that their coins expire.
    func endHolds(_ calendar: Calendar) async throws {
        for (index, hold) in holds.enumerated() {
            _ = try await calendar.ledger.submit(
                VoidHold.sample("end-\(index)", of: hold.id, by: hold.user.rawValue))
        }
    }
}
