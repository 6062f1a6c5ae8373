import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// PostgreSQL refuses to be wrong, whatever the Swift side asks of it.
@Suite(.timeLimit(.minutes(20))) struct JudgementTests {
    @Test func `the service's role may neither change nor remove what is written, nor touch the schema`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.submit(Grant.sample())
            let service = try await test.connectAsService()
            let tables = try await test.texts(
                "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'")
            let schema = try String(contentsOf: Golden.root.appending(path: "docs/schema.sql"), encoding: .utf8)
            let made = schema.matches(of: /\nCREATE (?:UNLOGGED )?TABLE public\.("?\w+"?)/).map { String($0.1) }
            #expect(tables.sorted() == made.sorted())
            var forbidden = tables.flatMap { table in
                [
                    "TRUNCATE \(table) CASCADE", "DELETE FROM \(table)", "DROP TABLE \(table)",
                    "ALTER TABLE \(table) DISABLE TRIGGER ALL",
                ]
            }
            // Of a comparison that is under way the service takes items out again; it is a report, not the books.
            // Which events wait for an endpoint changes with each attempt; what happened is in the events.
            // A user who is to get no more events has no thresholds; earlier events stay.
            forbidden.removeAll {
                [
                    "DELETE FROM reconciliation_item", "DELETE FROM endpoint_lane", "DELETE FROM endpoint_failure",
                    "DELETE FROM balance_alert",
                ].contains($0)
            }
            forbidden += [
                "UPDATE posting SET amount = amount", "UPDATE journal_entry SET reason = 'none'",
                "UPDATE account SET code = code", "UPDATE account SET owner = NULL", "UPDATE account SET stripe = 0",
                "UPDATE purchase SET coins = coins + 1", "UPDATE purchase SET user_id = 'eve'",
                "UPDATE lot SET coins = coins + 1", "UPDATE lot_movement SET held = 0", "UPDATE hold SET coins = 1",
                "UPDATE hold_lot SET coins = 1", "UPDATE idempotency SET outcome = '{}'",
                "UPDATE webhook_event SET imp_uid = 'x'", "UPDATE webhook_event SET source = NULL",
                "UPDATE \"order\" SET amount = 1",
                "UPDATE reconciliation_run SET heals = true", "UPDATE reconciliation_item SET imp_uid = 'x'",
                "UPDATE closed_period SET until = now()", "UPDATE chain_link SET hash = previous_hash",
                "UPDATE seal SET statement = ''", "UPDATE closing_proposal SET until = now()",
                "UPDATE provider_account SET proposed_by = 'x'", "UPDATE provider_account SET provider = 'x'",
                "INSERT INTO provider_account (provider, account, proposed_by, status) VALUES ('x', '{}', 'x', 'approved')",
                "UPDATE closing_proposal SET proposed_by = 'x'", "UPDATE account_day SET day = day",
                """
                INSERT INTO journal_entry (
                    id, stripe, kind, reference, effective_at, recorded_at, transaction_id)
                VALUES (1, 0, 'grant', 'test:1', now(), now(), '1')
                """,
                "INSERT INTO closed_period (until, closed_by, closed_at) VALUES (now(), 'x', now())",
                "UPDATE audit SET reason = ''", "UPDATE audit_outcome SET outcome = 'done'",
                "UPDATE approval SET parameters = '{}'", "UPDATE approval SET proposed_by = 'x'",
                "UPDATE custody_balance SET balance = 1",
                "UPDATE accounting_policy SET expected = 1", "UPDATE adjustment SET target = 0",
                "UPDATE rate SET value = 1", "UPDATE rate_proposal SET value = 1",
                "UPDATE rate_proposal SET proposed_by = 'x'",
                """
                INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, published_at)
                VALUES ('USD', '2026-01-01', 1, 1, 0, 1, 'x', 'x', now())
                """,
                "UPDATE adjustment_cohort SET target = 0", "UPDATE adjustment_basis SET deferred = 0",
                "INSERT INTO adjustment_basis (month, zone, deferred) VALUES ('2026-01', 'GMT', 5000000000)",
                "UPDATE revaluation SET amount = 0", "UPDATE revaluation_basis SET worth = 0",
                "INSERT INTO revaluation_basis (currency, month, zone, worth) VALUES ('USD', '2026-01', 'GMT', 5)",
                "UPDATE customer_note SET text = ''", "UPDATE console_session SET role = 'administrator'",
                "INSERT INTO audit (key, acted_at) VALUES ('x', now())",
                "UPDATE grant_counted SET coins = 1", "UPDATE grant_day SET caller = 'x'",
                "UPDATE dispute SET status = 'won'", "UPDATE dispute_decision SET amount = 0",
                "UPDATE dispute_win SET resolved_at = now()", "UPDATE claw_back_reversal SET told_at = now()",
                "UPDATE coin_freeze SET coins = 0", "UPDATE refund SET fee = 0", "UPDATE refund SET coins = 1",
                "UPDATE settlement_file SET sha256 = ''", "UPDATE settlement_row SET line = 1",
                "UPDATE settlement_row SET is_dismissed = true", "UPDATE settlement_file SET is_summed = false",
                "UPDATE settlement_file_sum SET net = 0", "UPDATE payout_item SET shares = 0",
                "INSERT INTO settlement_file_sum VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                "DROP TRIGGER settlement_row_settled_is_immutable ON settlement_row",
                "UPDATE finding SET imp_uid = 'x'", "UPDATE ledger SET stripes = 1",
                "UPDATE payment_name SET purchase_id = 1",
                "INSERT INTO ledger (stripes) VALUES (1)",
                "UPDATE product SET price = 1", "UPDATE product_price SET amount = 1",
                "UPDATE migration SET checksum = ''",
                "INSERT INTO migration VALUES (9999, 'x', 'x')", "CREATE TABLE mine (id bigint)",
                "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "DROP TRIGGER posting_is_judged ON posting", "SELECT setval('record_id', 1)",
                "SET session_replication_role = replica", "ALTER SEQUENCE record_id RESTART",
            ]
            for statement in forbidden {
                let error = await service.refusal(of: statement)
                #expect(error?.sqlState == .insufficientPrivilege, "\(statement): \(error?.description ?? "was done")")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a judge asks the ledger's tables, whatever tables the session has made for itself`() async throws {
        try await TestLedger.withDatabase { test in
            // Where the database's owner gives the right to temporary tables back.
            let service = try await test.connectAsService()
            try await service.execute(
                "INSERT INTO closed_period (until, closed_by) VALUES (now() - interval '1 day', 'test')")
            try await service.execute("CREATE TEMPORARY TABLE closed_period (until timestamptz)")
            try await service.execute("CREATE TEMPORARY TABLE account AS SELECT * FROM public.account")
            try await service.execute("UPDATE pg_temp.account SET id = id + 1000000")
            let late = await service.refusal(
                of: """
                    INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                    VALUES (900001, 0, 'grant', 'test:1', now() - interval '2 days', now())
                    """)
            #expect(late?.constraint == "journal_entry_in_open_period", "\(late?.description ?? "was done")")
            // The temporary table has the accounts that the postings name; the ledger's own has none of them.
            let forged = await service.refusal(of: HandMade().sql)
            #expect(forged?.constraint == "posting_fits_account_and_entry", "\(forged?.description ?? "was done")")
            await service.close()
        }
    }

    @Test func `every function of the ledger looks for names in the ledger's schema alone`() async throws {
        try await TestLedger.withDatabase { test in
            let loose = try await test.number(
                """
                SELECT count(*) FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace
                    -- The constructors of a range type are PostgreSQL's own.
                    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'i')
                    -- Without `public` every name has to say its schema itself.
                    AND NOT coalesce(proconfig, '{}') && ARRAY[
                        'search_path=pg_catalog, public, pg_temp', 'search_path=pg_catalog, pg_temp']
                """)
            #expect(loose == 0, "a new function needs SET search_path = pg_catalog, public, pg_temp")
        }
    }

    @Test func `the service's role can make no temporary table in a database that was migrated`() async throws {
        try await TestLedger.withEmptyDatabase { database in
            try await database.server.execute("ALTER DATABASE \"\(database.name)\" OWNER TO ledgerd_test_owner")
            let test = TestLedger(database: database)
            try await Migrator(configuration: PostgresConfiguration(url: test.ownerURL)).migrate()
            let service = try await test.connectAsService()
            let refused = await service.refusal(of: "CREATE TEMPORARY TABLE account (id bigint)")
            #expect(refused?.sqlState == .insufficientPrivilege, "\(refused?.description ?? "was done")")
            await service.close()
        }
    }

    @Test func `the owner may not change or remove what is written either`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let owner = try await test.connectAsOwner()
            for statement in [
                "UPDATE posting SET amount = amount", "DELETE FROM posting", "TRUNCATE posting",
                "UPDATE journal_entry SET reason = 'none'", "DELETE FROM journal_entry",
                "TRUNCATE journal_entry CASCADE", "DELETE FROM account", "TRUNCATE account",
            ] {
                let error = await owner.refusal(of: statement)
                #expect(error?.sqlState == .insufficientPrivilege, "\(statement): \(error?.description ?? "was done")")
            }
            await owner.close()
        }
    }

    @Test func `an entry made by hand is taken when everything fits`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute(HandMade().sql)
            try await test.execute(HandMade(id: 900_002, seq: 2, balance: 10).sql)
            #expect(try await test.number("SELECT count(*) FROM posting") == 4)
        }
    }

    @Test func `an entry in which something does not fit is refused`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            for wrong in HandMade.wrong {
                let error = try await owner.refusal(ofTransaction: wrong.entry.sql)
                #expect(error?.sqlState == wrong.sqlState, "\(wrong.name): \(error?.description ?? "was done")")
                #expect(error?.constraint == wrong.constraint, "\(wrong.name): \(error?.description ?? "was done")")
            }
            await owner.close()
            #expect(try await test.number("SELECT count(*) FROM posting") == 0)
        }
    }

    @Test func `a number of an account is given once`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            try await owner.execute(HandMade().sql)
            let taken = await owner.refusal(of: HandMade(id: 900_002, seq: 1, balance: 5).sql)
            #expect(taken?.sqlState == .uniqueViolation)
            #expect(taken?.constraint == "posting_pkey")
            await owner.close()
        }
    }

    @Test func `half an entry is refused, though the other half would follow`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let error = await owner.refusal(of: HandMade(inTwoStatements: true).sql)
            #expect(error?.constraint == "journal_entry_balances")
            await owner.close()
        }
    }

    @Test func `a wallet never falls below zero, while a system account may`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let service = try await test.connectAsService()
            let stripe = Int(Stripe(of: .named("ann"), among: 4).number)
            let spent = HandMade(
                entryStripe: stripe, seq: 2, balance: -1, debit: "wallet:ann:paid", credit: "coins:redeemed/\(stripe)",
                stripe: stripe, amount: 101, currency: "COIN")
            let overdrawn = await service.refusal(of: spent.sql)
            #expect(overdrawn?.sqlState == .checkViolation)
            #expect(overdrawn?.constraint == "account_owned_not_overdrawn")
            let lost = HandMade(debit: "revenue:coins/0", credit: "gateway:fees/0", amount: 5)
            #expect(await service.refusal(of: lost.sql.replacing(", 5, 'KRW'", with: ", -5, 'KRW'")) == nil)
            await service.close()
        }
    }

    @Test func `a payment becomes one purchase only, and an order too`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let service = try await test.connectAsService()
            for (paymentID, merchantUID, constraint) in [
                ("imp_1", "other", "purchase_imp_uid_unique"), ("other", "order_1", "purchase_merchant_uid_unique"),
            ] {
                let error = try await service.refusal(
                    ofTransaction: """
                        INSERT INTO purchase
                        SELECT 1000000, stripe, user_id, status, gateway, '\(paymentID)', '\(merchantUID)', payment_id,
                            product, amount, currency, coins, bonus_coins, 0, paid_at, credited_at, journal_entry_id
                        FROM purchase
                        """)
                #expect(error?.sqlState == .uniqueViolation, "\(constraint)")
                #expect(error?.constraint == constraint)
            }
            await service.close()
        }
    }
}
