package import Postgres

/// A purchase of which a store is to be told that it is delivered.
package struct StoreDelivery: WorkItem, Equatable {
    /// The end of a delivery.
    package enum Decision: String, Sendable {
        /// The store was told.
        case finished
        /// The app tells the store.
        case left
        /// The store does not want to be told.
        case abandoned
    }

    package let id: Int64
    package let payment: PaymentIdentity
    /// How often the work list returned it.
    package let attempts: Int64
    /// Why it waits.
    package let reason: String
    /// How often in a row it was postponed for this reason.
    package let inARow: Int64

    package init(id: Int64, payment: PaymentIdentity, attempts: Int64, reason: String, inARow: Int64) {
        self.id = id
        self.payment = payment
        self.attempts = attempts
        self.reason = reason
        self.inARow = inARow
    }
}

extension StoreDelivery: StoredWorkItem {
    static let table = "store_delivery"
    static let assignedWhenPostponed = "in_a_row = CASE WHEN reason = $2 THEN in_a_row + 1 ELSE 1 END,"
    static let columns = """
        store_delivery.id, store_delivery.attempts, store_delivery.reason, store_delivery.in_a_row,
        (SELECT gateway FROM purchase WHERE purchase.id = store_delivery.purchase_id),
        (SELECT imp_uid FROM purchase WHERE purchase.id = store_delivery.purchase_id),
        (SELECT merchant_uid FROM purchase WHERE purchase.id = store_delivery.purchase_id)
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> StoreDelivery {
        try row.make(at: &column) {
            (
                id: Int64, attempts: Int64, reason: String, inARow: Int64, gateway: String, paymentID: String,
                merchantUID: String
            ) in
            StoreDelivery(
                id: id, payment: PaymentIdentity(gateway: gateway, paymentID: paymentID, merchantUID: merchantUID),
                attempts: attempts, reason: reason, inARow: inARow)
        }
    }
}

/// The purchases of which stores are to be told.
package typealias StoreDeliveries = WorkList<StoreDelivery>
