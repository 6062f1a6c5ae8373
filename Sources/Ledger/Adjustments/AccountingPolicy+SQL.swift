import CivilTime
import Foundation
import Postgres

extension AccountingPolicy {
    private static let columns = "id, method, month, set_by, set_at, expected, highly_probable, bonus_price"

    /// Has those who set policies take turns.
    ///
    /// The key is "ledgpoli" in ASCII.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524174752873)")

    /// The policies of a month.
    static func inForce(in month: CivilMonth) -> PostgresQuery<[AccountingPolicy]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM accounting_policy
            WHERE id IN (
                SELECT DISTINCT ON (subject) id FROM accounting_policy WHERE month <= $1
                ORDER BY subject, month DESC, id DESC)
            """,
            [month.description], row: decode)
    }

    /// Policies, the last set first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(before id: Int64?, limit: Int) -> PostgresQuery<[AccountingPolicy]> {
        PostgresQuery(
            "SELECT \(columns) FROM accounting_policy WHERE id < $1 ORDER BY id DESC LIMIT $2",
            [id ?? Int64.max, Int64(limit + 1)], row: decode)
    }

    /// Sets a policy.
    ///
    /// - Parameter start: the first moment of the month.
    static func insert(
        _ method: Method, from month: CivilMonth, start: Date, by caller: String
    ) -> PostgresQuery<AccountingPolicy> {
        .one(
            """
            INSERT INTO accounting_policy (
                subject, method, month, starts_at, expected, highly_probable, bonus_price, set_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING \(columns)
            """,
            [
                method.subject.rawValue, method.name, month.description, start, method.expected, method.highlyProbable,
                method.bonusPrice, caller,
            ], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> AccountingPolicy {
        guard
            let method = Method(
                try row[1], expected: try row[5], highlyProbable: try row[6], bonusPrice: try row[7])
        else { throw UnreadableColumn(column: 1, type: "AccountingPolicy.Method") }
        return AccountingPolicy(
            id: try row[0], method: method, month: try row[2], setBy: try row[3], setAt: try row[4])
    }
}

extension PoliciesInForce {
    init(_ policies: [AccountingPolicy]) {
        func policy(_ subject: AccountingPolicy.Subject) -> AccountingPolicy? {
            policies.first { $0.method.subject == subject }
        }
        self.init(breakage: policy(.breakage), bonus: policy(.bonus))
    }
}

extension AccountingPolicy.Subject: PostgresRawRepresentable {}
