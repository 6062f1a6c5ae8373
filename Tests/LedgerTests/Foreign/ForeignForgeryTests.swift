import CivilTime
import Currencies
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Facts about foreign money that fit each other but for one amount, written as SQL by the service's role: PostgreSQL alone
/// refuses them.
@Suite(.timeLimit(.minutes(20))) struct ForeignForgeryTests {
    /// A purchase of 100 coins for $0.99 at 1387.40.
    struct Sale {
        var paid = 99
        var won = 1374
        var currency = "USD"
        var rate = "1"
        /// What its entry posts.
        var owed = 99
        var mirrored = 99
        var carried = 1374
        var account = "app-store:receivable:USD"
        var gateway = "app-store"
        var refunded = "0"

        var sql: String {
            BooksByHand.entry(911, "purchase", "purchase:912")
                + BooksByHand.post(
                    911, debits: ["coins:issued/0": 100, "\(account)/0": owed, "fx:clearing:USD:KRW/0": carried],
                    credits: [
                        "wallet:ann:paid": 100, "coins:deferred-revenue/0": carried, "fx:clearing:USD/0": mirrored,
                    ]) + """
                    INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount,
                        currency, coins, bonus_coins, paid_at, credited_at, journal_entry_id, foreign_amount,
                        foreign_currency, rate_id, foreign_refunded)
                    VALUES (912, 0, 'ann', 'credited', '\(gateway)', '200', 'app-store:200', 'coins_100', \(won), 'KRW', 100,
                        0, now(), now(), 911, \(paid), '\(currency)', \(rate), \(refunded));
                    """ + BooksByHand.lot(913, won: won, of: 912, by: 911)
        }
    }

    /// A third of it goes back: 33 cents, 33 coins and ⌊1374 × 33 ÷ 99⌋ won.
    private struct Return {
        var paid: Int? = 33
        var won = 458
        var owed = 33
        var carried = 458
        var isTransfer = false

        var sql: String {
            BooksByHand.entry(921, "claw_back", "purchase:912", reverses: 911)
                + BooksByHand.post(
                    921,
                    debits: ["wallet:ann:paid": 33, "coins:deferred-revenue/0": carried, "fx:clearing:USD/0": owed],
                    credits: [
                        "coins:issued/0": 33, "app-store:receivable:USD/0": owed, "fx:clearing:USD:KRW/0": carried,
                    ])
                + BooksByHand.move(913, by: 921, ["remaining": -33, "deferred": -carried]) + """
                    INSERT INTO purchase_reversal (
                        journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer, foreign_amount)
                    VALUES (921, 912, \(won), 33, 0, 0, \(isTransfer), \(paid.map(String.init) ?? "NULL"));
                    """
        }
    }

    typealias Forged = (name: String, constraint: String, sql: String)

    private static func sales(_ rates: [String]) -> [Forged] {
        let fair = Sale(rate: rates[1])
        func forged(_ change: (inout Sale) -> Void) -> String {
            var sale = fair
            change(&sale)
            return sale.sql
        }
        return [
            (
                "a won more than it is worth", "purchase_at_rate_of_payment",
                forged { ($0.won, $0.carried) = (1375, 1375) }
            ),
            (
                "at an older version of the rate", "purchase_at_rate_of_payment",
                forged { ($0.rate, $0.won, $0.carried) = (rates[0], 1386, 1386) }
            ),
            ("at the rate of another currency", "purchase_at_rate_of_payment", forged { $0.rate = rates[2] }),
            ("at no rate", "purchase_at_rate_of_payment", forged { $0.rate = "99" }),
            ("of another currency", "purchase_at_rate_of_payment", forged { $0.currency = "JPY" }),
            ("of an unknown currency", "purchase_at_rate_of_payment", forged { $0.currency = "ZZZ" }),
            ("without its currency", "purchase_foreign_whole", forged { $0.currency = "' || NULL || '" }),
            ("more dollars are posted", "transaction_facts_agree", forged { ($0.owed, $0.mirrored) = (100, 100) }),
            ("fewer won are carried", "transaction_facts_agree", forged { $0.carried = 1373 }),
            (
                "another store owes them", "transaction_facts_agree",
                forged { $0.account = "google-play:receivable:USD" }
            ),
            ("the mirror does not balance", "journal_entry_balances", forged { $0.mirrored = 98 }),
            ("a part went back before", "purchase_refunded_at_own_rate", forged { $0.refunded = "1" }),
            (
                "dollars without a purchase", "transaction_facts_agree",
                BooksByHand.entry(931, "spend", "spend")
                    + BooksByHand.post(
                        931, debits: ["app-store:receivable:USD/0": 5], credits: ["fx:clearing:USD/0": 5])
            ),
            (
                "won are carried for nothing", "transaction_facts_agree",
                BooksByHand.entry(931, "spend", "spend")
                    + BooksByHand.post(931, debits: ["fx:clearing:USD:KRW/0": 5], credits: ["revenue:coins/0": 5])
            ),
        ]
    }

    private static let returns: [Forged] = [
        (
            "a won more goes back", "purchase_refunded_at_own_rate",
            Return(won: 459, carried: 459).sql
        ),
        ("won go back, and no dollars", "purchase_reversal_fits_purchase", Return(paid: nil).sql),
        ("more dollars are posted", "transaction_facts_agree", Return(owed: 34).sql),
        ("other won are posted", "transaction_facts_agree", Return(carried: 457).sql),
        ("dollars come, and won go", "purchase_reversal_foreign_same_way", Return(paid: -33).sql),
        ("dollars go, and won come", "purchase_reversal_foreign_same_way", Return(won: -458).sql),
        ("nothing goes back", "purchase_reversal_goes_one_way", Return(paid: nil, won: 0).sql),
        ("by bank transfer", "purchase_reversal_fits_purchase", Return(isTransfer: true).sql),
    ]

    /// A line of 66 won, as if cents were won.
    private static let settlement =
        """
        INSERT INTO settlement_file (sha256, name, imported_by) VALUES ('x', 'x', 'kim');
        INSERT INTO settlement_row (
            file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status)
        SELECT id, 1, '200', 66, 6, 0, 60, current_date, now(), 1, 'waiting' FROM settlement_file;
        """ + BooksByHand.entry(941, "settlement", "purchase:912")
        + BooksByHand.post(
            941, debits: ["bank/0": 60, "gateway:fees/0": 6], credits: ["app-store:receivable/0": 66])
            + """
            UPDATE settlement_row SET status = 'settled', purchase_id = 912, journal_entry_id = 941, settled_at = now();
            """

    /// The other 66 cents are paid out for 900 won: ₩16 less than the ₩916 at which they are carried.
    private struct Payout {
        var paid = 66
        var currency = "USD"
        var carried: Int? = 916
        /// What its entry posts.
        var owed = 66
        var left = 916
        var loss = 16
        var fees = 100

        var sql: String {
            """
            INSERT INTO settlement_file (sha256, name, imported_by) VALUES ('y', 'y', 'kim');
            INSERT INTO settlement_row (file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status,
                foreign_gross, foreign_currency)
            SELECT id, 1, '200', 900, 100, 0, 800, current_date, now(), 1, 'waiting', \(paid), '\(currency)'
            FROM settlement_file WHERE name = 'y';
            """ + BooksByHand.entry(941, "settlement", "purchase:912")
                + BooksByHand.post(
                    941,
                    debits: [
                        "bank/0": 800, "gateway:fees/0": fees, "fx:loss:USD/0": loss, "fx:clearing:USD/0": owed,
                    ],
                    credits: ["app-store:receivable:USD/0": owed, "fx:clearing:USD:KRW/0": left])
                    + """
                    UPDATE settlement_row
                    SET status = 'settled', purchase_id = 912, journal_entry_id = 941, settled_at = now(),
                        carried = \(carried.map(String.init) ?? "NULL")
                    WHERE payment = '200' AND line = 1;
                    """
        }
    }

    private static let payouts: [Forged] = [
        ("a cent more is no longer owed", "transaction_facts_agree", Payout(owed: 67).sql),
        ("a won less leaves", "purchase_settled_at_own_rate", Payout(carried: 915, left: 915, loss: 15).sql),
        ("other won are posted than the line has", "transaction_facts_agree", Payout(left: 917, loss: 17).sql),
        ("the loss is hidden in the fee", "transaction_facts_agree", Payout(loss: 0, fees: 116).sql),
        ("in another currency", "settlement_row_fits_entry", Payout(currency: "JPY").sql),
        ("without its share", "settlement_row_carried_when_settled", Payout(carried: nil).sql),
        ("more than was paid", "purchase_foreign_settled_within_amount", Payout(paid: 100, owed: 100).sql),
    ]

    /// Two lines of 33 cents, carried at ₩458 each, of which one takes a won of the other.
    private static let wonOfAnotherLine =
        """
        INSERT INTO settlement_file (sha256, name, imported_by) VALUES ('z', 'z', 'kim');
        INSERT INTO settlement_row (file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status,
            foreign_gross, foreign_currency)
        SELECT id, line, '200', 450, 0, 0, 450, current_date, now(), line, 'waiting', 33, 'USD'
        FROM settlement_file, generate_series(1, 2) AS line WHERE name = 'z';
        """
        + [(941, 459), (942, 457)].map { id, carried in
            BooksByHand.entry(id, "settlement", "purchase:912")
                + BooksByHand.post(
                    id, debits: ["bank/0": 450, "fx:loss:USD/0": carried - 450, "fx:clearing:USD/0": 33],
                    credits: ["app-store:receivable:USD/0": 33, "fx:clearing:USD:KRW/0": carried])
        }.joined() + """
            UPDATE settlement_row
            SET status = 'settled', purchase_id = 912, journal_entry_id = 940 + line, settled_at = now(),
                carried = 461 - 2 * line
            WHERE payment = '200';
            """

    /// Ten coins are set aside for a refund.
    static let setAside =
        BooksByHand.entry(951, "refund_hold", "refund:952")
        + BooksByHand.post(951, debits: ["wallet:ann:paid": 10], credits: ["held:ann:paid": 10])
        + BooksByHand.move(913, by: 951, ["remaining": -10, "held": 10])

    /// A refund, as an older process would begin it.
    private static let refund = setAside + BooksByHand.refund(952, of: 912, by: 951)

    static func expect(_ forged: [Forged], on service: PostgresConnection) async throws {
        for (name, constraint, sql) in forged {
            let error = await service.refusal(of: "BEGIN; \(sql) SET CONSTRAINTS ALL IMMEDIATE")
            #expect(error?.constraint == constraint, "\(name): \(error?.description ?? "was done")")
            try await service.execute("ROLLBACK")
        }
    }

    @Test func `a judge refuses a purchase or a return of which one amount does not fit`() async throws {
        try await TestLedger.with { ledger, test in
            let day = sure(CivilDate(year: 2026, month: 1, day: 5))
            // 99 cents are 1386 won at the first, and 1374 at the second.
            let rates = [
                try await ledger.publish("1400", on: day), try await ledger.publish("1387.40", on: day),
                try await ledger.publish("1387.40", of: "CAD", on: day),
            ].map { String($0.id) }
            try await ledger.publish("951", per: 100, of: "JPY", on: day)
            let service = try await test.connectAsService()
            try await service.execute(
                "BEGIN; \(BooksByHand.account(1, "wallet:ann:paid") + BooksByHand.account(2, "held:ann:paid")) COMMIT")
            try await Self.expect(Self.sales(rates), on: service)
            try await service.execute("BEGIN; \(Sale(rate: rates[1]).sql) COMMIT")
            try await Self.expect(Self.returns, on: service)
            try await service.execute("BEGIN; \(Return().sql) COMMIT")
            try await Self.expect(
                [
                    ("settled in won", "purchase_settled_at_own_rate", Self.settlement),
                    ("a won of another line", "settlement_row_fits_entry", Self.wonOfAnotherLine),
                    ("refunded by us", "refund_fits_entry_and_purchase", Self.refund),
                ], on: service)
            try await Self.expect(Self.payouts, on: service)
            try await service.execute("BEGIN; \(Payout().sql) COMMIT")
            await service.close()
            #expect(try await test.number("SELECT foreign_refunded FROM purchase") == 33)
            #expect(try await test.number("SELECT foreign_settled FROM purchase") == 66)
            #expect(
                try await test.number("SELECT count(*) FROM account WHERE code ~ '^fx:clearing' AND balance <> 0") == 0)
        }
    }

    @Test func `the service opens no currency and no account of one`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.publish("1387.40")
            let service = try await test.connectAsService()
            let refused = [
                "INSERT INTO foreign_currency (code) VALUES ('EUR')", "UPDATE foreign_currency SET code = 'EUR'",
                "DELETE FROM foreign_currency", "SELECT open_foreign_currency('EUR')",
                """
                INSERT INTO account (id, stripe, code, currency, normal_side)
                VALUES (900001, 0, 'fx:clearing:EUR/0', 'EUR', 'C')
                """,
                "UPDATE purchase SET foreign_amount = 1", "UPDATE purchase_reversal SET foreign_amount = 1",
            ]
            for sql in refused {
                let error = await service.refusal(of: sql)
                #expect(error?.sqlState == .insufficientPrivilege, "\(sql): \(error?.description ?? "was done")")
            }
            await service.close()
            let owner = try await test.connectAsOwner()
            for code in ["KRW", "ZZZ", "COIN"] {
                let error = await owner.refusal(of: "SELECT open_foreign_currency('\(code)')")
                #expect(error?.constraint == "foreign_currency_known", "\(code)")
            }
            await owner.close()
        }
    }

    /// The database has the decimals of every code, and of nothing else.
    @Test func `the decimals of currencies are those of the table`() async throws {
        try await TestLedger.withDatabase { test in
            let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
            let codes = letters.flatMap { a in letters.flatMap { b in letters.map { a + b + $0 } } }
            let connection = try await test.connectAsOwner()
            let told = try await connection.run(
                PostgresQuery<[Int64?]>(
                    """
                    SELECT currency_decimals(asked.code) FROM unnest($1::text[]) WITH ORDINALITY AS asked (code, place)
                    ORDER BY place
                    """, [codes + ["usd", "USDX", "US", "", "D E"]]
                ) { row in try row.decode(0, as: Int64?.self) })
            await connection.close()
            #expect(
                told == codes.map { Currencies.Currency($0).map { Int64($0.decimals) } } + [nil, nil, nil, nil, nil])
            #expect(told.compactMap(\.self).count > 150)
        }
    }
}
