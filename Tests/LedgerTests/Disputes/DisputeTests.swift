import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct DisputeTests {
    @Test func `a dispute is recorded once, freezes the unused coins, and releases them when it is won`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 30))
            let opened = try await ledger.submit(RecordDispute.sample(of: purchase))
            let balance = try #require(opened.disputed).balance
            #expect(!opened.isRepeat && balance.paid == 0 && balance.bonus == 0 && balance.held == 80)
            #expect(balance.total == 80 && balance.available == 0)
            #expect(try await ledger.submit(Spend.sample("late", coins: 1)).refusal?.name == "insufficientCoins")
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase)).isRepeat)
            #expect(try await test.number("SELECT count(*) FROM dispute") == 1)
            #expect(try await Self.finding(test) == "payment_disputed open")
            #expect(
                try await ledger.findings.list(in: .always, FindingFilter(), limit: 9).elements.map(\.kind) == [
                    .disputed
                ])
            try await Audit.expectSound(test)

            let won = try #require(
                try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true)).disputed)
            #expect(won.dispute.status == .won && won.balance.held == 0 && won.balance.available == 80)
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true)).isRepeat)
            #expect(try await Self.finding(test) == "payment_disputed resolved", "it closes by itself")
            #expect(
                try await test.texts("SELECT type FROM occurrence ORDER BY id")
                    == ["purchase.disputed", "finding.opened", "purchase.dispute_resolved", "finding.closed"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a dispute that opens and ends in one batch is one transaction`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let writer = try await test.writer()
            let results = await writer.post([
                RecordDispute.sample(of: purchase), RecordDispute.sample(of: purchase, isResolved: true),
            ])
            await writer.close()
            #expect(results.compactMap(\.answer?.disputed?.balance.held) == [110, 0])
            #expect(
                try await test.number(
                    "SELECT count(DISTINCT transaction_id) FROM journal_entry WHERE kind LIKE 'dispute%'") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `without freezing, a dispute moves no coins`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let answer = try await ledger.submit(RecordDispute.sample(of: purchase, freezes: false))
            #expect(answer.disputed?.balance.available == 110)
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 1)
            // The setting is turned on later: the next look freezes.
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.balance.held == 110)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a charge-back takes the frozen coins first, and ends the dispute`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 30))  // 10 bonus, 20 paid
            _ = try await ledger.submit(RecordDispute.sample(of: purchase))
            let part = try #require(try await ledger.clawBack(purchase, 400).clawedBack)
            #expect(part.coins == 40 && part.balance.debt == 0, "\(part)")
            // 40 for the money, and 4 paid coins charged for used bonus coins; the rest stays frozen.
            #expect(part.balance.held == 36 && part.balance.available == 0)
            #expect(try await ledger.disputes.list(.open, limit: 9).elements.count == 1)
            try await Audit.expectSound(test)

            let all = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(all.balance.held == 0 && all.balance.total == 0 && all.balance.debt == 30)
            #expect(try await ledger.disputes.list(.lost, limit: 9).elements.map(\.dispute.status) == [.lost])
            #expect(try await Self.finding(test) == "payment_disputed resolved")
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true)).isRepeat)
            try await Audit.expectSound(test)
        }
    }

    /// The gateway shows no dispute of a payment of which a part was cancelled, so nothing freezes them later.
    @Test func `coins that came back are frozen by a partial cancellation, whatever was frozen before`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            let recorded = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed
            #expect(recorded?.balance.held == 100, "none was there to be frozen")
            #expect(try await ledger.submit(VoidHold.sample(of: hold.id)).voided?.balance.paid == 100)
            let part = ClawBack.sample(of: purchase, 400, freezes: true)
            let balance = try #require(try await ledger.submit(part).clawedBack).balance
            #expect(balance.held == 60 && balance.paid == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins stay frozen until the last dispute of their purchase ends`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            for number in 1...2 { _ = try await ledger.submit(RecordDispute.sample(of: purchase, number)) }
            let first = try await ledger.submit(RecordDispute.sample(of: purchase, 1, isResolved: true))
            #expect(first.disputed?.balance.held == 110)
            #expect(try await Self.finding(test) == "payment_disputed open")
            let second = try await ledger.submit(RecordDispute.sample(of: purchase, 2, isResolved: true))
            #expect(second.disputed?.balance.available == 110)
            try await Audit.expectSound(test)
        }
    }

    @Test func `beside a pending refund only the rest is frozen, and the refund's end leaves the dispute open`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40))
            #expect(try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.balance.held == 100)
            #expect(
                try await ledger.submit(BeginRefund.sample("more", of: purchase.id)).refusal == .refundInProgress)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            #expect(try await ledger.balances.find(of: purchase.user).held == 60)
            #expect(try await ledger.submit(BeginRefund.sample("last", of: purchase.id)).refusal == .nothingToRefund)
            let won = try await ledger.submit(RecordDispute.sample(of: purchase, isResolved: true))
            #expect(won.disputed?.balance.available == 60)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund of all by bank transfer ends no dispute, and the gateway's cancellation of the rest does`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            for (number, coins) in [(1, 100), (2, 40)] as [(Int, Int64)] {
                let purchase = try await ledger.buy(.sample(number))
                let recorded = try await ledger.submit(RecordDispute.sample(of: purchase, freezes: false))
                let decision = DecideDispute.sample("won-\(number)", on: recorded.disputed?.dispute, isWon: true)
                _ = try await ledger.begin(
                    .sample("refund-\(number)", of: purchase.id, coins: coins, method: .bankTransfer))
                _ = try await ledger.clawBack(purchase, purchase.amount)
                let answer = try await ledger.submit(decision)
                #expect((answer.disputed == nil) == (coins == 40))
            }
        }
    }

    @Test(arguments: [Refund.Method.gateway, .bankTransfer])
    func `a dispute is not booked as lost while a refund of the payment is undecided`(
        method: Refund.Method
    ) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40, method: method))
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            let lost = DecideDispute.sample("lost", on: dispute, isWon: false)
            #expect(try await ledger.submit(lost).refusal == .refundInProgress)
            #expect(try await ledger.disputes.list(.open, limit: 9).elements.count == 1)
            // Its coins come back; the decision takes them too, under the same key.
            if method == .gateway {
                _ = try await ledger.submit(ReleaseRefund.sample(refund))
            } else {
                _ = try await ledger.submit(ReverseRefund.sample(of: refund))
            }
            let booked = try #require(try await ledger.submit(lost).disputed)
            #expect(booked.amount == 1000 && booked.coins == 100 && booked.balance.total == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [Refund.Method.gateway, .bankTransfer])
    func `a charge-back beside an undecided refund takes its coins when the refund ends without money`(
        method: Refund.Method
    ) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 40, method: method))
            _ = try await ledger.submit(RecordDispute.sample(of: purchase))
            #expect(try await ledger.clawBack(purchase, 1000).clawedBack?.coins == 60)
            if method == .gateway {
                #expect(try await ledger.disputes.list(.open, limit: 9).elements.count == 1, "it waits for the refund")
                _ = try await ledger.submit(ReleaseRefund.sample(refund))
            } else {
                _ = try await ledger.submit(ReverseRefund.sample(of: refund))
            }
            // The payment is reviewed again after the end of the refund.
            let rest = try #require(try await ledger.clawBack(purchase, 1000).clawedBack)
            #expect(rest.coins == 40 && rest.balance.total == 0 && rest.balance.debt == 0)
            #expect(try await ledger.disputes.list(.lost, limit: 9).elements.count == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `of many looks at one dispute, decisions and spends at once, everything is done once`() async throws {
        try await TestLedger.with { ledger, test in
            for round in 1...6 {
                let purchase = try await ledger.buy(.sample(round, by: "user-\(round)", bonus: 0))
                let dispute = try await ledger.submit(RecordDispute.sample(of: purchase, freezes: round % 2 == 0))
                    .disputed?.dispute
                _ = try await together(24) { number in
                    let act: any Act =
                        switch number % 4 {
                        case 0: RecordDispute.sample(of: purchase, isResolved: number % 8 == 0)
                        case 1: DecideDispute.sample("\(round)-\(number)", on: dispute, isWon: number % 8 == 1)
                        case 2: Spend.sample("\(round)-\(number)", by: "user-\(round)", coins: 7)
                        default: ClawBack.sample(of: purchase, 1000)
                        }
                    return try await ledger.answer(to: act).refusal
                }
                #expect(try await ledger.purchases.find(purchase.id)?.refundedAmount == 1000)
                #expect(try await ledger.balances.find(of: purchase.user).held == 0)
                try await Audit.expectSound(test)
            }
            #expect(try await test.number("SELECT count(*) FROM dispute") == 6)
            #expect(try await test.number("SELECT sum(amount)::int8 FROM purchase_reversal") == 6000)
        }
    }

    @Test func `the database itself keeps wrong facts of disputes out`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            let dispute = try #require(try await ledger.submit(RecordDispute.sample(of: purchase)).disputed).dispute
            func refusal(_ sql: String) async throws -> String? {
                let service = try await test.connectAsService()
                let refusal = await service.refusal(of: sql)
                await service.close()
                return refusal?.constraint ?? refusal?.sqlState.map { "\($0)" }
            }
            func freeze(_ act: String, _ coins: Int64) -> String {
                "INSERT INTO coin_freeze SELECT journal_entry_id + 0, purchase_id, '\(act)', \(coins), 0 FROM coin_freeze"
            }
            #expect(try await refusal("UPDATE dispute SET status = 'won'") == "42501")
            #expect(
                try await refusal(
                    "INSERT INTO dispute_decision SELECT id, 'lost', now(), NULL, NULL, 5, 5, now() FROM dispute")
                    == "dispute_decision_moves_by_caller")
            #expect(
                try await refusal(
                    "INSERT INTO dispute_decision SELECT id, 'lost', now(), 'x', 'y', 5, 5, now() FROM dispute")
                    == "dispute_decision_fits_dispute")
            #expect(
                try await refusal(
                    """
                    INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
                    SELECT 900001, stripe, purchase_id, 'bob', now(), '', now() FROM dispute
                    """) == "dispute_fits_purchase")
            #expect(try await refusal(freeze("hold", 1)) == "coin_freeze_pkey")
            #expect(
                try await refusal(freeze("release", 1).replacing("+ 0", with: "+ 1")) == "coin_freeze_fits_purchase")
            #expect(try await refusal("DELETE FROM coin_freeze") == "42501")
            // Nobody has booked it as lost.
            #expect(
                try await refusal("INSERT INTO dispute_win SELECT id, opened_at, now() FROM dispute")
                    == "dispute_win_fits_dispute")
            #expect(dispute.status == .open)
            try await Audit.expectSound(test)
        }
    }

    static func finding(_ test: TestLedger) async throws -> String? {
        try await test.texts(
            "SELECT array_to_string(kinds, ',') || CASE WHEN resolved_at IS NULL THEN ' open' ELSE ' resolved' END FROM finding"
        ).first
    }
}

extension TestLedger {
    /// A column of texts, asked of the database as its owner.
    func texts(_ sql: String) async throws -> [String] {
        let connection = try await connectAsOwner()
        let texts = try await connection.run(PostgresQuery<[String]>(sql, []) { row in try row[0] })
        await connection.close()
        return texts
    }
}
