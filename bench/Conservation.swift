import LedgerTestSupport
import Postgres

/// Acts that whoever asked for them was told are done.
struct Acknowledged: Sendable, Equatable {
    /// By the order's `merchant_uid`.
    var purchases: [String] = []
    /// By the idempotency key.
    var keys: [String] = []

    static func += (sum: inout Acknowledged, more: Acknowledged) {
        sum.purchases += more.purchases
        sum.keys += more.keys
    }

    static func + (sum: Acknowledged, more: Acknowledged) -> Acknowledged {
        Acknowledged(purchases: sum.purchases + more.purchases, keys: sum.keys + more.keys)
    }
}

/// Compares what was acknowledged with what is in the books since: each act once, nothing else, and in balance.
///
/// It knows nothing of the engine but its tables, and reads no more of them than is new, so that it costs the same in
/// large books.
struct Conservation {
    private let connection: PostgresConnection
    private let mark: Mark

    /// What the books were like at the beginning.
    fileprivate struct Mark {
        /// The first transaction that belongs to what is compared.
        let transaction: Int64
        let debits: [String: Int64]
        let credits: [String: Int64]
    }

    /// Remembers the books as they are, lets the body change them, and compares.
    ///
    /// Nothing else may be posting at the beginning.
    ///
    /// - Returns: what is wrong, with the body's output.
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

    /// How many acts were acknowledged that are not in the books, or acknowledged twice.
    private func missing(_ said: Acknowledged) async throws -> Int64 {
        // Look-ups by key, whatever the statistics say of tables that have just grown.
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

    /// By currency: debits against credits, and what the accounts' totals grew by against what was posted.
    private func imbalances() async throws -> [String] {
        // One walk over what is new.
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
                problems.append("the accounts' totals in \(currency) are not what was posted")
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
