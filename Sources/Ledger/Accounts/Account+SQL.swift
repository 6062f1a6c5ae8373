import Foundation
import Postgres

extension Account {
    private static let columns = "id, stripe, code, owner, currency, normal_side, debits, credits, seq, posted_at"

    /// Locks and reads the accounts with these ids.
    static func lock(ids: [Int64]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            "SELECT \(columns) FROM account WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", [ids], row: decode)
    }

    /// Locks and reads the accounts of these users, except those that they have as providers.
    static func lock(of users: [UserID]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM account
            WHERE owner = ANY($1) AND owner IS NOT NULL AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%'
            ORDER BY id FOR NO KEY UPDATE
            """,
            [users.map(\.rawValue)], row: decode)
    }

    /// Locks and reads the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist.
    static func lock(codes: [String]) -> PostgresQuery<[Account]> {
        PostgresQuery(
            "SELECT \(columns) FROM account WHERE code = ANY($1) ORDER BY id FOR NO KEY UPDATE", [codes], row: decode)
    }

    /// The balances of the accounts with these codes.
    ///
    /// The result leaves out accounts that do not exist.
    static func balances(_ codes: [AccountCode]) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT balance FROM account WHERE code = ANY($1)", [codes.map(\.rawValue)]) { row in
            try row.decode(0, as: Int64.self)
        }
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

    private static func decode(_ row: borrowing PostgresRow) throws -> Account {
        try row.decode(of: "account", read)
    }

    private static func read(_ row: borrowing PostgresRow) throws -> Account {
        Account(
            id: try row.decode(0, as: Int64.self),
            stripe: Stripe(number: try row.decode(1, as: Int64.self)),
            code: AccountCode(rawValue: try row.decode(2, as: String.self)),
            owner: try row.decode(3, as: String?.self).flatMap(UserID.init(rawValue:)),
            currency: Currency(code: try row.decode(4, as: String.self)),
            normalSide: try row.decode(5, as: Side.self),
            debits: try row.decode(6, as: Int64.self),
            credits: try row.decode(7, as: Int64.self),
            seq: try row.decode(8, as: Int64.self),
            postedAt: try row.decode(9, as: Date?.self))
    }
}
