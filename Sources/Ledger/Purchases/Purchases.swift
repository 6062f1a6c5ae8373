import Batching
import Postgres

/// Payments that became coins.
package struct Purchases: Sendable {
    private let pools: Pools
    private let ofPayments: BatchQueue<PaymentIdentity, Purchase?>
    private let pages: BatchQueue<PurchasePageRequest, Page<RefundablePurchase, PurchaseCursor>>

    init(_ pools: Pools) {
        self.pools = pools
        ofPayments = BatchQueue(capacity: 8192, batchLimit: 1024) { payments in
            await answering(payments) {
                let found = try await pools.lookups.run(Purchase.sharing(payments))
                // Who presents a receipt again is told that it is credited: that must outlive a failover.
                if !found.isEmpty { _ = try await pools.writes.run(Replication.mark) }
                let byPayment = Dictionary(found.map { ($0.payment.key, $0) }, uniquingKeysWith: { first, _ in first })
                let byOrder = Dictionary(
                    found.map { ($0.payment.orderKey, $0) }, uniquingKeysWith: { first, _ in first })
                // A V2 receipt names the payment by the order's id: the transaction's is known from the gateway only.
                return payments.map { byPayment[$0.key] ?? ($0.paymentID == nil ? nil : byOrder[$0.orderKey]) }
            }
        }
        // Few pages at a time, for each is many rows; and two such batches, so that a long one does not hold the others up.
        pages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { requests in
            await answering(requests) { try await RefundablePurchase.pages(requests, from: pools.reads) }
        }
    }

    /// The purchase with this id, whoever's it is.
    package func find(_ id: Int64) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.reads.run(Purchase.find([id], ofRefunds: [])).first }
    }

    /// The user's own purchase with this id; nil when there is none or it is another's.
    package func find(_ id: Int64, of user: UserID) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.reads.run(Purchase.find(id, of: user)).first }
    }

    /// The purchase that this payment became, whoever's it is.
    ///
    /// Look-ups at the same time share one query.
    package func find(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await reading { try await ofPayments.submit(payment) }
    }

    /// The user's purchases that were credited in the period, newest first.
    ///
    /// Pages that are asked for at the same time share one query, unless they are of a status: to find those of a rare
    /// one, many others may have to be passed over.
    ///
    /// - Parameter status: only those that stand so.
    package func list(
        of user: UserID, in period: Period = .always, _ status: Purchase.Status? = nil,
        after cursor: PurchaseCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<RefundablePurchase, PurchaseCursor> {
        let request = PurchasePageRequest(user: user, period: period, status: status, cursor: cursor, limit: limit)
        return try await reading {
            if status == nil { return try await pages.submit(request, in: .user(user)) }
            return try await RefundablePurchase.pages([request], from: pools.reads)[0]
        }
    }

    /// Ends the shared look-ups.
    func close() async {
        await ofPayments.close()
        await pages.close()
    }
}

extension PaymentIdentity {
    /// What tells the payment from all others, whatever order it is said to be for.
    var key: [ExactText] { [ExactText(gateway), ExactText(impUID)] }
    /// What tells its order from all others.
    fileprivate var orderKey: [ExactText] { [ExactText(gateway), ExactText(merchantUID)] }
}
