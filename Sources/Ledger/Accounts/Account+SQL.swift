import Foundation
import Postgres

extension Account {
    private static let columns = "id, stripe, code, owner, currency, normal_side, debits, credits, seq, posted_at"

    /// Locks and reads the accounts with these ids.
    static func lock(ids: [Int64]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            "SELECT \(columns) FROM account WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", [ids])
    }

    /// Locks and reads the accounts of these users, except those that they have as providers.
    static func lock(of users: [UserID]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM account
            WHERE owner = ANY($1) AND owner IS NOT NULL AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%'
            ORDER BY id FOR NO KEY UPDATE
            """,
            [users.map(\.rawValue)])
    }

    /// Locks and reads the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist.
    static func lock(codes: [String]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            "SELECT \(columns) FROM account WHERE code = ANY($1) ORDER BY id FOR NO KEY UPDATE", [codes])
    }

    /// The balances of the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist.
    static func balances(_ codes: [AccountCode]) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT balance FROM account WHERE code = ANY($1)", [codes.map(\.rawValue)])
    }

    static func insert(_ accounts: [Account]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO account (id, stripe, code, owner, currency, normal_side)
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[])
            """,
            [
                accounts.map(\.id), accounts.map(\.stripe.number), accounts.map(\.code.rawValue),
                accounts.map(\.owner?.rawValue), accounts.map(\.currency.code), accounts.map(\.normalSide.rawValue),
            ])
    }
}

extension Account: PostgresReadable {
    static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Account {
        try row.make(of: "account", at: &column, Account.init)
    }
}
