import Foundation
import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct MigratorTests {
    @Test func `a fresh database is migrated once, and keeps its stripes`() async throws {
        try await Self.withEmptyDatabase { database, migrator in
            #expect(try await migrator.pending().count == Migration.all.count)
            #expect(try await migrator.migrate(stripes: 3).map(\.version) == Migration.all.map(\.version))
            #expect(try await migrator.migrate(stripes: 5).isEmpty)
            #expect(try await migrator.pending().isEmpty)
            let test = TestLedger(database: database)
            #expect(try await Self.number("SELECT stripes FROM ledger", database) == 3)
            #expect(
                try await Self.number("SELECT count(*) FROM account", database)
                    == Int64(3 * SystemAccount.allCases.count))
            let ledger = try await test.open()
            #expect(try await ledger.credit(.sample()).credited != nil)
            await ledger.close()
        }
    }

    @Test func `migrators at the same time apply each migration once`() async throws {
        for _ in 0..<3 {
            try await Self.withEmptyDatabase { database, migrator in
                let applied = try await together(6) { _ in try await migrator.migrate(stripes: 2).count }
                #expect(applied.reduce(0, +) == Migration.all.count)
                #expect(
                    try await Self.number("SELECT count(*) FROM account", database)
                        == Int64(2 * SystemAccount.allCases.count))
            }
        }
    }

    @Test func `a schema that is not this binary's is named and refused`() async throws {
        try await TestLedger.withDatabase { test in
            let migrator = Migrator(configuration: try test.database.configuration)
            try await test.execute("UPDATE migration SET checksum = 'x' WHERE version = 2")
            try await Self.expectSchemaError("0002_coin_shop") { _ = try await migrator.pending() }
            try await Self.expectSchemaError("0002_coin_shop") { try await migrator.migrate() }
            try await Self.expectSchemaError("0002_coin_shop") { _ = try await test.open() }
            try await test.execute("DELETE FROM migration WHERE version = 2")
            try await Self.expectSchemaError("0002_coin_shop") { _ = try await test.open() }
            try await test.execute("INSERT INTO migration VALUES (9999, 'later', 'x')")
            try await Self.expectSchemaError("9999") { _ = try await test.open() }
        }
    }

    @Test func `a ledger without tables is refused`() async throws {
        try await Self.withEmptyDatabase { database, _ in
            try await Self.expectSchemaError("0001_ledger") { _ = try await TestLedger(database: database).open() }
        }
    }

    @Test func `a migration that fails leaves nothing behind and is named`() async throws {
        try await Self.withEmptyDatabase { database, migrator in
            try await migrator.migrate()
            let connection = try await database.connect()
            try await connection.execute(
                "DROP TABLE receipt_retry; DELETE FROM migration WHERE version = 3; CREATE TABLE receipt_retry (id text)"
            )
            do {
                try await migrator.migrate()
                Issue.record("it did not fail")
            } catch let error as LedgerError {
                #expect(error.message.contains("0003_receipt_retry"), "\(error)")
            }
            #expect(try await Self.number("SELECT count(*) FROM migration WHERE version <= 3", database) == 2)
            try await connection.execute("DROP TABLE receipt_retry")
            #expect(try await migrator.migrate().map(\.version) == [3])
            await connection.close()
        }
    }

    @Test func `a ledger from before refunds gets their account, and its claw-backs' coins are counted`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample(coins: 7, bonus: 3, won: 1000))
            _ = try await ledger.buy(.sample(2))
            _ = try await ledger.clawBack(purchase, 500)
            let migrator = Migrator(configuration: try PostgresConfiguration(url: test.ownerURL))
            let before = try await test.number("SELECT max(id) FROM account")
            try await test.execute(
                Self.withoutFacts + """
                    DROP TABLE refund;
                    ALTER TABLE purchase DROP COLUMN refunded_coins, DROP COLUMN refunded_bonus_coins,
                        DROP COLUMN charged_coins;
                    ALTER TABLE lot DROP COLUMN returned_at;
                    ALTER TABLE account DISABLE TRIGGER ALL;
                    DELETE FROM account WHERE code LIKE 'revenue:refund-fees/%';
                    ALTER TABLE account ENABLE TRIGGER ALL;
                    DELETE FROM migration WHERE name IN ('refunds', 'bonus_charged');
                    """)
            #expect(
                try await migrator.migrate().map(\.name) == [
                    "refunds", "bonus_charged", "facts", "work_calls", "judges_read_once", "leases", "events",
                    "event_indexes", "receipts_by_user", "lease_indexes", "endpoints", "endpoint_indexes",
                    "console", "finding_acts", "work_list_indexes", "coin_returns", "entry_kinds_validated",
                    "planned_sales", "bank_transfers", "bank_transfers_validated", "refund_fee_rules", "providers",
                    "provider_accounts_validated", "custody", "custody_finding", "product_lifetimes", "disputes",
                    "dispute_kinds_validated", "vat", "vat_of_lots_validated", "payout_parts",
                    "transfer_index", "adjustments", "expired_refunds", "refunds_validated",
                    "refunds_repaid", "refunds_repaid_validated", "product_terms", "refunds_tax_free",
                    "vat_of_sums", "adjustment_basis", "disputes_won_back",
                ])
            #expect(try await ledger.purchases.find(purchase.id)?.refundedCoins == 3)
            #expect(try await ledger.purchases.find(purchase.id)?.refundedBonusCoins == 1)
            #expect(
                try await test.number("SELECT count(*) FROM account WHERE code LIKE 'revenue:refund-fees/%'") == 4)
            #expect(
                try await test.number("SELECT min(id) FROM account WHERE code LIKE 'revenue:refund-fees/%'") > before)
            let later = try await test.open()
            #expect(try await later.begin(.sample(of: purchase.id, feePercent: 10)).fee == 50)
            await later.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a ledger from before expired coins were kept learns from its movements what expired`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything(reverses: false)
            let expired = "SELECT sum(expired * 10000 + breakage)::int8 FROM lot"
            let before = try await test.number(expired)
            #expect(before == 100 * 10000 + 1000)
            try await test.execute(
                """
                ALTER TABLE lot DROP COLUMN expired, DROP COLUMN breakage;
                DELETE FROM migration WHERE name = 'expired_coins';
                """)
            let migrator = Migrator(configuration: try test.database.configuration)
            #expect(try await migrator.migrate().map(\.name) == ["expired_coins"])
            #expect(try await test.number(expired) == before)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a ledger from before coins knew when they came back learns it from its movements`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything(reverses: false)
            let returned = "SELECT sum(id % 1000 * extract(epoch FROM returned_at))::int8 FROM lot"
            let before = try await test.number(returned)
            #expect(before > 0)
            try await test.execute(
                """
                ALTER TABLE refund DROP COLUMN bonus_charged;
                ALTER TABLE purchase DROP COLUMN charged_coins;
                ALTER TABLE lot DROP COLUMN returned_at;
                DELETE FROM migration WHERE name = 'bonus_charged';
                """)
            let migrator = Migrator(configuration: try test.database.configuration)
            #expect(try await migrator.migrate().map(\.name) == ["bonus_charged"])
            #expect(try await test.number(returned) == before)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a migrator that can't get its lock gives up`() async throws {
        try await Self.withEmptyDatabase { database, _ in
            let other = try await database.connect()
            try await other.execute("BEGIN; SELECT pg_advisory_xact_lock(x'6c656467657264'::bigint)")
            var configuration = try database.configuration
            configuration.lockTimeout = .milliseconds(200)
            let migrator = Migrator(configuration: configuration)
            await #expect { try await migrator.migrate() } throws: { ($0 as? LedgerError)?.code == .unavailable }
            try await other.execute("ROLLBACK")
            #expect(try await migrator.migrate().count == Migration.all.count)
            await other.close()
        }
    }

    @Test func `a role without the service's rights is refused with the reason`() async throws {
        try await TestLedger.withDatabase { test in
            let role = "ledgerd_stranger_\(Fresh.word)"
            try await test.execute("CREATE ROLE \(role) LOGIN")
            let url = test.database.server.url(database: test.database.name, ["user": role])
            do {
                _ = try await test.open(url: url)
                Issue.record("it was let in")
            } catch let error as LedgerError {
                #expect(error.message.contains("privileges"), "\(error)")
            }
            try await test.execute("DROP ROLE \(role)")
        }
    }

    @Test func `a ledger has one stripe at least and sixty-four at most`() async throws {
        let migrator = Migrator(configuration: try PostgresConfiguration(url: "postgresql://127.0.0.1:1/none"))
        for stripes in [0, 65, -1] as [Int64] {
            await #expect { try await migrator.migrate(stripes: stripes) } throws: {
                ($0 as? LedgerError)?.code == .invalid
            }
        }
    }

    @Test func `a ledger from before facts were kept gets them, and is as it was`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything(reverses: false)
            let facts = """
                SELECT coalesce(sum(hashtextextended(fact::text, 0) % 1000000007), 0)::int8 FROM (
                    SELECT to_jsonb(hold_event) FROM hold_event UNION ALL
                    SELECT to_jsonb(purchase_reversal) FROM purchase_reversal UNION ALL
                    SELECT to_jsonb(refund_decision) FROM refund_decision
                ) AS told (fact)
                """
            let before = try await test.number(facts)
            let end = try await test.closeEverything(ledger)
            let exports = try await ClosedExportTests.exports(of: ledger, until: end)
            #expect(try await test.number("SELECT count(*) FROM hold_event") > 0)
            #expect(try await test.number("SELECT count(*) FROM purchase_reversal") > 0)
            #expect(try await test.number("SELECT count(*) FROM refund_decision") > 0)
            try await test.execute(Self.withoutFacts)
            let migrator = Migrator(configuration: try PostgresConfiguration(url: test.ownerURL))
            #expect(
                try await migrator.migrate().map(\.name) == [
                    "facts", "work_calls", "judges_read_once", "leases", "events", "event_indexes", "receipts_by_user",
                    "lease_indexes", "endpoints", "endpoint_indexes", "console", "finding_acts", "work_list_indexes",
                    "coin_returns", "entry_kinds_validated", "planned_sales", "bank_transfers",
                    "bank_transfers_validated", "refund_fee_rules", "providers", "provider_accounts_validated",
                    "custody", "custody_finding", "product_lifetimes", "disputes", "dispute_kinds_validated",
                    "vat", "vat_of_lots_validated", "payout_parts", "transfer_index", "adjustments", "expired_refunds",
                    "refunds_validated", "refunds_repaid",
                    "refunds_repaid_validated", "product_terms", "refunds_tax_free",
                    "vat_of_sums", "adjustment_basis", "disputes_won_back",
                ])
            #expect(try await test.number(facts) == before)
            try await Audit.expectSound(test)
            let later = try await test.open()
            #expect(try await ClosedExportTests.exports(of: later, until: end) == exports)
            _ = try await later.credit(.sample(77, by: "later"))
            await later.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a ledger from before events gets those of all its entries, the first one first`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything(reverses: false)
            try await ledger.events.publisher.publish()
            let before = try await ledger.events.everything()
            try await test.execute(
                Self.withoutFacts
                    + "SET LOCAL session_replication_role = replica; UPDATE journal_entry SET transaction_id = '0';")
            try await Migrator(configuration: try PostgresConfiguration(url: test.ownerURL)).migrate()
            let later = try await test.open()
            _ = try await later.credit(.sample(77, by: "later"))
            try await later.events.publisher.publish()
            let after = try await later.events.everything()
            await later.close()
            let entries = before.filter { $0.entry != nil }
            #expect(after.map(\.seq) == Array(1...Int64(entries.count + 1)))
            #expect(after.dropLast().map(EventTold.init) == entries.map(EventTold.init))
            #expect(after.last?.user == .named("later"))
            try await Audit.expectSound(test)
        }
    }

    /// Takes the migration of facts back.
    private static let withoutFacts =
        withoutProviders + withoutEvents + withoutBankTransfers + """
            DROP FUNCTION tell_of_work CASCADE;
            DROP FUNCTION judge_accounts, judge_tally, judge_holds, judge_hold_lots, judge_hold_events, judge_reversals,
                judge_refunds, judge_refund_decisions, judge_settled_rows, refuse_settled_rows, judge_outcomes CASCADE;
            DROP FUNCTION judge_coin_returns, coins_taken CASCADE;
            DROP TABLE coin_return;
            DROP FUNCTION tally_salt, tally_recorded_at, add_to_tally, current_tally;
            DROP TABLE hold_event, refund_decision, purchase_reversal, transaction_tally;
            ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_kind_known;
            ALTER TABLE journal_entry ADD CONSTRAINT journal_entry_reverses_an_entry
                FOREIGN KEY (reverses) REFERENCES journal_entry (id);
            DROP INDEX account_of_user;
            ALTER TABLE account DROP COLUMN owes;
            ALTER TABLE lot DROP COLUMN is_open;
            CREATE INDEX lot_open_by_user ON lot (user_id) WHERE remaining + held > 0;
            CREATE INDEX lot_expiring ON lot (expires_at, id) WHERE remaining > 0 AND expires_at IS NOT NULL;
            ALTER TABLE account DROP COLUMN row_lock;
            ALTER TABLE lot_movement DROP COLUMN expired, DROP COLUMN breakage, DROP COLUMN returned_at;
            ALTER TABLE refund DROP CONSTRAINT refund_one_pending;
            CREATE UNIQUE INDEX refund_one_pending ON refund (purchase_id) WHERE status = 'pending';
            ALTER TABLE refund DROP COLUMN lease_holder, DROP COLUMN asked_at;
            ALTER TABLE receipt_retry DROP COLUMN lease_holder;
            ALTER TABLE webhook_event DROP COLUMN lease_holder;
            ALTER TABLE reconciliation_run DROP COLUMN lease_holder;
            DELETE FROM migration WHERE name IN ('facts', 'work_calls', 'judges_read_once', 'leases', 'lease_indexes',
                'coin_returns', 'entry_kinds_validated');
            GRANT CREATE ON SCHEMA public TO ledgerd_test_owner;

            """

    /// Takes the migrations of providers back.
    private static let withoutProviders = """
        DROP TABLE payout_entry, payout_decision, provider_share, provider_repayment, payout_part, payout_item, payout,
            provider_terms CASCADE;
        DROP FUNCTION judge_provider_shares, set_provider_terms, fill_payout, payout_detail, judge_payout_decision,
            judge_paid_payout, judge_payout_entries, judge_provider_repayments;
        ALTER TABLE account DISABLE TRIGGER ALL;
        DELETE FROM account WHERE code ~ '^(revenue:commission|cost:providers|tax:withholding-payable)/';
        ALTER TABLE account ENABLE TRIGGER ALL;
        DELETE FROM migration WHERE name IN ('providers', 'provider_accounts_validated', 'payout_parts',
            'transfer_index', 'product_terms');

        """

    /// Takes the migrations of refunds by bank transfer back.
    private static let withoutBankTransfers = """
        DROP FUNCTION judge_debt_bank_payments CASCADE;
        DROP TABLE debt_bank_payment;
        DROP INDEX refund_approved;
        ALTER TABLE refund DROP COLUMN method, DROP COLUMN taken, DROP COLUMN paid_at, DROP COLUMN bank_reference,
            DROP COLUMN fee_rule, DROP COLUMN fee_waiver, DROP COLUMN expired_coins, DROP COLUMN expired_value,
            DROP COLUMN expired_fee, DROP COLUMN expiry_reversal_id, DROP COLUMN expired_won,
            DROP COLUMN repaid_at, DROP COLUMN repayment_reference, DROP COLUMN tax_free,
            DROP CONSTRAINT refund_taken_has_reversal, DROP CONSTRAINT refund_decided_has_time,
            ADD CONSTRAINT refund_status_known CHECK (status IN ('pending', 'completed', 'refused')),
            ADD CONSTRAINT refund_completed_has_reversal CHECK (
                (status = 'completed') = (reversal_entry_id IS NOT NULL)),
            ADD CONSTRAINT refund_decided_has_time CHECK ((status = 'pending') = (decided_at IS NULL));
        ALTER TABLE purchase DROP COLUMN transferred_amount;
        CREATE INDEX purchase_outstanding ON purchase (id) WHERE amount - refunded_amount <> settled_amount;
        ALTER TABLE reconciliation_item DROP COLUMN transferred_amount;
        ALTER TABLE account DISABLE TRIGGER ALL;
        DELETE FROM account WHERE code LIKE 'refunds:payable/%' OR code LIKE 'coins:written-off/%';
        ALTER TABLE account ENABLE TRIGGER ALL;
        DELETE FROM migration WHERE name IN ('bank_transfers', 'bank_transfers_validated', 'refund_fee_rules',
            'expired_refunds', 'refunds_validated', 'refunds_repaid',
            'refunds_repaid_validated', 'refunds_tax_free');

        """

    /// Takes the migration of events back.
    private static let withoutEvents =
        withoutEndpoints + """
            DROP TABLE event, occurrence, order_expiry;
            DROP FUNCTION judge_events, posting_seq_at_event, record_occurrence, record_finding, record_receipt,
                record_reconciliation, record_closing, record_seal, record_expired_orders, microseconds CASCADE;
            DROP INDEX idempotency_of_entry, order_by_expiry, receipt_retry_by_user;
            DELETE FROM migration WHERE name IN ('events', 'event_indexes', 'receipts_by_user');

            """

    /// Takes the migrations of endpoints back.
    private static let withoutEndpoints =
        withoutConsole + """
            ALTER TABLE finding DROP COLUMN endpoint_id;
            DROP TABLE endpoint_attempt, endpoint_failure, endpoint_lane, endpoint_reader, endpoint;
            DROP FUNCTION purge_endpoint_attempts, record_endpoint;
            DROP INDEX event_of_nobody;
            DELETE FROM migration WHERE name IN ('endpoints', 'endpoint_indexes');

            """

    /// Takes the migrations of the console and of its work lists back.
    private static let withoutConsole =
        withoutPlannedSales + """
            DROP TABLE finding_act;
            ALTER TABLE finding DROP COLUMN assigned_to;
            DROP INDEX receipt_retry_waiting, refund_pending, settlement_row_unmatched;
            DROP TABLE console_session, audit, audit_outcome, approval, customer_note CASCADE;
            DROP FUNCTION purge_console_sessions, judge_approval CASCADE;
            DELETE FROM migration WHERE name IN ('console', 'finding_acts', 'work_list_indexes');

            """

    /// Takes the migration of planned sales back.
    private static let withoutPlannedSales =
        withoutCustody + """
            ALTER TABLE product DROP CONSTRAINT product_code_sold_once, DROP CONSTRAINT product_price_sold_once;
            DROP TYPE text_range;
            CREATE UNIQUE INDEX product_active_code_unique ON product (code) WHERE active_until IS NULL;
            CREATE UNIQUE INDEX product_active_price_unique ON product (currency, price) WHERE active_until IS NULL;
            DELETE FROM migration WHERE name = 'planned_sales';

            """

    /// Takes the migrations of custody back.
    private static let withoutCustody =
        withoutDisputes + """
            DROP TABLE custody_balance;
            DROP INDEX finding_once_of_custody;
            DELETE FROM migration WHERE name IN ('custody', 'custody_finding');

            """

    /// Takes the migrations of disputes and of products' lifetimes back.
    private static let withoutDisputes =
        withoutAdjustments + withoutVAT + """
            DROP TABLE dispute, dispute_decision, coin_freeze;
            DROP FUNCTION judge_dispute, judge_dispute_decision, judge_coin_freezes;
            ALTER TABLE product DROP COLUMN coin_days, DROP COLUMN bonus_coin_days;
            ALTER TABLE "order" DROP COLUMN coin_days, DROP COLUMN bonus_coin_days;
            DELETE FROM migration WHERE name IN (
                'product_lifetimes', 'disputes', 'dispute_kinds_validated', 'disputes_won_back');

            """

    /// Takes the migrations of VAT back.
    private static let withoutVAT = """
        DROP FUNCTION lot_vat_payable, lot_vat_deferred, lot_vat_breakage;
        ALTER TABLE product DROP COLUMN vat;
        ALTER TABLE "order" DROP COLUMN vat;
        ALTER TABLE lot DROP COLUMN vat, DROP COLUMN taxed, DROP COLUMN taxed_breakage;
        ALTER TABLE lot_movement DROP COLUMN taxed, DROP COLUMN taxed_breakage;
        ALTER TABLE IF EXISTS refund DROP COLUMN fee_vat;
        ALTER TABLE purchase DROP COLUMN tax_free;
        ALTER TABLE IF EXISTS debt_bank_payment DROP COLUMN vat;
        ALTER TABLE settlement_row DROP COLUMN input_vat;
        ALTER TABLE IF EXISTS provider_share DROP COLUMN vat;
        DELETE FROM migration WHERE name IN ('vat', 'vat_of_lots_validated', 'vat_of_sums');

        """

    /// Takes the migrations of adjustments back.
    private static let withoutAdjustments = """
        DROP TABLE adjustment, adjustment_cohort, adjustment_basis, accounting_policy;
        DROP FUNCTION judge_accounting_policy, judge_adjustment_cohorts, judge_adjustment, accounting_policy_in_force,
            measure_adjustment_basis;
        ALTER TABLE account DISABLE TRIGGER ALL;
        DELETE FROM account
        WHERE code ~ '^((coins|revenue):expected-breakage|coins:deferred-bonus|revenue:bonus-allocation)/';
        ALTER TABLE account ENABLE TRIGGER ALL;
        DELETE FROM migration WHERE name IN ('adjustments', 'adjustment_basis');

        """

    private static func withEmptyDatabase(
        _ body: (TestDatabase, Migrator) async throws -> Void
    ) async throws {
        try await TestLedger.withEmptyDatabase { database in
            var configuration = try database.configuration
            // Others wait for each other's migrations, which take longer on a busy machine.
            configuration.lockTimeout = .seconds(300)
            try await body(database, Migrator(configuration: configuration))
        }
    }

    private static func number(_ sql: String, _ database: TestDatabase) async throws -> Int64 {
        let connection = try await database.connect()
        let number = try await connection.run(PostgresQuery<Int64>.one(sql) { row in try row[0] })
        await connection.close()
        return number
    }

    private static func expectSchemaError(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
            Issue.record("it was taken")
        } catch let error as LedgerError {
            #expect(error.code == .schema && error.message.contains(name), "\(error)")
        }
    }
}
