package import Foundation
import Ledger
import Postgres

extension TestLedger {
    /// When the first of the purchases that are filled in was made.
    package static let firstFilled = Date(timeIntervalSince1970: 1_767_225_600)

    /// Writes purchases of ₩1,000 for 100 coins straight into the tables, four postings each, from 2026 on: a large
    /// ledger in seconds, of which everything holds that the judges would have asked for, and in which the doctor finds
    /// nothing.
    ///
    /// The n-th purchase is of `user-<n % users>`. No service may run meanwhile: there are no triggers, and no indexes
    /// but those of keys, so that its queries would take minutes and hold locks that keep the indexes from coming back.
    ///
    /// - Parameters:
    ///   - entries: how many; rounded down to a multiple of `users`.
    ///   - secondsApart: how much later each is than the one before.
    package func fill(entries: Int, users: Int, secondsApart: Double = 10) async throws {
        let each = entries / users
        guard each > 0 else { return }
        // The superuser, for a copied database is not its template's owner's, who so may make no index in it.
        var configuration = try database.configuration
        configuration.statementTimeout = .seconds(3600)
        let owner = try await PostgresConnection.connect(configuration)
        try await insertUsers(users, owner)
        for statement in Fill(entries: each * users, users: users, secondsApart: secondsApart).statements {
            try await owner.execute(statement)
        }
        await owner.close()
    }

    /// Each in the stripe that the ledger looks for it in, and at its place among the stripe's users.
    private func insertUsers(_ users: Int, _ owner: PostgresConnection) async throws {
        let stripes = try await owner.run(
            PostgresQuery<Int64>.one("SELECT stripes FROM ledger") { row in try row[0] })
        let numbers = (0..<users).compactMap { number in
            UserID(rawValue: "user-\(number)").map { Stripe(of: $0, among: stripes).number }
        }
        try await owner.execute(
            """
            CREATE TEMP TABLE filled_user (
                number bigint PRIMARY KEY, stripe bigint, place bigint, share bigint, account_id bigint)
            """)
        _ = try await owner.run(
            PostgresQuery<Int>.affected(
                """
                INSERT INTO filled_user (number, stripe, place, share)
                SELECT number - 1, stripe, row_number() OVER (PARTITION BY stripe ORDER BY number),
                    count(*) OVER (PARTITION BY stripe)
                FROM unnest($1) WITH ORDINALITY AS numbered (stripe, number)
                """, [numbers]))
    }
}

/// The statements that write purchases with what belongs to them.
///
/// The n-th has the ids from `base + 4 n` on: its entry, itself and its lot.
private struct Fill {
    let entries: Int
    let users: Int
    let secondsApart: Double

    /// How many purchases each user has.
    private var each: Int { entries / users }

    var statements: [String] {
        [prepare, Self.triggers("DISABLE"), Self.dropIndexes]
            + accounts + [journalEntries, postings, purchases, lots]
            + [Self.makeIndexes, Self.triggers("ENABLE"), "DROP TABLE filled, filled_user, filled_index"]
            + (Self.tables + ["account"]).map { "VACUUM ANALYZE \($0)" }
    }

    /// Everything after lies behind the ids that exist.
    private var prepare: String {
        """
        CREATE TEMP TABLE filled AS
        SELECT nextval('record_id') AS user_base, nextval('record_id') + \(users) AS base;
        SELECT setval('record_id', (SELECT base FROM filled) + 4 * \(entries)::bigint + 8192);
        UPDATE filled_user SET account_id = user_base + number FROM filled;
        ANALYZE filled_user;
        SET maintenance_work_mem = '512MB';
        SET work_mem = '64MB';
        SET jit = off;
        """
    }

    /// The purchases, each with its number `n`, its user and `base`.
    private var source: String {
        """
        FROM filled CROSS JOIN generate_series(0, \(entries - 1)::bigint) AS n
        JOIN filled_user ON filled_user.number = n % \(users)
        """
    }

    private func moment(_ n: String = "n", later: String = "0 s") -> String {
        "'2026-01-01Z'::timestamptz + \(n) * interval '\(secondsApart) s' + interval '\(later)'"
    }

