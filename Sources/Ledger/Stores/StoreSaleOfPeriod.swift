import Foundation
import Postgres

/// A credited purchase in a store, as a look at the store's orders needs it.
package struct StoreSaleOfPeriod: Sendable, Equatable {
    package let payment: PaymentIdentity
    /// What the store gave back of it according to the books, in minor units.
    package let refunded: Int64
}

extension StoreSaleOfPeriod {
    static func list(of store: String, in period: Range<Date>) -> PostgresQuery<[StoreSaleOfPeriod]> {
        PostgresQuery(
            """
            SELECT imp_uid, merchant_uid, payment_id, refunded_amount - transferred_amount
            FROM purchase
            WHERE paid_at >= $2 AND paid_at < $3 AND gateway = $1 AND payment_id IS NOT NULL
                AND refunded_amount - transferred_amount < amount
            """, [store, period.lowerBound, period.upperBound]
        ) { row in
            try row.make { (id: String, merchantUID: String, order: String, refunded: Int64) in
                StoreSaleOfPeriod(
                    payment: PaymentIdentity(
                        gateway: store, paymentID: id, merchantUID: merchantUID, merchantPaymentID: order),
                    refunded: refunded)
            }
        }
    }
}
