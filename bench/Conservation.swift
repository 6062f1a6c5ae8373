import LedgerTestSupport
import Postgres

/// Acts whose callers got a successful response.
struct Acknowledged: Sendable, Equatable {
    /// The orders' `merchant_uid`s.
    var purchases: [String] = []
    /// The idempotency keys.
    var keys: [String] = []

    static func += (sum: inout Acknowledged, more: Acknowledged) {
        sum.purchases += more.purchases
        sum.keys += more.keys
    }

    static func + (sum: Acknowledged, more: Acknowledged) -> Acknowledged {
        Acknowledged(purchases: sum.purchases + more.purchases, keys: sum.keys + more.keys)
    }
}

/// Checks that the books have exactly the acknowledged acts, each once, and balance.
///
/// It uses only the tables and not the engine, and reads only new rows, so that its cost does not grow with the books.
struct Conservation {
    private let connection: PostgresConnection
    private let mark: Mark

    /// The state of the books at the start.
    fileprivate struct Mark {
        /// The first transaction to compare.
        let transaction: Int64
        let debits: [String: Int64]
        let credits: [String: Int64]
    }

    /// Stores the state of the books, runs the body, and compares.
    ///
    /// Nothing else may post at the start.
    ///
    /// - Returns: the body's output, and the problems found.
    static func observing<Output>(
        _ test: TestLedger, _ body: () async throws -> (Output, Acknowledged)
    ) async throws -> (output: Output, problems: [String]) {
        var configuration = try PostgresConfiguration(url: test.ownerURL)
        configuration.statementTimeout = .seconds(600)
        configuration.settings["jit"] = "off"
        let connection = try await PostgresConnection.connect(configuration)
        do {
            let conservation = Conservation(connection: connection, mark: try await Mark(of: connection))
            let (output, acknowledged) = try await body()
            let problems = try await conservation.problems(acknowledged)
            await connection.close()
            return (output, problems)
        } catch {
            await connection.close()
            throw error
        }
    }

    private func problems(_ said: Acknowledged) async throws -> [String] {
        let acts = said.purchases.count + said.keys.count
        let missing = try await missing(said)
        let (entries, purchases) = try await connection.run(
            PostgresQuery<(Int64, Int64)>.one(
                """
                SELECT count(*), count(*) FILTER (WHERE kind = 'purchase') FROM journal_entry
                WHERE transaction_id >= $1::text::xid8
                """, [String(mark.transaction)]
            ) { row in (try row[0], try row[1]) })
        var problems = try await imbalances()
        if missing > 0 { problems.append("\(missing) of \(acts) acknowledged acts are not in the books") }
        if entries != acts { problems.append("\(entries) journal entries for \(acts) acknowledged acts") }
        if purchases != said.purchases.count {
            problems.append("\(purchases) purchases for \(said.purchases.count) acknowledged ones")
        }
        return problems
    }

    /// The number of acts that were acknowledged but are not in the books, or were acknowledged twice.
    private func missing(_ said: Acknowledged) async throws -> Int64 {
        // Uses look-ups by key, because statistics are wrong for tables that have just grown.
        try await connection.execute("SET enable_nestloop = on; SET enable_hashjoin = off; SET enable_seqscan = off")
        let again = said.purchases.count - Set(said.purchases).count + said.keys.count - Set(said.keys).count
        let purchases = try await number(
            Self.countMissing("SELECT journal_entry_id FROM purchase WHERE merchant_uid = said.name"), said.purchases)
        let keyed = try await number(
            Self.countMissing("SELECT journal_entry_id FROM idempotency WHERE key = said.name"), said.keys)
        return Int64(again) + purchases + keyed
    }

    private static func countMissing(_ act: String) -> String {
        """
        SELECT count(*) FROM unnest($1) AS said (name)
        LEFT JOIN LATERAL (\(act) OFFSET 0) AS act ON true
        LEFT JOIN LATERAL (
            SELECT transaction_id FROM journal_entry WHERE id = act.journal_entry_id OFFSET 0) AS entry ON true
        WHERE NOT coalesce(transaction_id >= $2::text::xid8, false)
        """
    }

    /// Compares, for each currency, debits with credits, and the growth of the accounts' totals with the postings.
    private func imbalances() async throws -> [String] {
        // One scan of the new rows.
        try await connection.execute("SET enable_nestloop = off; SET enable_hashjoin = on; SET enable_seqscan = on")
        let now = try await Mark(of: connection)
        let posted = try await connection.run(
            PostgresQuery<[(String, Int64, Int64)]>(
                """
                WITH entry AS MATERIALIZED (SELECT id FROM journal_entry WHERE transaction_id >= $1::text::xid8)
                SELECT currency, sum(CASE side WHEN 'D' THEN amount ELSE 0 END)::int8,
                    sum(CASE side WHEN 'C' THEN amount ELSE 0 END)::int8
                FROM posting
                WHERE journal_entry_id >= (SELECT min(id) FROM entry) AND journal_entry_id IN (SELECT id FROM entry)
                GROUP BY currency
                """, [String(mark.transaction)]
            ) { row in (try row[0], try row[1], try row[2]) })
        let debited = Dictionary(uniqueKeysWithValues: posted.map { ($0.0, $0.1) })
        let credited = Dictionary(uniqueKeysWithValues: posted.map { ($0.0, $0.2) })
        return now.debits.keys.sorted().flatMap { currency -> [String] in
            var problems: [String] = []
            if now.debits[currency] != now.credits[currency] {
                problems.append("the trial balance in \(currency) is not zero")
            }
            let grown = (
                now.debits[currency, default: 0] - mark.debits[currency, default: 0],
                now.credits[currency, default: 0] - mark.credits[currency, default: 0]
            )
            if grown != (debited[currency, default: 0], credited[currency, default: 0]) {
                problems.append("the accounts' totals in \(currency) differ from the postings")
            }
            return problems
        }
    }

    private func number(_ sql: String, _ names: [String]) async throws -> Int64 {
        try await connection.run(
            PostgresQuery<Int64>.one(sql, [names, String(mark.transaction)]) { row in try row[0] })
    }
}

extension Conservation.Mark {
    fileprivate init(of connection: PostgresConnection) async throws {
        let totals = try await connection.run(
            PostgresQuery<[(String, Int64, Int64)]>(
                "SELECT currency, sum(debits)::int8, sum(credits)::int8 FROM account GROUP BY currency"
            ) { row in (try row[0], try row[1], try row[2]) })
        debits = Dictionary(uniqueKeysWithValues: totals.map { ($0.0, $0.1) })
        credits = Dictionary(uniqueKeysWithValues: totals.map { ($0.0, $0.2) })
        transaction = try await connection.run(
            PostgresQuery<Int64>.one("SELECT pg_current_xact_id()::text::int8") { row in try row[0] })
    }
}
