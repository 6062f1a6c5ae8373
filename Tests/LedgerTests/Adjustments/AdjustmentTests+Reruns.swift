import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

extension AdjustmentTests {
    @Test func `a rerun books nothing, or what came late; a repeat of the key gets the first answer`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            try await calendar.spend(45, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let first = try await calendar.adjust("2026-01", "key")
            #expect(!first.isRepeat && first.adjustmentBooked?.journalEntryID != nil)
            let again = try await calendar.adjust("2026-01", "key")
            #expect(again.isRepeat && again.outcome == first.outcome)
            #expect(try await calendar.adjust("2026-02", "key").refusal == .idempotencyKeyReused)
            let rerun = try await calendar.adjust("2026-01", "other")
            #expect(rerun.isRepeat && rerun.adjustmentBooked?.journalEntryID == nil, "nothing is left to book")
            #expect(rerun.adjustmentBooked?.adjustmentID == first.adjustmentBooked?.adjustmentID)
            #expect(try await calendar.test.number("SELECT count(*) FROM adjustment") == 1)

            // The gateway cancelled the payment in January, and tells it in February.
            _ = try await calendar.ledger.submit(
                ClawBack(
                    user: .named("ann"), payment: CreditPurchase.sample(1).payment, cancelledAmount: 1000,
                    cancelledAt: Calendar.noon("2026-01-31")))
            let late = try #require(try await calendar.adjusted("2026-01"))
            #expect(late.target == 0 && late.amount == -50)
            #expect(try await calendar.adjusted("2026-01") == nil)
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `several runs at the same time book once`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            _ = try await calendar.setPolicy(Self.samePrice)
            try await calendar.buy(1, by: "ann", on: "2026-01-05", bonus: 10)
            try await calendar.spend(55, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let other = try await calendar.test.open()
            let answers = try await together(16) { number in
                let ledger = number.isMultiple(of: 2) ? calendar.ledger : other
                let subject = AccountingPolicy.Subject.allCases[number / 2 % 2]
                return try await ledger.submit(
                    try await ledger.adjustments.adjustment(
                        subject, of: .named("2026-01"), in: seoul, key: .named("run-\(number)")))
            }
            await other.close()
            #expect(answers.filter { !$0.isRepeat }.count == 2 && answers.allSatisfy { $0.refusal == nil })
            #expect(try await calendar.test.number("SELECT count(*) FROM adjustment") == 2)
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `a policy that is set while an adjustment is computed makes it void`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            try await calendar.buy(1, by: "ann", on: "2026-01-05")
            try await calendar.spend(45, by: "ann", "a")
            try await calendar.go(to: "2026-02-01")
            let act = try await calendar.ledger.adjustments.adjustment(
                .breakage, of: .named("2026-01"), in: seoul, key: .named("key"))
            _ = try await calendar.setPolicy(.expectedPattern(expected: 200, highlyProbable: 200))
            #expect(try await calendar.ledger.submit(act).refusal == .policyChanged)
            #expect(try await calendar.adjust("2026-01", "key").adjustmentBooked != nil, "the key is free")
            #expect(try await calendar.balances(.expectedBreakage) == [112])
        }
    }

    @Test func `what is recorded late while an adjustment runs belongs to the next run`() async throws {
        try await Calendar.with { calendar in
            _ = try await calendar.setPolicy(Self.tenPercent)
            _ = try await calendar.setPolicy(Self.samePrice)
            for (number, user) in ["ann", "bob"].enumerated() {
                try await calendar.buy(number, by: user, on: "2026-01-05", bonus: 10)
                try await calendar.spend(55, by: user, "spend-\(user)")
            }
            try await calendar.go(to: "2026-02-01")
            var acts: [BookAdjustment] = []
            for subject in AccountingPolicy.Subject.allCases {
                acts.append(
                    try await calendar.ledger.adjustments.adjustment(
                        subject, of: .named("2026-01"), in: seoul, key: .named(subject.rawValue)))
            }
            _ = try await calendar.ledger.submit(
                ClawBack(
                    user: .named("ann"), payment: CreditPurchase.sample(0).payment, cancelledAmount: 1000,
                    cancelledAt: Calendar.noon("2026-01-31")))
            for act in acts { #expect(try await calendar.ledger.submit(act).adjustmentBooked?.journalEntryID != nil) }
            try await Audit.expectSound(calendar.test)
            for subject in AccountingPolicy.Subject.allCases {
                #expect(try await calendar.adjusted(subject, "2026-01") != nil, "\(subject)")
            }
            try await Audit.expectSound(calendar.test)
        }
    }
}
