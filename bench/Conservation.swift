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
        let entries = try await number(
            "SELECT count(*) FROM journal_entry WHERE transaction_id >= $1::text::xid8", [String(mark.transaction)])
        let purchases = try await number(
            """
            SELECT count(*) FROM journal_entry AS entry JOIN purchase ON purchase.journal_entry_id = entry.id
            WHERE entry.transaction_id >= $1::text::xid8
            """, [String(mark.transaction)])
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
        let again = said.purchases.count - Set(said.purchases).count + said.keys.count - Set(said.keys).count
        let purchases = try await number(
            """
            SELECT count(*) FROM unnest($1) AS said (merchant_uid)
            WHERE NOT EXISTS (
                SELECT FROM purchase JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id
                WHERE purchase.merchant_uid = said.merchant_uid AND entry.transaction_id >= $2::text::xid8)
            """, [said.purchases, String(mark.transaction)])
        let keyed = try await number(
            """
            SELECT count(*) FROM unnest($1) AS said (key)
            WHERE NOT EXISTS (
                SELECT FROM idempotency AS done JOIN journal_entry AS entry ON entry.id = done.journal_entry_id
                WHERE done.key = said.key AND entry.transaction_id >= $2::text::xid8)
            """, [said.keys, String(mark.transaction)])
        return Int64(again) + purchases + keyed
    }

    /// By currency: debits against credits, and what the accounts' totals grew by against what was posted.
    private func imbalances() async throws -> [String] {
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

    private func number(_ sql: String, _ parameters: PostgresParameters) async throws -> Int64 {
        try await connection.run(PostgresQuery<Int64>.one(sql, parameters) { row in try row[0] })
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
