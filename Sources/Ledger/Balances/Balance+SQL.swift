import Foundation
import Postgres

extension Balance {
    /// The balance of one of a user's accounts.
    struct Part: Sendable {
        let owner: UserID
        /// nil: an account that this version does not know.
        let account: UserAccount?
        let balance: Int64

        init(owner: UserID, code: AccountCode, balance: Int64) {
            self.owner = owner
            account = UserAccount(code)
            self.balance = balance
        }
    }

    /// The balances of the users' accounts, by owner: one look-up a user instead of one an account that there may be.
    static func of(_ users: [UserID]) -> PostgresQuery<[Part]> {
        PostgresQuery(
            "SELECT owner, code, balance FROM account WHERE owner = ANY($1) AND \(AccountSQL.isOfUser)",
            [users.map(\.rawValue)]
        ) { row in try row.make(Part.init) }
    }

    /// The balances of the users' accounts at a moment: the running balance of the last posting that was recorded by
    /// then.
    static func of(_ users: [UserID], at moment: Date) -> PostgresQuery<[Part]> {
        PostgresQuery(
            """
            SELECT account.owner, account.code, posting.balance
            FROM account
            JOIN posting ON posting.account_id = account.id AND posting.seq = posting_seq_as_of(account.id, $2)
            WHERE account.owner = ANY($1) AND \(AccountSQL.isOfUser)
            """,
            [users.map(\.rawValue), moment]
        ) { row in try row.make(Part.init) }
    }

    /// Makes a balance for each user, in the order of `users`.
    ///
    /// A user without accounts has zero coins.
    static func assemble(_ users: [UserID], from parts: [Part]) -> [Balance] {
        let ofUsers = Dictionary(grouping: parts, by: \.owner)
        return users.map { user in
            let own = ofUsers[user] ?? []
            return Balance(user: user) { account in own.first { $0.account == account }?.balance ?? 0 }
        }
    }
}
