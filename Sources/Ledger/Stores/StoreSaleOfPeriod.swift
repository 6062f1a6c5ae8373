package import Foundation
import Postgres

/// A credited purchase in a store, as a look at the store's orders needs it.
package struct StoreSaleOfPeriod: Sendable, Equatable {
    package let id: Int64
    package let paidAt: Date
    package let payment: PaymentIdentity
    /// What the store gave back of it according to the books, in minor units of the payment's currency.
    package let refunded: Int64

    package init(id: Int64, paidAt: Date, payment: PaymentIdentity, refunded: Int64) {
        (self.id, self.paidAt, self.payment, self.refunded) = (id, paidAt, payment, refunded)
    }
}

extension StoreSaleOfPeriod {
    static func list(
        of store: String, in period: Range<Date>, after id: Int64, limit: Int
    ) -> PostgresQuery<[StoreSaleOfPeriod]> {
        PostgresQuery(
            """
            SELECT id, paid_at, imp_uid, merchant_uid, payment_id,
                coalesce(foreign_refunded, refunded_amount - transferred_amount)
            FROM purchase
            WHERE (paid_at, id) > ($2, $4) AND paid_at < $3 AND gateway = $1 AND payment_id IS NOT NULL
                AND refunded_amount - transferred_amount < amount
            ORDER BY paid_at, id
            LIMIT $5
            """, [store, period.lowerBound, period.upperBound, id, Int64(limit)]
        ) { row in
            try row.make {
                (id: Int64, paidAt: Date, token: String, merchantUID: String, order: String, refunded: Int64) in
                StoreSaleOfPeriod(
                    id: id, paidAt: paidAt,
                    payment: PaymentIdentity(
                        gateway: store, paymentID: token, merchantUID: merchantUID, merchantPaymentID: order),
                    refunded: refunded)
            }
        }
    }
}