    private var accounts: [String] {
        [
            """
            INSERT INTO account (id, stripe, code, owner, currency, normal_side, credits, seq, posted_at)
            SELECT account_id, stripe, 'wallet:user-' || number || ':paid', 'user-' || number, 'COIN', 'C',
                100 * \(each), \(each), \(moment("(number + \(entries - users))", later: "0.1 s"))
            FROM filled_user
            """,
            """
            UPDATE account SET seq = share * \(each),
                debits = CASE normal_side WHEN 'D' THEN amount * share * \(each) ELSE 0 END,
                credits = CASE normal_side WHEN 'C' THEN amount * share * \(each) ELSE 0 END,
                posted_at = \(moment("last", later: "0.1 s"))
            FROM (VALUES ('gateway:receivable', 1000), ('coins:deferred-revenue', 1000), ('coins:issued', 100))
                AS touched (name, amount)
            CROSS JOIN (
                SELECT stripe, share, max(number) + \(entries - users) AS last FROM filled_user GROUP BY stripe, share
            ) AS part
            WHERE code = name || '/' || part.stripe
            """,
        ]
    }

    private var journalEntries: String {
        """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
        SELECT base + 4 * n, stripe, 'purchase', 'purchase:' || base + 4 * n + 1, \(moment()), \(moment(later: "0.1 s"))
        \(source)
        """
    }

    private var postings: String {
        """
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT line.account_id, line.seq, base + 4 * n, filled_user.stripe, amount, line.seq * amount, currency, side
        \(source)
        JOIN (
            SELECT stripe, max(id) FILTER (WHERE code LIKE 'coins:issued/%') AS issued,
                max(id) FILTER (WHERE code LIKE 'gateway:receivable/%') AS receivable,
                max(id) FILTER (WHERE code LIKE 'coins:deferred-revenue/%') AS deferred
            FROM account WHERE owner IS NULL GROUP BY stripe
        ) AS system ON system.stripe = filled_user.stripe
        CROSS JOIN LATERAL (
            VALUES (issued, n / \(users) * share + place, 100, 'COIN', 'D'),
                (filled_user.account_id, n / \(users) + 1, 100, 'COIN', 'C'),
                (receivable, n / \(users) * share + place, 1000, 'KRW', 'D'),
                (deferred, n / \(users) * share + place, 1000, 'KRW', 'C')
        ) AS line (account_id, seq, amount, currency, side)
        """
    }

    /// The gateway's identifiers come in no order.
    private var purchases: String {
        """
        INSERT INTO purchase (id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency,
            coins, bonus_coins, paid_at, credited_at, journal_entry_id)
        SELECT base + 4 * n + 1, stripe, 'user-' || number, 'credited', 'portone-v1',
            'imp_' || left(md5(n::text), 16), 'filled_' || n, 'coins_100', 1000, 'KRW', 100, 0, \(moment()),
            \(moment(later: "0.1 s")), base + 4 * n
        \(source)
        """
    }

    private var lots: String {
        """
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
            purchase_id, journal_entry_id)
        SELECT base + 4 * n + 2, stripe, 'user-' || number, 'paid', 100, 100, 1000, 1000, 'KRW',
            \(moment(later: "0.1 s")), base + 4 * n + 1, base + 4 * n
        \(source)
        """
    }

    // MARK: - What would only cost time

    private static let tables = ["journal_entry", "posting", "purchase", "lot"]

    private static func triggers(_ change: String) -> String {
        (tables + ["account"]).map { "ALTER TABLE \($0) \(change) TRIGGER USER;\n" }.joined()
    }

    /// Indexes, but those that foreign keys need, are made anew at the end, as they were.
    private static let dropIndexes = """
        CREATE TEMP TABLE filled_index AS
        SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
        FROM pg_constraint AS own
        WHERE conrelid = ANY (ARRAY['\(tables.joined(separator: "', '"))']::regclass[]) AND contype IN ('p', 'u')
            AND NOT EXISTS (
                SELECT FROM pg_constraint AS other WHERE other.contype = 'f' AND other.conindid = own.conindid)
        UNION ALL
        SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
        FROM pg_index
        WHERE indrelid = ANY (ARRAY['\(tables.joined(separator: "', '"))']::regclass[])
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid);
        DO $$
        DECLARE
            statement text;
        BEGIN
            FOR statement IN SELECT drop FROM filled_index LOOP EXECUTE statement; END LOOP;
        END
        $$
        """

    private static let makeIndexes = """
        DO $$
        DECLARE
            statement text;
        BEGIN
            FOR statement IN SELECT make FROM filled_index LOOP EXECUTE statement; END LOOP;
        END
        $$
        """
}
