import Postgres

/// Reads the whole books back and adds them up, knowing nothing of how they were written.
public enum Audit {
    /// Each row names something that is wrong.
    private static let problems = PostgresQuery<[String]>(
        """
        WITH line AS (
            SELECT posting.*, entry.recorded_at, account.normal_side,
                CASE posting.side WHEN account.normal_side THEN posting.amount ELSE -posting.amount END AS gain,
                lag(posting.balance, 1, 0::bigint) OVER earlier AS balance_before,
                lag(entry.recorded_at) OVER earlier AS recorded_before
            FROM posting
            JOIN account ON account.id = posting.account_id
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            WINDOW earlier AS (PARTITION BY posting.account_id ORDER BY posting.seq)
        ), total AS (
            SELECT account.id, account.code, account.debits, account.credits, account.seq, count(posting.seq) AS lines,
                coalesce(max(posting.seq), 0) AS last,
                coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'D'), 0) AS posted_debits,
                coalesce(sum(posting.amount) FILTER (WHERE posting.side = 'C'), 0) AS posted_credits
            FROM account LEFT JOIN posting ON posting.account_id = account.id
            GROUP BY account.id
        ), kept AS (
            SELECT user_id, kind, sum(remaining) AS coins, sum(held) AS held FROM lot GROUP BY user_id, kind
        ), moved AS (
            SELECT DISTINCT ON (lot_id) * FROM lot_movement ORDER BY lot_id, seq DESC
        )
        SELECT 'entry ' || journal_entry_id || ' does not balance in ' || currency FROM posting
            GROUP BY journal_entry_id, currency HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0
        UNION ALL SELECT code || ' has gaps' FROM total WHERE lines <> seq OR last <> seq
        UNION ALL SELECT code || ' is not what was posted' FROM total
            WHERE debits <> posted_debits OR credits <> posted_credits
        UNION ALL SELECT 'balance of ' || account_id || '/' || seq || ' does not follow' FROM line
            WHERE balance <> balance_before + gain
        UNION ALL SELECT 'time of ' || account_id || '/' || seq || ' falls' FROM line WHERE recorded_at < recorded_before
        UNION ALL SELECT 'the trial balance of ' || currency || ' is not zero' FROM account
            GROUP BY currency HAVING sum(debits) <> sum(credits)
        UNION ALL SELECT 'the lots of ' || account.code || ' are not its coins'
            FROM account LEFT JOIN kept ON code = 'wallet:' || kept.user_id || ':' || kept.kind
            WHERE code LIKE 'wallet:%' AND account.balance <> coalesce(kept.coins, 0)
        UNION ALL SELECT 'the lots of ' || account.code || ' are not its coins'
            FROM account LEFT JOIN kept ON code = 'held:' || kept.user_id || ':' || kept.kind
            WHERE code LIKE 'held:%' AND account.balance <> coalesce(kept.held, 0)
        UNION ALL SELECT 'the movements of lot ' || lot.id || ' do not end in it' FROM lot LEFT JOIN moved ON lot_id = id
            WHERE ARRAY[lot.seq, lot.remaining, lot.held, lot.deferred]
                <> ARRAY[coalesce(moved.seq, 0), coalesce(moved.remaining, coins), coalesce(moved.held, 0),
                    coalesce(moved.deferred, amount)]
        UNION ALL SELECT 'hold ' || id || ' has not its lots' FROM hold
            WHERE (SELECT sum(held) FROM hold_lot WHERE hold_id = hold.id) <> coins - captured - released
        UNION ALL SELECT 'what is held of lot ' || lot.id || ' is not what holds and refunds hold' FROM lot
            WHERE held <> (SELECT coalesce(sum(hold_lot.held), 0) FROM hold_lot WHERE lot_id = lot.id)
                + (SELECT coalesce(sum(CASE lot.kind WHEN 'paid' THEN refund.coins ELSE refund.bonus_coins END), 0)
                    FROM refund WHERE refund.purchase_id = lot.purchase_id AND refund.status = 'pending')
        UNION ALL SELECT 'purchase ' || purchase.id || ' is refunded otherwise than its entries say' FROM purchase
            WHERE ARRAY[refunded_amount, refunded_coins, refunded_bonus_coins]::numeric[] <> (
                SELECT ARRAY[
                        coalesce(sum(posting.amount) FILTER (WHERE code LIKE 'gateway:receivable/%'), 0),
                        coalesce(sum(posting.amount) FILTER (WHERE code LIKE 'coins:issued/%'), 0),
                        coalesce(sum(posting.amount) FILTER (WHERE code LIKE 'coins:promotions/%'), 0)]
                FROM journal_entry AS entry
                JOIN posting ON posting.journal_entry_id = entry.id AND posting.side = 'C'
                JOIN account ON account.id = posting.account_id
                WHERE entry.reverses = purchase.journal_entry_id)
        UNION ALL SELECT 'purchase ' || purchase.id || ' stands wrongly' FROM purchase
            WHERE status <> CASE
                WHEN refunded_amount = amount OR refunded_coins = coins THEN 'refunded'
                WHEN refunded_amount > 0 THEN 'partially_refunded'
                ELSE 'credited' END
        UNION ALL SELECT 'refund ' || refund.id || ' is not what its reversal says' FROM refund
            JOIN journal_entry AS entry ON entry.id = reversal_entry_id
            JOIN purchase ON purchase.id = refund.purchase_id
            WHERE entry.reverses <> purchase.journal_entry_id OR entry.kind <> 'refund'
                OR ARRAY[refund.amount, refund.fee]::numeric[] <> (
                    SELECT ARRAY[
                        coalesce(sum(posting.amount) FILTER (WHERE code LIKE 'gateway:receivable/%'), 0),
                        coalesce(sum(posting.amount) FILTER (WHERE code LIKE 'revenue:refund-fees/%'), 0)]
                    FROM posting JOIN account ON account.id = account_id
                    WHERE journal_entry_id = entry.id AND side = 'C')
        UNION ALL SELECT 'the wallet of a lot of ' || user_id || ' is missing' FROM kept
            WHERE NOT EXISTS (SELECT FROM account WHERE code = 'wallet:' || user_id || ':' || kind)
        UNION ALL SELECT 'deferred revenue is not what lots were bought for'
            WHERE (SELECT sum(balance) FROM account WHERE code LIKE 'coins:deferred-revenue/%')
                <> (SELECT coalesce(sum(deferred), 0) FROM lot)
        UNION ALL SELECT 'purchase ' || purchase.id || ' has not its lots' FROM purchase
            WHERE (SELECT sum(coins) FROM lot WHERE lot.purchase_id = purchase.id)
                IS DISTINCT FROM purchase.coins + purchase.bonus_coins
        UNION ALL SELECT 'what is settled of purchase ' || purchase.id || ' is not what its rows say' FROM purchase
            WHERE settled_amount <> (
                SELECT coalesce(sum(gross), 0) FROM settlement_row
                WHERE purchase_id = purchase.id AND settlement_row.status = 'settled')
        UNION ALL SELECT 'entry ' || id || ' has no postings' FROM journal_entry
            WHERE NOT EXISTS (SELECT FROM posting WHERE journal_entry_id = journal_entry.id)
        """
    ) { row in try row[0] }

