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
    ///
    /// `id + 0`: no index has this order, so a plan of an empty table does not read all accounts in the order of their ids to
    /// find some (decision 0002).
    static func lock(of users: [UserID]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM account
            WHERE owner = ANY($1) AND \(AccountSQL.isOfUser)
            ORDER BY id + 0 FOR NO KEY UPDATE
            """,
            [users.map(\.rawValue)])
    }

    /// Locks and reads the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist. `id + 0` is as in ``lock(of:)``.
    static func lock(codes: [String]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            "SELECT \(columns) FROM account WHERE code = ANY($1) ORDER BY id + 0 FOR NO KEY UPDATE", [codes])
    }

    /// The balances of the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist.
    static func balances(_ codes: [AccountCode]) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT balance FROM account WHERE code = ANY($1)", [codes.map(\.rawValue)])
    }

    static let insert = BulkInsert<Account>(
        into: "account",
        [
            .init("id", \.id), .init("stripe", \.stripe), .init("code", \.code), .init("owner", \.owner),
            .init("currency", \.currency), .init("normal_side", \.normalSide),
        ])
}

extension Account: PostgresReadable {
    static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Account {
        try row.make(of: "account", at: &column, Account.init)
    }
}
