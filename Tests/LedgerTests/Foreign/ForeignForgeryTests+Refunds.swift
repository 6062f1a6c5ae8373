import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

extension ForeignForgeryTests {
    /// Ten coins of a payment at PortOne are set aside: ₩137 are 9.87 cents, and 10 cents are ₩138.
    private struct Refund {
        var amount = 138
        var value = 138
        var foreign = "10, 0, 'USD', 99"

        var sql: String {
            ForeignForgeryTests.setAside + """
                INSERT INTO refund (id, stripe, purchase_id, user_id, coins, bonus_coins, value, fee, amount, currency,
                    explanation, believed_balance, journal_entry_id, reason, requested_at, next_attempt_at, method, status,
                    foreign_amount, foreign_fee, foreign_currency, foreign_balance)
                VALUES (952, 0, 912, 'ann', 10, 0, \(value), \(value - amount), \(amount), 'KRW', 'changed her mind', 1374,
                    951, 'asked', now(), now() + interval '1 day', 'gateway', 'pending', \(foreign));
                """
        }
    }

    private static let refunds: [Forged] = [
        ("a won more", "refund_fits_entry_and_purchase", Refund(amount: 139, value: 139).sql),
        ("a won as a fee of no cent", "refund_fits_entry_and_purchase", Refund(amount: 137).sql),
        ("a fee of no won", "refund_fits_entry_and_purchase", Refund(foreign: "10, 1, 'USD', 99").sql),
        ("no cents", "refund_fits_entry_and_purchase", Refund(foreign: "NULL, NULL, NULL, NULL").sql),
        ("in another currency", "refund_fits_entry_and_purchase", Refund(foreign: "10, 0, 'CAD', 99").sql),
        ("of another balance", "refund_fits_entry_and_purchase", Refund(foreign: "10, 0, 'USD', 98").sql),
        ("more cents than are left", "refund_foreign_within_balance", Refund(foreign: "100, 0, 'USD', 99").sql),
        ("a cent of no amount", "refund_foreign_amount_positive", Refund(foreign: "0, 10, 'USD', 99").sql),
        ("without a balance", "refund_foreign_whole", Refund(foreign: "10, 0, 'USD', NULL").sql),
    ]

    /// The gateway gave the money back.
    private struct Completion {
        var paid = 10
        var won = 138
        var told: String? = nil

        var sql: String {
            BooksByHand.entry(961, "refund", "refund:952", reverses: 911)
                + BooksByHand.post(
                    961, debits: ["held:ann:paid": 10, "coins:deferred-revenue/0": won, "fx:clearing:USD/0": paid],
                    credits: [
                        "coins:issued/0": 10, "gateway:receivable:USD/0": paid, "fx:clearing:USD:KRW/0": won,
                    ])
                + BooksByHand.move(913, by: 961, ["held": -10, "deferred": -won]) + """
                    INSERT INTO purchase_reversal (
                        journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer, foreign_amount)
                    VALUES (961, 912, \(won), 10, 0, 0, false, \(told ?? String(paid)));
                    INSERT INTO refund_decision (journal_entry_id, refund_id, status) VALUES (961, 952, 'completed');
                    """
        }
    }

    private static let completions: [Forged] = [
        ("a cent more, at its won", "refund_decision_fits_refund", Completion(paid: 11, won: 152).sql),
        ("a won more", "purchase_refunded_at_own_rate", Completion(won: 139).sql),
        ("no cents", "purchase_reversal_fits_purchase", Completion(told: "NULL").sql),
        ("other cents than are posted", "purchase_refunded_at_own_rate", Completion(told: "11").sql),
    ]

    @Test func `a judge refuses a refund of which one amount does not fit its payment`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            try await ledger.publish("1387.40", of: "CAD")
            let service = try await test.connectAsService()
            let sale = Sale(rate: String(rate.id), account: "gateway:receivable:USD", gateway: "portone-v1")
            try await service.execute(
                "BEGIN; \(BooksByHand.account(1, "wallet:ann:paid") + BooksByHand.account(2, "held:ann:paid")) COMMIT")
            try await service.execute("BEGIN; \(sale.sql) COMMIT")
            try await Self.expect(Self.refunds, on: service)
            try await service.execute("BEGIN; \(Refund().sql) COMMIT")
            try await Self.expect(Self.completions, on: service)
            try await service.execute("BEGIN; \(Completion().sql) COMMIT")
            await service.close()
            #expect(try await test.number("SELECT foreign_refunded FROM purchase") == 10)
            #expect(try await test.number("SELECT refunded_amount FROM purchase") == 138)
        }
    }

    /// 18 dongs are worth no won.
    private static func partOfNoWon(_ account: String) -> String {
        BooksByHand.entry(921, "claw_back", "purchase:912", reverses: 911)
            + BooksByHand.post(921, debits: ["fx:clearing:VND/0": 18], credits: ["\(account)/0": 18]) + """
                INSERT INTO purchase_reversal (
                    journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins, is_transfer, foreign_amount)
                VALUES (921, 912, 0, 0, 0, 0, false, 18);
                """
    }

    @Test func `a judge refuses a claw-back of no won in the App Store alone`() async throws {
        for store in ["app-store", "portone-v1"] {
            try await TestLedger.with { ledger, test in
                let rate = try await ledger.publish("5.45", per: 100, of: "VND")
                let account = store == "app-store" ? "app-store:receivable:VND" : "gateway:receivable:VND"
                let sale = Sale(
                    paid: 26_000, won: 1417, rate: String(rate.id), owed: 26_000, mirrored: 26_000, carried: 1417,
                    account: account, gateway: store)
                let service = try await test.connectAsService()
                try await service.execute("BEGIN; \(BooksByHand.account(1, "wallet:ann:paid")) COMMIT")
                try await service.execute("BEGIN; \(sale.sql.replacing("USD", with: "VND")) COMMIT")
                if store == "app-store" {
                    let part: Forged = (store, "purchase_reversal_fits_purchase", Self.partOfNoWon(account))
                    try await Self.expect([part], on: service)
                } else {
                    try await service.execute("BEGIN; \(Self.partOfNoWon(account)) COMMIT")
                }
                await service.close()
            }
        }
    }
}
