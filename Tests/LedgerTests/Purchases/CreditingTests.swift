import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Purchases that a function of the database credits, compared with those of the plan (docs/decisions/0199).
@Suite(.timeLimit(.minutes(20))) struct CreditingTests {
    /// Both ways in a ledger of their own, on the same clock: every row must be the same but for its id.
    ///
    /// Some users owe coins now and then, so that the function leaves their batches to the plan. Lots begin to count
    /// whole days on the way, seconds before midnight in UTC.
    @Test(arguments: [VATSettings.off, VATSettings(isBooked: true)])
    func `a function of the database writes and answers what the plan does`(vat: VATSettings) async throws {
        let history = RandomPurchases.batches(of: Effort.count(300, upTo: 5_000), seed: Effort.seed)
        let decided = try await Self.credit(history, vat, creditsInDatabase: true)
        let planned = try await Self.credit(history, vat, creditsInDatabase: false)
        #expect(decided.answers.count == planned.answers.count)
        for (left, right) in zip(decided.answers, planned.answers) where left != right {
            Issue.record("\(left) is not \(right)")
            return
        }
        for (left, right) in zip(decided.rows, planned.rows) where left != right {
            Issue.record("\(left)\nis not\n\(right)")
            return
        }
        #expect(decided.rows.count == planned.rows.count && planned.rows.count > 1_000)
        #expect(planned.rows.contains { $0.contains("debt_payment") }, "nobody paid a debt")
        #expect(planned.rows.contains { $0.contains("balance.rose_above") }, "nobody's coins crossed a threshold")
        #expect(planned.waysToCount == 3, "of exact days, and of whole ones that began before and after midnight")
    }

    private struct Books {
        let answers: [String]
        let rows: [String]
        /// The ways in which lots count their days.
        let waysToCount: Int64
    }

    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private static func credit(
        _ history: [[any Act]], _ vat: VATSettings, creditsInDatabase: Bool
    ) async throws -> Books {
        try await TestLedger.withDatabase { test in
            let begin = start - 6
            let clock = try await TestClock(in: test, at: begin)
            let time = ManualTime(at: begin)
            try await test.execute(
                """
                INSERT INTO closed_period (until, closed_by) VALUES ('2025-12-01Z', 'kim');
                INSERT INTO balance_alert (owner, below, above, set_by) VALUES ('', '{50,500}', '{50,300,1000}', 'shop');
                """)
            let writer = try await test.writer(
                vatSettings: vat, coinDays: .whole(from: start - 3, in: .gmt), creditsInDatabase: creditsInDatabase,
                time: time.time)
            var answers: [String] = []
            for (number, batch) in history.enumerated() {
                let second = begin + Double(number * 12 / history.count)
                try await clock.set(to: second)
                await time.advance(by: .seconds(second.timeIntervalSince(time.now)))
                for answer in await writer.post(batch) { answers.append(Self.text(try answer.get())) }
            }
            await writer.close()
            let connection = try await test.connectAsOwner()
            let rows = try await connection.run(PostgresQuery<[String]>(Self.rows) { row in try row[0] })
            await connection.close()
            try await Audit.expectSound(test)
            let ways = try await test.number(
                """
                SELECT count(DISTINCT expires_at) FROM lot
                WHERE expires_at IN ('2026-01-02T00:00:00.5Z', '2026-01-02T00:00:00Z', '2026-01-04T00:00:00Z')
                """)
            return Books(answers: answers, rows: rows, waysToCount: ways)
        }
    }

    /// All that an answer says but ids.
    private static func text(_ answer: any AnyAnswer) -> String {
        guard let credited = answer.credited else { return answer.name }
        let purchase = credited.purchase
        return """
            \(answer.name) \(purchase.payment.merchantUID) \(purchase.user.rawValue) \(purchase.status) \
            \(purchase.product) \(purchase.amount) \(purchase.currency.code) \(purchase.coins) \(purchase.bonusCoins) \
            \(purchase.paidAt.timeIntervalSince1970) \(purchase.creditedAt.timeIntervalSince1970) \
            \(String(describing: purchase.taxFree)) \(purchase.transferredAmount) \(credited.balance)
            """
    }

    /// All columns of all postings and of what is bought, with ids replaced by what they name.
    private static let rows = """
        SELECT row::text FROM (
            SELECT 'entry' AS what, purchase.merchant_uid || '' AS of, 0::int8 AS place,
                to_jsonb(entry) - '{id,reference,transaction_id}'::text[]
                    || jsonb_build_object('fits', entry.reference = 'purchase:' || purchase.id) AS row
            FROM journal_entry AS entry JOIN purchase ON purchase.journal_entry_id = entry.id
            UNION ALL
            SELECT 'purchase', merchant_uid, 0, to_jsonb(purchase) - '{id,journal_entry_id}'::text[] FROM purchase
            UNION ALL
            SELECT 'lot', merchant_uid, CASE kind WHEN 'paid' THEN 0 ELSE 1 END,
                to_jsonb(lot) - '{id,journal_entry_id,purchase_id}'::text[]
                    || jsonb_build_object('fits', lot.journal_entry_id = purchase.journal_entry_id)
            FROM lot JOIN purchase ON purchase.id = lot.purchase_id
            UNION ALL
            SELECT 'lot_movement', merchant_uid || '/' || kind, lot_movement.seq,
                to_jsonb(lot_movement) - '{lot_id,journal_entry_id}'::text[]
            FROM lot_movement JOIN lot ON lot.id = lot_id JOIN purchase ON purchase.id = lot.purchase_id
            UNION ALL
            SELECT 'posting', account.code, posting.seq,
                to_jsonb(posting) - '{account_id,journal_entry_id}'::text[] || jsonb_build_object(
                    'code', account.code, 'of', merchant_uid, 'kind', entry.kind, 'effective_at', effective_at,
                    'recorded_at', recorded_at, 'late_for', late_for)
            FROM posting JOIN account ON account.id = account_id
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            LEFT JOIN purchase ON purchase.journal_entry_id = posting.journal_entry_id
            UNION ALL
            SELECT 'account', code, 0, to_jsonb(account) - 'id' FROM account
            UNION ALL
            SELECT 'crossing', user_id, row_number() OVER (PARTITION BY user_id ORDER BY id),
                to_jsonb(occurrence) - '{id,transaction_id,detail}'::text[] || detail - 'journal_entry_id'
            FROM occurrence WHERE type LIKE 'balance.%'
        ) AS written
        ORDER BY what, of COLLATE "C", place
        """

    /// So the functions are what the purchases above are credited by, and not the plan that follows them.
    @Test func `purchases are credited without a right to write what they post`() async throws {
        try await Self.creditsAll(without: "INSERT ON account, journal_entry, posting, purchase, lot")
    }

    /// Credits two purchases together and one alone, while the service lacks a right.
    private static func creditsAll(without right: String) async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute("REVOKE \(right) FROM ledgerd_service")
            let writer = try await test.writer()
            let answers = await writer.post([CreditPurchase.sample(1), CreditPurchase.sample(2)])
            #expect(answers.map { $0.answer?.name } == ["credited", "credited"])
            #expect(await writer.post([CreditPurchase.sample(3)]).first?.answer?.credited?.balance.paid == 300)
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    // MARK: - What is planned after all

    @Test func `who owes coins pays with those that are bought, whoever else buys in the batch`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([CreditPurchase.sample(1, bonus: 0)])
            _ = await writer.post([Spend.sample(coins: 20)])
            _ = await writer.post([ClawBack.sample(of: CreditPurchase.sample(1, bonus: 0), 1000)])
            let answers = await writer.post([CreditPurchase.sample(2), CreditPurchase.sample(3, by: "bob")])
            #expect(answers.map { $0.answer?.credited?.balance.paid } == [90, 100])
            #expect(answers[0].answer?.credited?.balance.debt == 0)
            _ = await writer.post([CreditPurchase.sample(4)])
            await writer.close()
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'debt_payment'") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payment that is credited already is a repeat or a clash, and its neighbours are credited`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([CreditPurchase.sample(1)])
            let batch = [
                CreditPurchase.sample(1), CreditPurchase.sample(2), CreditPurchase.sample(1, by: "eve"),
                CreditPurchase.sample(3, merchantUID: "order_1"), CreditPurchase.sample(4), CreditPurchase.sample(4),
            ]
            let answers = await writer.post(batch)
            #expect(
                answers.map { $0.answer?.name } == [
                    "credited again", "credited", "paymentBelongsToAnotherUser", "merchantUIDAlreadyCredited",
                    "credited",
                    "credited again",
                ])
            let alone = await writer.post([CreditPurchase.sample(1)])
            #expect(alone.compactMap { $0.answer?.name } == ["credited again"])
            let beside = await writer.post([CreditPurchase.sample(5), CreditPurchase.sample(1)])
            #expect(beside.compactMap { $0.answer?.name } == ["credited", "credited again"])
            await writer.close()
            #expect(try await test.number("SELECT count(*) FROM purchase") == 4)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a batch with another act is planned as a whole, in its order`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            let answers = await writer.post([
                Spend.sample("early", coins: 5), CreditPurchase.sample(1), Spend.sample("late", coins: 5),
            ])
            #expect(answers[0].answer?.refusal == .insufficientCoins(required: 5, available: 0))
            #expect(answers[2].answer?.spent?.balance.available == 105)
            await writer.close()
            #expect(try await test.number("SELECT count(DISTINCT transaction_id) FROM journal_entry") == 1)
            try await Audit.expectSound(test)
        }
    }

    /// As an operator may do in an emergency.
    @Test func `purchases are planned while the service may not call the functions`() async throws {
        try await Self.creditsAll(without: "EXECUTE ON FUNCTION credit_purchase, credit_purchases")
    }

    @Test func `a transaction after a clock that went back is recorded later than what it follows`() async throws {
        try await TestLedger.withDatabase { test in
            let clock = try await TestClock(in: test, at: Self.start)
            let writer = try await test.writer()
            let first = await writer.post([CreditPurchase.sample(1)]).first?.answer?.credited?.purchase
            try await clock.set(to: Self.start - 60)
            let second = await writer.post([CreditPurchase.sample(2), CreditPurchase.sample(3, by: "bob")])
            let third = await writer.post([CreditPurchase.sample(4)]).first?.answer?.credited?.purchase
            let times = [first, second[0].answer?.credited?.purchase, third].compactMap { $0?.creditedAt }
            #expect(times.count == 3 && times[0] < times[1] && times[1] < times[2])
            await writer.close()
        }
    }

    // MARK: - Days

    /// The last minute of a day, in Seoul.
    private static let lastMinute = start + 15 * 3600 - 60

    @Test(arguments: [1, 2])
    func `purchases whose days are counted are credited by the functions, on the day that the process has`(
        count: Int
    ) async throws {
        #expect(try await Self.ends(of: count, withoutPlan: true, processAt: Self.lastMinute) == ["2026-01-04T15:00"])
    }

    /// The process has looked up another end than that of the database's day.
    @Test(arguments: [1, 2], [-86_400, 61, 86_400] as [TimeInterval])
    func `purchases are planned, and expire by the day of the database, if the process has another day`(
        count: Int, ahead: TimeInterval
    ) async throws {
        let ends = try await Self.ends(of: count, withoutPlan: false, processAt: Self.lastMinute + ahead)
        #expect(ends == ["2026-01-04T15:00"])
        #expect(try await Self.ends(of: count, withoutPlan: true, processAt: Self.lastMinute + ahead) == [])
    }

    /// The first moment of a day counts it as the first, so its purchases end with those of the day before.
    @Test(arguments: [1, 2])
    func `the functions credit at the first moment of the next day, and not after it`(count: Int) async throws {
        func ends(databaseAt moment: Date) async throws -> [String] {
            try await Self.ends(of: count, withoutPlan: true, processAt: Self.lastMinute, databaseAt: moment)
        }
        let midnight = Self.lastMinute + 60
        #expect(try await ends(databaseAt: midnight) == ["2026-01-04T15:00"])
        #expect(try await ends(databaseAt: midnight + 1) == [])
        #expect(try await ends(databaseAt: midnight - 86_400) == [])
        #expect(try await ends(databaseAt: midnight - 86_399) == ["2026-01-04T15:00"])
    }

    /// When lots of three days end, in UTC, which are credited in Seoul's last minute of 1 January.
    private static func ends(
        of count: Int, withoutPlan: Bool, processAt moment: Date, databaseAt recorded: Date = lastMinute
    ) async throws -> [String] {
        try await TestLedger.withDatabase { test in
            _ = try await TestClock(in: test, at: recorded)
            if withoutPlan { try await test.execute("REVOKE INSERT ON lot FROM ledgerd_service") }
            let writer = try await test.writer(
                coinDays: .whole(from: .distantPast, in: seoul), time: ManualTime(at: moment).time)
            let life = CoinExpiry(after: .seconds(3 * 86_400), from: moment)
            _ = await writer.post(
                (1...count).map { CreditPurchase.sample($0, by: "user-\($0)", expiry: life, bonusExpiry: life) })
            await writer.close()
            return try await test.texts(
                #"SELECT DISTINCT to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI') FROM lot"#)
        }
    }

    // MARK: - Ids

    @Test func `ids of a purchase are consecutive, and what is left of a block is used by others`() {
        var ids = RecordIDs()
        #expect(ids.blocksMissing(forRows: 1, of: 6) == 1 && ids.blocksMissing(forRows: 683, of: 6) == 2)
        ids.add(blocksFrom: [1, 100_001])
        let rows = (0..<682).map { _ in ids.nextRow(of: 6) }
        #expect(rows.first == 1 && rows.last == 1 + 681 * 6)
        #expect(ids.next() == 1 + 682 * 6)
        #expect(ids.blocksMissing(forRows: 682, of: 6) == 0)
        #expect(ids.nextRow(of: 6) == 100_001, "three ids are too few")
        #expect(ids.next() == 100_007 && ids.count == 4096 - 7)
    }
}
