import Batching
import Postgres

/// Reads purchases.
package struct Purchases: Sendable {
    private let pools: Pools
    private let ofPayments: BatchQueue<PaymentIdentity, Purchase?>
    private let pages: BatchQueue<PurchasePageRequest, Page<RefundablePurchase, PurchaseCursor>>

    init(_ pools: Pools) {
        self.pools = pools
        ofPayments = BatchQueue(capacity: 8192, batchLimit: 1024, patience: lookupPatience) { payments in
            await answering(payments) {
                let found = try await pools.lookups.run(Purchase.sharing(payments))
                // The answer that a repeated receipt is credited must still be true after a failover.
                if !found.isEmpty { _ = try await pools.writes.run(Replication.mark) }
                let byPayment = Dictionary(found.map { ($0.payment.key, $0) }, uniquingKeysWith: { first, _ in first })
                let byOrder = Dictionary(
                    found.map { ($0.payment.orderKey, $0) }, uniquingKeysWith: { first, _ in first })
                // A V2 receipt has only the order's id; the transaction id is known only to the gateway.
                return payments.map { byPayment[$0.key] ?? ($0.paymentID == nil ? nil : byOrder[$0.orderKey]) }
            }
        }
        // Each page is many rows, so a batch is small; two batches run at a time, so that a long one does not block the
        // others.
        pages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { requests in
            await answering(requests) { try await RefundablePurchase.pages(requests, from: pools.reads) }
        }
    }

    /// The purchase with this id, of any user.
    package func find(_ id: Int64) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.reads.run(Purchase.find([id], ofRefunds: [])).first }
    }

    /// The purchase with this id; nil: not found, or another user's.
    package func find(_ id: Int64, of user: UserID) async throws(LedgerError) -> Purchase? {
        try await reading { try await pools.reads.run(Purchase.find(id, of: user)).first }
    }

    /// The purchase of this payment, of any user.
    ///
    /// Concurrent look-ups share one query.
    package func find(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await reading { try await ofPayments.submit(payment) }
    }

    /// The purchases of the payments with this name, of any user, each with its refunds.
    ///
    /// Two gateways can give the same `imp_uid`.
    package func list(named name: PaymentName) async throws(LedgerError) -> [RefundablePurchase] {
        try await reading {
            let found = try await pools.reads.run(Purchase.named([name.text])).filter(name.isName(of:))
            let refunds = try await Refund.byPurchase(found.map(\.id), from: pools.reads)
            return found.map { RefundablePurchase(purchase: $0, refunds: refunds[$0.id] ?? []) }
        }
    }

    /// The user's purchases that were credited in the period, newest first.
    ///
    /// Concurrent requests share one query. A request with a status has its own, because finding purchases of a rare
    /// status may scan many others.
    ///
    /// - Parameter status: only purchases with this status; nil: all.
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

    /// Stops the queues of shared look-ups.
    func close() async {
        await ofPayments.close()
        await pages.close()
    }
}

/// A name of a payment.
package enum PaymentName: Sendable {
    /// The gateway's id of the payment.
    case impUID(String)
    /// The shop's id of the payment or order.
    case merchantUID(String)

    fileprivate var text: String {
        switch self {
        case .impUID(let text), .merchantUID(let text): text
        }
    }

    fileprivate func isName(of purchase: Purchase) -> Bool {
        switch self {
        case .impUID(let text): ExactText(purchase.payment.impUID) == ExactText(text)
        case .merchantUID(let text): ExactText(purchase.payment.merchantUID) == ExactText(text)
        }
    }
}

extension PaymentIdentity {
    /// The payment's unique key at its gateway, without the order.
    var key: [ExactText] { [ExactText(gateway), ExactText(impUID)] }
    /// The order's unique key at its gateway.
    fileprivate var orderKey: [ExactText] { [ExactText(gateway), ExactText(merchantUID)] }
}
