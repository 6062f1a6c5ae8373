import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

extension UnknownCommitTests {
    /// `COMMIT` is the tag of the server's reply: what it answers is committed.
    @Test func `a commit whose reply is lost is found and not done twice`() async throws {
        try await TestLedger.withProxy { ledger, test, proxy in
            for number in 1...4 {
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let outcome = try await ledger.credit(.sample(number))
                #expect(outcome.credited != nil, "\(outcome)")
                #expect(proxy.firedFaults == number)
            }
            #expect(try await test.number("SELECT count(*) FROM purchase") == 4)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a reversal whose reply is lost is found and not done twice`() async throws {
        try await TestLedger.withProxy { ledger, test, proxy in
            _ = try await ledger.credit(.sample())
            let spent = try await ledger.submit(Spend.sample(coins: 30)).redeemed
            let moments: [FaultProxy.Fault.Trigger] = [
                .serverSends("COMMIT"), .clientSends("INSERT INTO coin_return"),
            ]
            for (number, moment) in moments.enumerated() {
                proxy.arm(.cut, when: moment)
                let answer = try await ledger.submit(
                    ReverseRedemption.sample("reversal-\(number)", of: spent, coins: 10))
                #expect(answer.reversed?.left == 20 - Int64(number) * 10, "\(answer)")
                #expect(proxy.firedFaults == number + 1)
            }
            #expect(try await ledger.balances.find(of: .named("ann")).total == 100)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payout whose reply is lost is found and not booked twice`() async throws {
        try await TestLedger.withProxy { ledger, test, proxy in
            try await ledger.setTerms("zoe", 8000)
            _ = try await ledger.credit(.sample(bonus: 0))
            let moments: [FaultProxy.Fault.Trigger] = [
                .serverSends("COMMIT"), .clientSends("INSERT INTO provider_share"),
                .clientSends("INSERT INTO payout_decision"),
            ]
            for (number, moment) in moments.enumerated() {
                let hold = try await ledger.submit(PlaceHold.sample("hold-\(number)", coins: 10)).placed?.hold
                if number < 2 { proxy.arm(.cut, when: moment) }
                let captured = try await ledger.submit(
                    CaptureHold.sample("capture-\(number)", of: sure(hold).id, provider: "zoe"))
                #expect(captured.captured?.share?.amount == 80, "\(captured)")
                let payout = try await ledger.approved("payout-\(number)")
                proxy.arm(.cut, when: number < 2 ? .serverSends("COMMIT") : moment)
                let paid = try await ledger.pay(payout, "payment-\(number)")
                #expect(paid.payoutPaid?.amount == 80, "\(paid)")
                #expect(try await ledger.owed("zoe") == 0)
            }
            #expect(proxy.firedFaults == 5)
            #expect(try await test.balance(of: .bank) == -240)
            try await Audit.expectSound(test)
        }
    }

    @Test func `an adjustment whose reply is lost is found and not booked twice`() async throws {
        try await TestLedger.withDatabase { test in
            let clock = try await TestClock(in: test, at: Calendar.noon("2026-01-05"))
            try await FaultProxy.with(test.database.server) { proxy in
                let ledger = try await test.open(url: test.serviceURL(through: proxy), writers: 1)
                let calendar = Calendar(ledger: ledger, test: test, clock: clock)
                _ = try await calendar.setPolicy(.expectedPattern(expected: 100, highlyProbable: 100))
                try await calendar.buy(1, by: "ann", on: "2026-01-05")
                let moments: [(month: String, end: String, moment: FaultProxy.Fault.Trigger)] = [
                    ("2026-01", "2026-02-01", .serverSends("COMMIT")),
                    ("2026-02", "2026-03-01", .clientSends("INSERT INTO adjustment_cohort")),
                ]
                for (number, (month, end, moment)) in moments.enumerated() {
                    try await calendar.spend(45, by: "ann", "spend-\(number)")
                    try await calendar.go(to: end)
                    let act = try await ledger.adjustments.adjustment(
                        .breakage, of: .named(month), in: seoul, key: .named("key-\(number)"))
                    proxy.arm(.cut, when: moment)
                    let booked = try await ledger.submit(act)
                    #expect(booked.adjustmentBooked?.journalEntryID != nil, "\(booked)")
                    #expect(proxy.firedFaults == number + 1)
                }
                #expect(try await test.balance(of: .expectedBreakage) == 100)
                #expect(try await test.number("SELECT count(*) FROM adjustment") == 2)
                await ledger.close()
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payment or reversal of a refund whose reply is lost is found and not done twice`() async throws {
        try await TestLedger.withProxy { ledger, test, proxy in
            let purchase = try await ledger.buy(.sample())
            let moments: [FaultProxy.Fault.Trigger] = [
                .serverSends("COMMIT"), .clientSends("INSERT INTO purchase_reversal"),
            ]
            for (number, moment) in moments.enumerated() {
                proxy.arm(.cut, when: moment)
                let approved = try await ledger.submit(
                    BeginRefund.sample("approved-\(number)", of: purchase.id, coins: 20, method: .bankTransfer))
                #expect(proxy.firedFaults == number * 3 + 1)
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let reversed = try await ledger.submit(
                    ReverseRefund.sample("reversed-\(number)", of: sure(approved.begun)))
                #expect(reversed.reversedRefund?.refund.status == .reversed, "\(reversed)")
                let again = try await ledger.begin(
                    .sample("again-\(number)", of: purchase.id, coins: 20, method: .bankTransfer))
                proxy.arm(.cut, when: .serverSends("COMMIT"))
                let paid = try await ledger.submit(PayRefund.sample("paid-\(number)", of: again))
                #expect(paid.paidRefund?.refund.status == .completed, "\(paid)")
            }
            #expect(proxy.firedFaults == 6)
            #expect(try await ledger.purchases.find(purchase.id)?.transferredAmount == 400)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'refund_payment'") == 2)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'refund_reversal'") == 2)
            try await Audit.expectSound(test)
        }
    }
}
