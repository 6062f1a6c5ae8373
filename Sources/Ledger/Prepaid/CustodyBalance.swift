package import Foundation
package import Postgres

/// What a custodian held for the prepaid money of users at a moment, as finance entered it.
package struct CustodyBalance: Sendable, Equatable, Identifiable {
    /// How the money is kept apart (Electronic Financial Transactions Act of Korea, article 25-2).
    package enum Method: String, Sendable, CaseIterable {
        case trust
        case deposit
        case guaranteeInsurance = "guarantee_insurance"
    }

    package let id: Int64
    /// The bank, trustee or insurer.
    package let custodian: String
    package let method: Method
    /// In won.
    package let balance: Int64
    /// When the custodian held it.
    package let heldAt: Date
    package let note: String?
    /// The caller.
    package let enteredBy: String
    package let enteredAt: Date
}

/// The result of entering a balance.
package struct CustodyEntered: Sendable, Equatable {
    package let balance: CustodyBalance
    /// Whether the balance was entered before under the same key.
    package let isRepeat: Bool
}

/// A balance to enter.
package struct CustodyBalanceDraft: Sendable {
    package var custodian: String
    package var method: CustodyBalance.Method
    /// In won, 0 or more; 0: the custodian holds nothing any more.
    package var balance: Int64
    package var heldAt: Date
    package var note: String?

    package init(
        custodian: String, method: CustodyBalance.Method, balance: Int64, heldAt: Date, note: String? = nil
    ) {
        self.custodian = custodian
        self.method = method
        self.balance = balance
        self.heldAt = heldAt
        self.note = note
    }
}

extension CustodyBalance: PostgresReadable {
    private static let columns = "id, custodian, method, balance, held_at, note, entered_by, entered_at"

    /// Inserts the balance, or finds it if its key was used for the same balance; nothing: for another one.
    static func add(_ draft: CustodyBalanceDraft, key: String, by caller: String) -> PostgresQuery<CustodyEntered?> {
        .first(
            """
            WITH added AS (
                INSERT INTO custody_balance (key, custodian, method, balance, held_at, note, entered_by)
                VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key) DO NOTHING
                RETURNING \(columns)
            )
            SELECT *, false FROM added
            UNION ALL
            SELECT \(columns), true FROM custody_balance
            WHERE key = $1 AND (custodian, method, balance, held_at, entered_by) = ($2, $3, $4, $5, $7)
                AND note IS NOT DISTINCT FROM $6
            """,
            [key, draft.custodian, draft.method.rawValue, draft.balance, draft.heldAt, draft.note, caller]
        ) { row in try row.make(CustodyEntered.init) }
    }

    /// When the caller entered a balance under a key.
    static func entered(under key: String, by caller: String) -> PostgresQuery<Date?> {
        .first("SELECT entered_at FROM custody_balance WHERE key = $1 AND entered_by = $2", [key, caller])
    }

    /// The balances, the last entered first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(before id: Int64?, limit: Int) -> PostgresQuery<[CustodyBalance]> {
        PostgresQuery(
            "SELECT \(columns) FROM custody_balance WHERE id < $1 ORDER BY id DESC LIMIT $2",
            [id ?? .max, Int64(limit + 1)])
    }

    /// The last balance of each custodian; of several for the same time, the one that was entered last.
    static let latest = PostgresQuery<[CustodyBalance]>(
        """
        SELECT DISTINCT ON (custodian) \(columns) FROM custody_balance ORDER BY custodian, held_at DESC, id DESC
        """, [])

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CustodyBalance {
        try row.make(at: &column, CustodyBalance.init)
    }
}

extension CustodyBalance.Method: PostgresRawRepresentable {}
