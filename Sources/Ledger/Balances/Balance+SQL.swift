import Foundation
import Postgres

extension Balance {
    /// The balances of the users' accounts.
    static func of(_ users: [UserID]) -> PostgresQuery<[(code: String, balance: Int64)]> {
        PostgresQuery("SELECT code, balance FROM account WHERE code = ANY($1)", [codes(of: users)], row: decode)
    }

    /// The balances of the users' accounts at a moment: the running balance of the last posting that was recorded by
    /// then.
    static func of(_ users: [UserID], at moment: Date) -> PostgresQuery<[(code: String, balance: Int64)]> {
        PostgresQuery(
            """
            SELECT account.code, posting.balance
            FROM account
            JOIN posting ON posting.account_id = account.id AND posting.seq = posting_seq_as_of(account.id, $2)
            WHERE account.code = ANY($1)
            """,
            [codes(of: users), moment], row: decode)
    }

    /// Makes a balance for each user, in the order of `users`.
    ///
    /// A user without accounts has zero coins.
    static func assemble(_ users: [UserID], from rows: [(code: String, balance: Int64)]) -> [Balance] {
        let balances = Dictionary(
            rows.map { (AccountCode(rawValue: $0.code), $0.balance) }, uniquingKeysWith: { first, _ in first })
        return users.map { user in
            Balance(user: user) { balances[.user($0, of: user)] ?? 0 }
        }
    }

    private static func codes(of users: [UserID]) -> [String] {
        users.flatMap { user in UserAccount.allCases.map { AccountCode.user($0, of: user).rawValue } }
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> (code: String, balance: Int64) {
        (code: try row[0], balance: try row[1])
    }
}
