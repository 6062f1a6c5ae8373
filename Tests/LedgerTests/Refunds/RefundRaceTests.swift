import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct RefundRaceTests {
    @Test func `of thirty-two refunds at once never more goes back than was paid`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let sums = try await together(32) { number in
                var amount: Int64 = 0
                for attempt in 0..<40 {
                    let coins: Int64? = number % 4 == 0 ? nil : Int64(number)
                    let answer = try await ledger.submit(
                        BeginRefund.sample("refund-\(number)-\(attempt)", of: purchase.id, coins: coins))
                    if let refund = answer.begun {
                        // Some are refused by the gateway, and what they held is there for the others.
                        if (number + attempt) % 3 == 0 {
                            _ = try await ledger.submit(ReleaseRefund.sample(refund))
                        } else {
                            _ = try await ledger.submit(CompleteRefund.sample(refund))
                            amount += refund.amount
                        }
                    } else if answer.refusal != .refundInProgress {
                        break
                    }
                }
                return amount
            }
            #expect(sums.reduce(0, +) == 1000)
            #expect(try await test.number("SELECT sum(amount)::int8 FROM refund WHERE status = 'completed'") == 1000)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of a refund and a spend of the same coins one wins`() async throws {
        try await TestLedger.with { ledger, test in
            var won: Set<String> = []
            for number in 1...20 {
                let purchase = try await ledger.buy(.sample(number, bonus: 0))
                let answers = try await together(2) { which in
                    let act: any Act =
                        which == number % 2
                        ? BeginRefund.sample("refund-\(number)", of: purchase.id)
                        : Spend.sample("spend-\(number)", coins: 100)
                    return try await ledger.answer(to: act)
                }
                let refund = answers.compactMap(\.begun).first
                let spent = answers.compactMap(\.spent).first
                #expect((refund == nil) != (spent == nil))
                won.insert(refund == nil ? "spend" : "refund")
                if let refund { _ = try await ledger.submit(CompleteRefund.sample(refund)) }
            }
            #expect(won.count == 2, "one of them always came first, so nothing was raced")
            try await Audit.expectSound(test)
        }
    }

    @Test func `the database itself keeps a second pending refund out`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.begin(.sample(of: purchase.id, coins: 10))
            func refusal(_ status: String, _ id: Int, fee: Int = 0) async throws -> String? {
                let service = try await test.connectAsService()
                let refusal = await service.refusal(
                    of: """
                        INSERT INTO refund (id, stripe, purchase_id, user_id, status, coins, bonus_coins, value, fee,
                            amount, currency, explanation, believed_balance, journal_entry_id, reason, requested_at,
                            next_attempt_at)
                        SELECT \(id), stripe, purchase_id, user_id, '\(status)', coins, bonus_coins, value, \(fee), amount,
                            currency, explanation, believed_balance, journal_entry_id, reason, requested_at, next_attempt_at
                        FROM refund
                        """)?.constraint
                await service.close()
                return refusal
            }
            #expect(try await refusal("pending", 900_001) == "refund_fits_entry_and_purchase")
            #expect(try await refusal("pending", 900_001, fee: 1) == "refund_amount_is_value_less_fee")
            #expect(try await refusal("refused", 900_001) == "refund_decided_has_time")

            // So do the tables alone, if nobody judged what is written.
            try await test.execute("ALTER TABLE refund DISABLE TRIGGER refund_is_judged")
            #expect(try await refusal("pending", 900_001) == "refund_one_pending")
            func refusal(ofUpdate set: String) async throws -> String? {
                let owner = try await test.connectAsOwner()
                let refusal = await owner.refusal(of: "UPDATE refund SET \(set)")?.constraint
                await owner.close()
                return refusal
            }
            #expect(
                try await refusal(ofUpdate: "status = 'completed', decided_at = now()")
                    == "refund_taken_has_reversal")
            let kept = "status = 'refused', refusal = 'x', decided_at = now(), refund_account = '{}'"
            #expect(try await refusal(ofUpdate: kept) == "refund_account_is_erased")
        }
    }
}
