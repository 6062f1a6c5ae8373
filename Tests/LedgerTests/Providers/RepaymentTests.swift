import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Claims on providers that are paid back in won.
@Suite(.timeLimit(.minutes(20))) struct RepaymentTests {
    @Test func `a provider pays a claim back in parts, never more than it is, each once`() async throws {
        try await Self.withClaim { ledger, test in
            let first = try #require(try await ledger.repay(150).repaid)
            #expect(first.payable == -250 && first.amount == 150)
            let again = try await ledger.repay(150, paidAt: first.paidAt)
            #expect(again.isRepeat && again.repaid == first)
            #expect(
                try await ledger.repay(251, "b").refusal == .exceedsClaim(required: 251, available: 250))
            #expect(try await test.postings(of: first.journalEntryID) == ["bank": 150, "payable:zoe": -150])
            #expect(try await ledger.repay(250, "c").repaid?.payable == 0)
            #expect(try await ledger.repay(1, "d").refusal == .exceedsClaim(required: 1, available: 0))
            #expect(try await ledger.repay(1, "e", by: "nobody").refusal == .exceedsClaim(required: 1, available: 0))
            #expect(try await test.balance(of: .bank) == 0)
            let lines = try await ledger.providers.accountLines(of: .named("zoe"), limit: 10).elements
            #expect(lines.map(\.kind) == [.repayment, .repayment, .captureReversal, .payout, .capture])
            #expect(lines.map(\.balance) == [0, -250, -400, 0, 400])
            try await ledger.events.publisher.publish()
            let event = try #require(try await ledger.events.everything().last { $0.type == .providerRepaid })
            guard case .repayment(let provider, let amount, _, let reference) = event.entry?.fact else {
                Issue.record("\(event)")
                return
            }
            #expect(provider == "zoe" && amount == 250 && reference == "IBK 9" && event.user == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what was paid back is netted off against the reversal, and earns the provider nothing`() async throws {
        try await Self.withClaim { ledger, test in
            #expect(try await ledger.repay(400).repaid != nil)
            #expect(try await ledger.propose("p2") == .nothingOwed)
            _ = try await ledger.capture("b", of: "user-2", 10, for: "zoe")
            let payout = try await ledger.approved("p3")
            #expect(payout.amount == 80)
            let shares = try await ledger.payouts.shares(of: payout.id, limit: 10).elements
            #expect(shares.map(\.change).sorted() == [-400, 80, 400])
            #expect(try await ledger.payouts.items(of: payout.id, limit: 1).elements.first?.shares == 3)
            _ = try await ledger.payouts.withdraw(payout.id, by: "kim", because: nil)
            let next = try await ledger.approved("p4")
            #expect(try await ledger.pay(next, "k4").payoutPaid?.amount == 80)
            #expect(try await ledger.owed("zoe") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `many repayments at once never exceed the claim`() async throws {
        try await Self.withClaim { ledger, test in
            let answers = try await together(20) { try await ledger.repay(100, "k\($0 / 2)", paidAt: .samplePaid) }
            #expect(answers.count { $0.repaid != nil && !$0.isRepeat } == 4)
            #expect(try await ledger.owed("zoe") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a repayment of before is effective then, and in a closed period in the open one`() async throws {
        try await Self.withClaim { ledger, test in
            let paid = try #require(try await ledger.repay(100, "first", paidAt: .samplePaid).repaid)
            _ = try await ledger.periods.close(until: Date() - 60, by: "kim")
            let late = try #require(try await ledger.repay(100, "second", paidAt: .samplePaid).repaid)
            let effective = "SELECT count(*) FROM journal_entry WHERE kind = 'provider_repayment'"
            #expect(
                try await test.number("\(effective) AND id = \(paid.journalEntryID) AND late_for IS NULL") == 1)
            #expect(
                try await test.number("\(effective) AND id = \(late.journalEntryID) AND late_for IS NOT NULL") == 1)
            try await Audit.expectSound(test)
        }
    }

    /// zoe was paid ₩400 for a capture that came back.
    private static func withClaim(_ body: (Ledger, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.setTerms("zoe", 8000)
            for number in 1...2 { _ = try await ledger.credit(.sample(number, by: "user-\(number)", bonus: 0)) }
            let captured = try await ledger.capture("a", of: "user-1", 50, for: "zoe")
            _ = try await ledger.pay(try await ledger.approved("p1"), "k1")
            _ = try await ledger.submit(ReverseRedemption.sample(of: captured))
            #expect(try await ledger.owed("zoe") == -400)
            #expect(try await test.balance(of: .bank) == -400)
            try await body(ledger, test)
        }
    }
}

extension Date {
    /// An hour ago, whole seconds.
    fileprivate static let samplePaid = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 3600).rounded())
}
