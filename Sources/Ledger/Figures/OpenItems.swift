package import Foundation
import Postgres

/// What a person or a service has still to decide, counted up to ``most``.
package struct OpenItems: Sendable, Equatable {
    /// A larger number is not counted.
    package static let most: Int64 = 10_000

    package let findings: Int64
    package let receiptsWaiting: Int64
    /// The oldest waiting receipt.
    package let oldestReceipt: Date?
    package let refundsPending: Int64
    package let oldestRefund: Date?
    package let webhooksWaiting: Int64
    package let reconciliationsRunning: Int64
    package let settlementLinesUnmatched: Int64
    /// The moment before which the books are closed; nil: never closed.
    package let closedUntil: Date?
    package let lastSealAt: Date?
}

extension Figures {
    /// What is open now.
    package func openItems() async throws(LedgerError) -> OpenItems {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (findings, others) = try await connection.pipeline(
                    Finding.countOpen(upTo: OpenItems.most), OpenItems.countOthers)
                return others(findings)
            }
        }
    }

    /// The number of payments of each of the last minutes, oldest first.
    ///
    /// - Parameter minutes: the number of minutes; the last one is not over.
    package func paymentsPerMinute(_ minutes: Int, until now: Date) async throws(LedgerError) -> [Int64] {
        let counted = try await reading { try await pools.reads.run(Self.payments(minutes, until: now)) }
        return (1...minutes).map { counted[Int64($0)] ?? 0 }
    }

    private static func payments(_ minutes: Int, until now: Date) -> PostgresQuery<[Int64: Int64]> {
        let start = now.addingTimeInterval(-60 * Double(minutes))
        return PostgresQuery<[(Int64, Int64)]>(
            """
            SELECT 1 + floor(extract(epoch FROM paid_at - $1::timestamptz) / 60)::bigint, count(*)
            FROM purchase WHERE paid_at >= $1 AND paid_at < $2 GROUP BY 1
            """, [start, now]
        ) { row in (try row[0] as Int64, try row[1] as Int64) }
        .map { Dictionary(uniqueKeysWithValues: $0) }
    }
}

extension OpenItems {
    /// Counts everything but findings.
    fileprivate static var countOthers: PostgresQuery<@Sendable (_ findings: Int64) -> OpenItems> {
        .one(
            """
            SELECT \(OpenWork.receipts.count), \(OpenWork.receipts.oldest),
                \(OpenWork.refunds.count), \(OpenWork.refunds.oldest),
                \(OpenWork.webhooks.count), \(OpenWork.reconciliations.count), \(OpenWork.settlementLines.count),
                (SELECT max(until) FROM closed_period),
                (SELECT sealed_at FROM seal ORDER BY id DESC LIMIT 1)
            """, []
        ) { row in
            let (receipts, oldestReceipt) = (try row.decode(0, as: Int64.self), try row.decode(1, as: Date?.self))
            let (refunds, oldestRefund) = (try row.decode(2, as: Int64.self), try row.decode(3, as: Date?.self))
            let (webhooks, runs) = (try row.decode(4, as: Int64.self), try row.decode(5, as: Int64.self))
            let lines = try row.decode(6, as: Int64.self)
            let (closed, sealed) = (try row.decode(7, as: Date?.self), try row.decode(8, as: Date?.self))
            return { findings in
                OpenItems(
                    findings: findings, receiptsWaiting: receipts, oldestReceipt: oldestReceipt,
                    refundsPending: refunds, oldestRefund: oldestRefund, webhooksWaiting: webhooks,
                    reconciliationsRunning: runs, settlementLinesUnmatched: lines, closedUntil: closed,
                    lastSealAt: sealed)
            }
        }
    }
}
