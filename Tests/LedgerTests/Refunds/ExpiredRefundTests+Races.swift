import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Refunds of expired coins beside claw-backs and expiries, and what the database refuses.
extension ExpiredRefundTests {
    @Test func `a claw-back takes expired coins only once, beside a refund and after it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await expired(ledger)
            let refund = try await ledger.begin(begin(purchase, coins: 60))
            func cancel(_ amount: Int64) async throws -> ClawedBack {
                try #require(
                    try await ledger.submit(
                        ClawBack.sample(of: purchase, amount)
                    ).clawedBack)
            }
            // ₩540 are the pending refund's; the rest is cancelled in the console.
            #expect(try await cancel(540).coins == 0)
            let beside = try await cancel(1000)
            #expect(beside.coins == 40 && beside.balance.debt == 0 && beside.balance.held == 60)
            try await Audit.expectSound(test)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let after = try #require(try await ledger.purchases.find(purchase.id))
            #expect(after.refundedAmount == 1000 && after.refundedCoins == 100)
            #expect(
                try await test.number("SELECT sum(balance)::int8 FROM account WHERE code LIKE 'coins:expired/%'") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of refunds and expiries at once never more goes than expired`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...8 {
                let purchase = try await expired(ledger, number: number, posts: false)
                let lot = try #require(try await ledger.lots.listDue(limit: 100).first { $0.user == purchase.user })
                let answers = try await together(9) { which -> (any AnyAnswer)? in
                    switch which % 3 {
                    case 0: return try await ledger.answer(to: ExpireLot(user: lot.user, lotID: lot.id))
                    case 1:
                        return try await ledger.answer(
                            to: begin(purchase, "bank-\(which)", coins: 40, method: .bankTransfer))
                    default:
                        let answer = try await ledger.answer(to: begin(purchase, "gateway-\(which)", coins: 30))
                        if let refund = answer.begun { _ = try await ledger.submit(CompleteRefund.sample(refund)) }
                        return answer
                    }
                }
                let refunded = answers.compactMap { $0?.begun?.coins }.reduce(0, +)
                // All others can come while the first one by the gateway is pending.
                #expect((30...100).contains(refunded), "\(answers)")
                let after = try #require(try await ledger.purchases.find(purchase.id))
                #expect(after.refundedCoins == refunded && after.refundedAmount == refunded * 9)
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `the database refuses a refund whose expired part does not fit it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await expired(ledger)
            let refund = try await ledger.begin(begin(purchase, coins: 60, method: .bankTransfer))
            for change in ["expired_coins = 59", "expired_coins = 0", "expired_fee = 61"] {
                await #expect(throws: (any Error).self) {
                    try await test.execute("UPDATE refund SET \(change) WHERE id = \(refund.id)")
                }
            }
            try await Audit.expectSound(test)
        }
    }
}
