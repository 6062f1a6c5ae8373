package import Foundation
import Postgres

/// The payments that have been outstanding for about as long.
package struct OutstandingAge: Sendable, Equatable {
    /// The whole days since the payment, from this one on.
    package let fromDays: Int64
    /// Up to this day; nil: without an end.
    package let toDays: Int64?
    package let payments: Int64
    /// The amount that the gateway has still to pay out, in won; negative: it paid out too much.
    package let outstanding: Int64
}

extension Settlements {
    /// What is outstanding now, by the age of the payments: 0–2, 3–7, 8–30 and more days.
    ///
    /// Most gateways pay out within a week, so what is older needs somebody who asks.
    package func outstandingByAge(at now: Date) async throws(LedgerError) -> [OutstandingAge] {
        try await reading { try await pools.reads.run(OutstandingAge.list(at: now)) }
    }

    /// The number of payments of which ``oldestOutstanding(at:)`` tells the age.
    package static let mostOldest: Int64 = 10_000

    /// What is outstanding of the oldest 10,000 payments, by age: those that somebody has to ask about.
    ///
    /// ``outstandingByAge(at:)`` adds up all of them, which takes as long as there are many.
    package func oldestOutstanding(at now: Date) async throws(LedgerError) -> [OutstandingAge] {
        let oldest = OpenWork.unsettledPayments.first(Self.mostOldest)
        return try await reading { try await pools.reads.run(OutstandingAge.list(at: now, of: oldest)) }
    }
}

extension OutstandingAge {
    /// - Parameter purchases: which purchases count: what follows WHERE.
    static func list(
        at now: Date, of purchases: String = OpenWork.unsettledPayments.condition
    ) -> PostgresQuery<[OutstandingAge]> {
        PostgresQuery(
            """
            SELECT age.first, age.last, coalesce(unsettled.payments, 0), coalesce(unsettled.amount, 0)::bigint
            FROM (VALUES (0, 0::bigint, 2::bigint), (1, 3, 7), (2, 8, 30), (3, 31, NULL)) AS age (place, first, last)
            LEFT JOIN (
                SELECT width_bucket($1::timestamptz - paid_at, '{3 days,8 days,31 days}'::interval[]) AS place,
                    count(*) AS payments,
                    sum(amount - refunded_amount + transferred_amount - settled_amount) AS amount
                FROM (
                    SELECT paid_at, amount, refunded_amount, transferred_amount, settled_amount
                    FROM purchase WHERE \(purchases)
                ) AS outstanding
                GROUP BY 1
            ) AS unsettled USING (place)
            ORDER BY age.first
            """, [now]
        ) { row in try row.make(OutstandingAge.init) }
    }
}
