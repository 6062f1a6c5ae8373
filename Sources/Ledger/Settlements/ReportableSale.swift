import Foundation
import Postgres

/// A purchase at a store, and what of it a report of sums may be of.
///
/// Its amounts are in minor units of the currency in which it was paid.
struct ReportableSale: Sendable, Equatable {
    /// What was sold of it, or given back of it.
    struct Side: Sendable, Equatable {
        /// What no line has settled.
        let open: Int64
        /// The lines of the report's period that are booked, by their places.
        var booked: [Booked] = []
    }

    /// A line that is booked.
    struct Booked: Sendable, Equatable, Decodable {
        let place: Int64
        /// Below zero: kept back.
        let paid: Int64
        /// In won, likewise the others.
        let gross: Int64
        let fee: Int64
        let tax: Int64
        let net: Int64
    }

    let purchaseID: Int64
    /// The store's id of the transaction.
    let payment: String
    /// The code of our product.
    let product: String
    let amount: Int64
    let coins: Int64
    /// The coins of a piece; nil: we have no such product.
    let coinsEach: Int64?
    /// What all lines have paid out of it, less what they kept back.
    let settled: Int64
    /// What all lines have paid out of it.
    let paidOut: Int64
    let sold: Side
    let returned: Side

    /// What lines of a report can settle, one after the other.
    ///
    /// What was given back and taken back again is sold once more, apart from the first time: a report may have either. In all
    /// never more is paid out than was paid, and never more kept back.
    ///
    /// - Parameters:
    ///   - waiting: what lines of that direction settle before.
    ///   - keptBack: what the same report keeps back, before it pays out.
    func parts(isReturn: Bool, besides waiting: Int64, keptBack: Int64) -> [Int64] {
        if isReturn { return [min(returned.open, amount + settled) - waiting].filter { $0 > 0 } }
        let open = min(sold.open, amount - settled + keptBack) - waiting
        let first = min(open, max(0, amount - paidOut - waiting))
        return [first, open - first].filter { $0 > 0 }
    }

    /// How many pieces an amount of the purchase is; nil: it is of no whole number of pieces.
    ///
    /// A purchase has as many as it has its product's coins.
    func pieces(of part: Int64) -> Int64? {
        guard let coinsEach, part >= 0, coins % coinsEach == 0 else { return nil }
        let (pieces, rest) = (Int128(part) * Int128(coins / coinsEach)).quotientAndRemainder(dividingBy: Int128(amount))
        return rest == 0 ? Int64(pieces) : nil
    }
}

extension ReportableSale {
    /// A purchase that was paid so long before a period may be in its report, if nothing settled it before.
    private static let longestCarried: TimeInterval = 366 * 86_400
    /// Purchases of so long before a period are looked at whatever they owe: what was sold and given back may both be open.
    private static let carried: TimeInterval = 62 * 86_400

    /// What the books have of the App Store until the end of a period, as far as it is open or settled by lines of the period:
    /// the oldest first.
    ///
    /// - Parameters:
    ///   - lastDay: of the period, which its lines have as their day.
    ///   - currency: of the report's lines; nil: won.
    static func inAppStore(
        until period: Range<Date>, _ lastDay: String, in currency: ForeignCurrency? = nil
    ) -> PostgresQuery<[ReportableSale]> {
        PostgresQuery(
            """
            SELECT purchase.id, purchase.imp_uid, purchase.product, purchase.paid, purchase.coins, version.coins,
                purchase.settled, line.all_sold, part.sold_open, part.returned_open, line.booked
            FROM (
                SELECT *, coalesce(foreign_amount, amount) AS paid,
                    coalesce(foreign_refunded, refunded_amount - transferred_amount) AS paid_back,
                    coalesce(foreign_settled, settled_amount) AS settled
                FROM purchase
                WHERE gateway = '\(StoreName.appStore)' AND foreign_currency IS NOT DISTINCT FROM $5
                    AND paid_at >= $1 AND paid_at < $3
                    AND (paid_at >= $2 OR \(OpenWork.unsettledPayments.condition) OR EXISTS (
                        SELECT FROM settlement_row
                        WHERE purchase_id = purchase.id AND status = 'settled' AND paid_out_on = $4::date OFFSET 0))
                OFFSET 0
            ) AS purchase
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(paid) FILTER (WHERE paid > 0), 0)::bigint AS all_sold,
                    coalesce(-sum(paid) FILTER (WHERE paid < 0), 0)::bigint AS all_returned,
                    coalesce(jsonb_agg(
                        jsonb_build_object(
                            'place', place, 'paid', paid, 'gross', gross, 'fee', fee, 'tax', tax, 'net', net)
                        ORDER BY place) FILTER (WHERE paid <> 0 AND paid_out_on = $4::date), '[]') AS booked
                FROM (
                    SELECT *, coalesce(foreign_gross, gross) AS paid
                    FROM settlement_row WHERE purchase_id = purchase.id AND status = 'settled'
                ) AS settlement_row
            ) AS line
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(reversal.paid), 0)::bigint AS ever,
                    coalesce(sum(reversal.paid) FILTER (WHERE happened_at < $3), 0)::bigint AS until
                FROM (
                    SELECT id, transaction_id, coalesce(late_for, effective_at) AS happened_at FROM journal_entry
                    WHERE reverses = purchase.journal_entry_id AND kind IN ('refund', 'claw_back') OFFSET 0
                ) AS entry
                CROSS JOIN LATERAL (
                    SELECT coalesce(foreign_amount, amount) AS paid FROM purchase_reversal
                    WHERE journal_entry_id = entry.id AND NOT is_transfer OFFSET 0
                ) AS reversal
                -- Of a refund that the store took back in part, the rest was clawed back again: it went back once.
                WHERE NOT EXISTS (
                    SELECT FROM (
                        SELECT journal_entry_id FROM claw_back_reversal
                        WHERE claw_back_reversal.purchase_id = purchase.id OFFSET 0
                    ) AS undone
                    CROSS JOIN LATERAL (
                        SELECT transaction_id FROM journal_entry WHERE id = undone.journal_entry_id OFFSET 0
                    ) AS moved
                    WHERE moved.transaction_id = entry.transaction_id)
            ) AS back
            -- What was given back and taken back again is sold once more.
            CROSS JOIN LATERAL (
                SELECT purchase.paid + back.ever - purchase.paid_back - line.all_sold AS sold_open,
                    back.until - line.all_returned AS returned_open
            ) AS part
            LEFT JOIN LATERAL (
                SELECT coins FROM product
                WHERE \(Product.isNearest(to: "purchase.paid_at", of: "purchase.product"))
            ) AS version ON true
            WHERE part.sold_open > 0 OR part.returned_open > 0 OR line.booked <> '[]'
            ORDER BY purchase.paid_at, purchase.id
            """,
            [
                period.lowerBound - longestCarried, period.lowerBound - carried, period.upperBound, lastDay,
                currency?.code,
            ]
        ) { row in
            let booked = try row.decodeJSON(10, as: [Booked].self)
            return ReportableSale(
                purchaseID: try row[0], payment: try row[1], product: try row[2], amount: try row[3],
                coins: try row[4], coinsEach: try row.decode(5, as: Int64?.self), settled: try row[6],
                paidOut: try row[7], sold: Side(open: try row[8], booked: booked.filter { $0.paid > 0 }),
                returned: Side(open: try row[9], booked: booked.filter { $0.paid < 0 }))
        }
    }
}
