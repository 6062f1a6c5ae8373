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
    /// then, also of accounts that were merged into theirs since.
    static func of(_ users: [UserID], at moment: Date) -> PostgresQuery<[Part]> {
        PostgresQuery(
            """
            SELECT asked.owner, account.code, posting.balance
            FROM unnest($1::text[]) AS asked (owner)
            JOIN account ON account.owner = ANY\(UserAliases.names(of: "asked.owner"))
            JOIN posting ON posting.account_id = account.id AND posting.seq = posting_seq_as_of(account.id, $2)
            WHERE \(AccountSQL.isOfUser)
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
            return Balance(user: user) { account in own.reduce(0) { $1.account == account ? $0 + $1.balance : $0 } }
        }
    }
}
