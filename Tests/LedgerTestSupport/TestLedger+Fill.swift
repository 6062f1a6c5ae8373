import Postgres

extension TestLedger {
    /// Writes purchases of ₩1,000 for 100 coins straight into the tables, four postings each, ten seconds apart from
    /// 2026 on: a large ledger in seconds, of which everything holds that the judge would have asked for.
    ///
    /// - Parameters:
    ///   - entries: how many; rounded down to a multiple of `users`.
    ///   - users: a multiple of the ledger's stripes.
    public func fill(entries: Int, users: Int) async throws {
        let each = entries / users
        let owner = try await connectAsOwner(statementTimeout: .seconds(900))
        for statement in Self.statements(entries: each * users, users: users, each: each) {
            try await owner.execute(statement)
        }
        await owner.close()
    }

    private func connectAsOwner(statementTimeout: Duration) async throws -> PostgresConnection {
        var configuration = try PostgresConfiguration(url: ownerURL)
        configuration.statementTimeout = statementTimeout
        return try await PostgresConnection.connect(configuration)
    }

    /// The n-th purchase is of user `n % users`, in stripe `n % stripes`, and has the ids from `4 n` on.
    private static func statements(entries: Int, users: Int, each: Int) -> [String] {
        let stripes = "(SELECT stripes FROM ledger)"
        return [
            // Everything after lies behind the ids that exist.
            """
            CREATE TEMP TABLE filled AS
            SELECT nextval('record_id') AS user_base, nextval('record_id') + \(users) AS base, stripes FROM ledger;
            SELECT setval('record_id', (SELECT base FROM filled) + 4 * \(entries) + 8192);
            ALTER TABLE journal_entry DISABLE TRIGGER journal_entry_is_judged;
            ALTER TABLE posting DISABLE TRIGGER posting_is_judged;
            """,
            """
            INSERT INTO account (id, stripe, code, owner, currency, normal_side, credits, seq)
            SELECT user_base + n, n % stripes, 'wallet:user-' || n || ':paid', 'user-' || n, 'COIN', 'C', 100 * \(each),
                \(each)
            FROM filled, generate_series(0, \(users - 1)) AS n
            """,
            """
            UPDATE account SET seq = \(entries) / \(stripes),
                debits = CASE normal_side WHEN 'D' THEN amount * \(entries) / \(stripes) ELSE 0 END,
                credits = CASE normal_side WHEN 'C' THEN amount * \(entries) / \(stripes) ELSE 0 END
            FROM (VALUES ('gateway:receivable', 1000), ('coins:deferred-revenue', 1000), ('coins:issued', 100))
                AS touched (name, amount)
            WHERE code = name || '/' || stripe
            """,
            """
            INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
            SELECT base + 4 * n, n % stripes, 'purchase', 'purchase:' || (base + 4 * n + 1),
                '2026-01-01Z'::timestamptz + n * interval '10 s', '2026-01-01Z'::timestamptz + n * interval '10.1 s'
            FROM filled, generate_series(0, \(entries - 1)) AS n
            """,
            """
            INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
            SELECT line.account_id, line.seq, base + 4 * n, n % stripes, amount, line.seq * amount, currency, side
            FROM filled
            CROSS JOIN (\(systemAccounts)) AS system
            CROSS JOIN generate_series(0, \(entries - 1)) AS n
            CROSS JOIN LATERAL (
                VALUES (issued[n % stripes + 1], n / stripes + 1, 100, 'COIN', 'D'),
                    (user_base + n % \(users), n / \(users) + 1, 100, 'COIN', 'C'),
                    (receivable[n % stripes + 1], n / stripes + 1, 1000, 'KRW', 'D'),
                    (deferred[n % stripes + 1], n / stripes + 1, 1000, 'KRW', 'C')
            ) AS line (account_id, seq, amount, currency, side)
            """,
            """
            ALTER TABLE journal_entry ENABLE TRIGGER journal_entry_is_judged;
            ALTER TABLE posting ENABLE TRIGGER posting_is_judged;
            DROP TABLE filled;
            """,
            "VACUUM ANALYZE posting", "VACUUM ANALYZE journal_entry", "VACUUM ANALYZE account",
        ]
    }

    /// The ids of the three accounts that every purchase touches, by stripe.
    private static let systemAccounts = """
        SELECT array_agg(id ORDER BY stripe) FILTER (WHERE code LIKE 'coins:issued/%') AS issued,
            array_agg(id ORDER BY stripe) FILTER (WHERE code LIKE 'gateway:receivable/%') AS receivable,
            array_agg(id ORDER BY stripe) FILTER (WHERE code LIKE 'coins:deferred-revenue/%') AS deferred
        FROM account WHERE owner IS NULL
        """
}