    /// Everything that is wrong with the books.
    public static func problems(of test: TestLedger) async throws -> [String] {
        let connection = try await test.connectAsOwner()
        let found = try await connection.run(problems)
        await connection.close()
        return found
    }
}

extension TestLedger {
    /// One number, asked of the database as its owner.
    public func number(_ sql: String) async throws -> Int64 {
        let connection = try await connectAsOwner()
        let number = try await connection.run(PostgresQuery<Int64>.one(sql) { row in try row[0] })
        await connection.close()
        return number
    }

    /// Executes statements as the superuser.
    public func execute(_ sql: String) async throws {
        let connection = try await database.connect()
        try await connection.execute(sql)
        await connection.close()
    }

    /// Returns as soon as a session of this database waits for a lock.
    public func waitUntilBlocked(sessions: Int64 = 1) async throws {
        let connection = try await database.connect()
        let waiting = PostgresQuery<Int64>.one(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ) { row in try row[0] }
        let deadline = ContinuousClock.now + .seconds(10)
        while try await connection.run(waiting) < sessions {
            guard ContinuousClock.now < deadline else { throw NobodyWaits() }
            try await Task.sleep(for: .milliseconds(5))
        }
        await connection.close()
    }
}

/// No session came to wait for a lock.
private struct NobodyWaits: Error {}
