import Postgres

/// Creates the ledger in a migrated database: the number of stripes, which never changes, and the system accounts.
enum LedgerCreation {
    static func createIfMissing(stripes: Int64, on connection: PostgresConnection) async throws {
        try await connection.transaction { connection in
            let created = try connection.run(
                PostgresQuery<Int>.affected(
                    "INSERT INTO ledger (stripes) VALUES ($1) ON CONFLICT (is_only) DO NOTHING", [stripes]))
            guard created == 1 else { return }
            _ = try connection.run(insertSystemAccounts(stripes: stripes))
        }
    }

    /// System accounts get the lowest ids, so that locking accounts by id locks them first.
    private static func insertSystemAccounts(stripes: Int64) -> PostgresQuery<Int> {
        let accounts = (0..<stripes).flatMap { number in
            SystemAccount.allCases.map { (account: $0, stripe: Stripe(number: number)) }
        }
        return .affected(
            """
            WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start)
            INSERT INTO account (id, stripe, code, currency, normal_side)
            SELECT block.start + new.place - 1, new.stripe, new.code, new.currency, new.normal_side
            FROM block, unnest($1::int8[], $2::text[], $3::text[], $4::text[])
                WITH ORDINALITY AS new (stripe, code, currency, normal_side, place)
            """,
            [
                accounts.map(\.stripe.number),
                accounts.map { AccountCode.system($0.account, $0.stripe).rawValue },
                accounts.map(\.account.currency.code), accounts.map(\.account.normalSide.rawValue),
            ])
    }
}
