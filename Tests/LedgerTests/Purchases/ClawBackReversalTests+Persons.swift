import LedgerTestSupport
import Testing

@testable import Ledger

/// What a person decided about a claw-back before the store took its refund back.
extension ClawBackReversalTests {
    @Test func `coins without a place come back once they have one, not after a person gave back by hand`() async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold(bonus: 0)
            let spent = try await ledger.submit(Spend.sample(coins: 100)).redeemed
            _ = try await ledger.clawBack(purchase, 1000)
            _ = try await ledger.buy(.sample(2, bonus: 0))  // pays the debt
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent))
            let act = try await ledger.reversal(of: purchase)
            let nothing = try await ledger.submit(act)
            #expect(nothing.isRepeat && nothing.clawBackReversed?.result == .noPlace)
            #expect(nothing.clawBackReversed?.balance.paid == 100)
            try await Audit.expectSound(test)

            _ = try await ledger.submit(Spend.sample("later", coins: 100))
            func note(_ kind: Finding.Kind, _ cancelled: Int64) async throws {
                try await ledger.findings.note(
                    kind, purchase.payment, of: purchase.user, amount: 1000, currency: "KRW", paidAt: nil,
                    cancelled: cancelled)
            }
            try await note(.refundReversed, 300)
            try await note(.refundReversed, 0)
            #expect(try await ledger.purchases.reversibleClawBack(of: purchase) == act.clawBack)
            let finding = try #require(try await ledger.findings.list(limit: 9).elements.first)
            #expect(finding.kind == .refundReversed && finding.isOpen, "a credit does not end it")
            #expect(try await ledger.findings.settledByHand(purchase.payment) == nil)
            try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "I grant 100 coins")
            try await ledger.findings.act(.resolve, on: finding.id, by: "lee", reason: "I do, too")
            #expect(try await ledger.findings.settledByHand(purchase.payment) == 0, "what the store said last")
            #expect(try await ledger.purchases.reversibleClawBack(of: purchase) == nil)

            // Other problems of the payment leave it so.
            try await note(.refundedTwice, 1000)
            #expect(try await ledger.purchases.reversibleClawBack(of: purchase) == nil)
            try await ledger.findings.act(.resolve, on: finding.id, by: "kim", reason: "paid back")
            #expect(try await ledger.findings.settledByHand(purchase.payment) == 0)
            try await note(.refundReversed, 1000)
            try await ledger.findings.end(.refundReversed, under: purchase.payment)
            try await ledger.findings.act(.resolve, on: finding.id, by: "lee", reason: "it is over")
            #expect(try await ledger.findings.settledByHand(purchase.payment) == 0, "no person resolved it")

            #expect(try await ledger.submit(act).clawBackReversed?.balance.paid == 100)
            try await Audit.expectSound(test)
        }
    }

    @Test func `what a person booked as lost does not come back by a store's word`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buySold()
            _ = try await ledger.lose(purchase)
            #expect(try await ledger.purchases.reversibleClawBack(of: purchase) == nil)
            let entry = try await test.number("SELECT id FROM journal_entry WHERE kind = 'claw_back'")
            let cancelled = try #require(try await ledger.purchases.find(purchase.id))
            let act = ReverseClawBack(
                ReversibleClawBack(journalEntryID: entry, lots: []), of: cancelled, told: .sample(of: cancelled, 0),
                toldAt: Self.told, grace: 0)
            #expect(try await ledger.submit(act).clawBackReversed?.result == .outdated)
            try await Audit.expectSound(test)
        }
    }
}
