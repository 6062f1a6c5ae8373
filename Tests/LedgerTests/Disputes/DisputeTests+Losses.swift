import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

extension DisputeTests {
    @Test func `finance books a lost dispute that the gateway does not cancel, once, and a cancellation adds nothing`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 25))
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            let lost = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))
            let booked = try #require(lost.disputed)
            #expect(booked.dispute.status == .lost && booked.amount == 1000 && booked.coins == 100)
            #expect(booked.balance.held == 0 && booked.balance.total == 0 && booked.balance.debt == 25)
            #expect(try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false)).isRepeat, "under its key")
            let again = try await ledger.submit(DecideDispute.sample("other", on: dispute, isWon: false))
            #expect(again.refusal == .disputeDecided(.lost))
            #expect(try await ledger.clawBack(purchase, 1000).isRepeat, "the gateway's cancellation of the same money")
            #expect(
                try await test.texts("SELECT reason FROM journal_entry WHERE kind = 'claw_back'") == [
                    "the bank says so"
                ])
            let known = try await ledger.reconciliations.purchases(sharing: [purchase.payment])[purchase.payment]
            #expect(known?.lostAmount == 1000)
            try await Audit.expectSound(test)
        }
    }

    /// The bank told finance that it was lost, and the gateway later decides for the shop.
    @Test func `a dispute that the gateway wins after it was booked as lost is a finding, once`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            _ = try await ledger.submit(Spend.sample(coins: 25))
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            _ = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))
            func known() async throws -> KnownPurchases.Known? {
                try await ledger.reconciliations.purchases(sharing: [purchase.payment])[purchase.payment]
            }
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase)).isRepeat, "the gateway has not decided")
            #expect(try await known()?.isWonAfterLoss == false)
            let entries = try await test.number("SELECT count(*) FROM journal_entry")

            let resolved = RecordDispute.sample(of: purchase, isResolved: true)
            let won = try await ledger.submit(resolved)
            #expect(!won.isRepeat && won.disputed?.dispute.status == .lost, "nothing was given back")
            #expect(try await Self.finding(test) == "dispute_won_after_loss open")
            #expect(try await ledger.findings.settle() == 0)
            #expect(
                try await ledger.findings.list(limit: 9).elements.map(\.kind) == [.disputeWonAfterLoss])
            #expect(try await known()?.isWonAfterLoss == true)
            #expect(try await ledger.submit(resolved).isRepeat)
            #expect(try await test.number("SELECT count(*) FROM dispute_win") == 1)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == entries)

            let finding = try #require(try await ledger.findings.list(limit: 9).elements.first)
            try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "given back")
            #expect(try await known()?.isWonAfterLoss == false)
            #expect(try await ledger.submit(resolved).isRepeat)
            #expect(try await Self.finding(test) == "dispute_won_after_loss resolved", "a person has settled it")
            try await Audit.expectSound(test)
        }
    }

    /// The gateway says of every dispute that ended without a cancellation that it is resolved.
    @Test func `what the gateway had resolved before it was booked as lost is no news`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let resolved = RecordDispute.sample(of: purchase, isResolved: true)
            let dispute = try await ledger.submit(resolved).disputed?.dispute
            _ = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))
            #expect(try await ledger.submit(resolved).isRepeat)
            #expect(try await test.number("SELECT count(*) FROM dispute_win") == 0)
            #expect(try await Self.finding(test) == "payment_disputed resolved")
            try await Audit.expectSound(test)
        }
    }

    @Test func `a dispute that was won can be lost, and one that the gateway cancelled is final`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            #expect(
                try await ledger.submit(DecideDispute.sample("1", on: dispute, isWon: true)).disputed?.balance.held == 0
            )
            #expect(
                try await ledger.submit(DecideDispute.sample("2", on: dispute, isWon: true)).refusal
                    == .disputeDecided(.won))
            #expect(
                try await ledger.submit(DecideDispute.sample("3", on: dispute, isWon: false)).disputed?.amount == 1000)
            let other = try await ledger.buy(.sample(2))
            let cancelled = try await ledger.submit(RecordDispute.sample(of: other)).disputed?.dispute
            _ = try await ledger.clawBack(other, 1000)
            let found = try #require(try await ledger.disputes.find(sure(cancelled).id))
            #expect(found.lots.isEmpty)
            #expect(
                try await ledger.submit(DecideDispute.sample("4", on: found.dispute, isWon: true)).refusal
                    == .disputeDecided(.lost))
            #expect(
                try await test.texts(
                    """
                    SELECT outcome || ' ' || decided_by FROM dispute_decision WHERE decided_by IS NOT NULL ORDER BY seq
                    """)
                    == ["won shop", "lost shop"])
            try await Audit.expectSound(test)
        }
    }
}
