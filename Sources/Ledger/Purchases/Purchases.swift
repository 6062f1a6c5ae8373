import Batching
import Postgres

/// Reads purchases.
package struct Purchases: Sendable {
    let pools: Pools
    private let ofPayments: BatchQueue<PaymentIdentity, Found>
    private let pages: BatchQueue<PurchasePageRequest, Page<WithRefunds<ListedPurchase>, PurchaseCursor>>

    init(_ pools: Pools) {
        self.pools = pools
        ofPayments = pools.sharedLookups { payments in
            let known = try await pools.lookups.run(Purchase.known(as: payments))
            let found = known.compactMap { row in row.purchase.map { ($0, row.furtherName) } }
            // The answer that a repeated receipt is credited must still be true after a failover.
            if !found.isEmpty { _ = try await pools.writes.run(Replication.mark) }
            let byName = Dictionary(
                found.map { purchase, name in (name ?? purchase.payment.key, purchase) },
                uniquingKeysWith: { first, _ in first })
            let byOrder = Dictionary(
                found.map { purchase, _ in (ExactText(purchase.payment.merchantUID), purchase) },
                uniquingKeysWith: { first, _ in first })
            return payments.map { payment in
                Found(
                    named: byName[payment.key], ofOrder: byOrder[ExactText(payment.merchantUID)],
                    someAreForgotten: found.count < known.count)
            }
        }
        // Each page is many rows, so a batch is small; two batches run at a time, so that a long one does not block the
        // others.
        pages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { requests in
            await answering(requests) { try await WithRefunds<ListedPurchase>.pages(requests, from: pools.reads) }
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

    /// The purchase of this payment, of any user, also under a further name that was kept.
    ///
    /// Concurrent look-ups share one query.
    package func find(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await lookUp(payment).purchase(of: payment)
    }

    /// The purchase of a payment that the gateway shows, of any user, also if another of its APIs showed it first.
    package func find(of sighting: PaymentSighting) async throws(LedgerError) -> Purchase? {
        let found = try await lookUp(sighting.payment)
        return found.purchase(of: sighting.payment) ?? found.purchase(seenAs: sighting)
    }

    /// The same, and keeps the name under which the gateway shows the payment, if it is a new one.
    ///
    /// - Parameter key: to find purchases of users who were forgotten; nil: nobody was.
    package func recognise(
        _ sighting: PaymentSighting, after key: ForgettingKey? = nil
    ) async throws(LedgerError) -> Purchase? {
        let found = try await lookUp(sighting.payment)
        if let known = found.purchase(of: sighting.payment) { return known }
        guard let purchase = found.purchase(seenAs: sighting) else {
            guard let key, found.someAreForgotten else { return nil }
            return try await recognise(sighting, ofForgottenBy: key)
        }
        try await keep(sighting.payment, of: purchase)
        return purchase
    }

    /// The purchase of a payment of a user who was forgotten, whose names it has no more.
    ///
    /// As of others (``Purchase/isOf(_:)``), the order's name alone is not enough: it can have several payments.
    private func recognise(
        _ sighting: PaymentSighting, ofForgottenBy key: ForgettingKey
    ) async throws(LedgerError) -> Purchase? {
        let payment = sighting.payment
        let found = try await reading {
            try await pools.lookups.run(
                Purchase.find(forgotten: key.digests(of: payment), ofOrder: key.digest(ofOrderOf: payment)))
        }
        return found.first { !$0.isByOrder }?.purchase
            ?? found.map(\.purchase).first {
                ExactText($0.payment.gateway) != ExactText(payment.gateway) && $0.agrees(with: sighting)
            }
    }

    /// Keeps a further name of a purchase's payment, and resolves the finding under it, because the payment is credited.
    ///
    /// Problems that a purchase does not end, such as a dispute, stay.
    package func keep(_ name: PaymentIdentity, of purchase: Purchase) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(Purchase.keep(name, of: purchase.id)) }
    }

    /// The purchase of the payment's order, of any user and whichever payment it was credited for.
    package func find(ofOrder payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await lookUp(payment).ofOrder
    }

    private func lookUp(_ payment: PaymentIdentity) async throws(LedgerError) -> Found {
        try await reading { try await ofPayments.submit(payment) }
    }

    /// The purchases of the payments with this name, of any user, each with its refunds.
    ///
    /// Two gateways can give the same `imp_uid`. A payment that two APIs show is found by each name that was kept.
    package func list(named name: PaymentName) async throws(LedgerError) -> [RefundablePurchase] {
        try await reading {
            let found = try await pools.reads.run(Purchase.named([name.text])).filter(name.isName(of:)).map(\.purchase)
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
    ) async throws(LedgerError) -> Page<WithRefunds<ListedPurchase>, PurchaseCursor> {
        let request = PurchasePageRequest(user: user, period: period, status: status, cursor: cursor, limit: limit)
        return try await reading {
            if status == nil { return try await pages.submit(request, in: .user(user)) }
            return try await WithRefunds<ListedPurchase>.pages([request], from: pools.reads)[0]
        }
    }

    /// The user's latest purchases with all that is known of them, newest first.
    package func latest(
        of user: UserID, limit: Int
    ) async throws(LedgerError) -> Page<RefundablePurchase, PurchaseCursor> {
        try await reading {
            try await RefundablePurchase.pages([PurchasePageRequest(user: user, limit: limit)], from: pools.reads)[0]
        }
    }

    /// Stops the queues of shared look-ups.
    func close() async {
        await ofPayments.close()
        await pages.close()
    }
}

/// What a look-up of a payment finds.
private struct Found {
    /// The purchase with the gateway's id of the payment, its own or a further one.
    let named: Purchase?
    /// The purchase of the payment's order.
    let ofOrder: Purchase?
    /// Whether there may be one that only hashes of its names find.
    let someAreForgotten: Bool

    func purchase(of payment: PaymentIdentity) -> Purchase? {
        named ?? ofOrder.flatMap { payment.isPresented(as: $0.payment) ? $0 : nil }
    }

    func purchase(seenAs sighting: PaymentSighting) -> Purchase? { ofOrder.flatMap { $0.isOf(sighting) ? $0 : nil } }
}

/// A name of a payment.
package enum PaymentName: Sendable {
    /// The gateway's id of the payment.
    case paymentID(String)
    /// The shop's id of the payment or order.
    case merchantUID(String)

    fileprivate var text: String {
        switch self {
        case .paymentID(let text), .merchantUID(let text): text
        }
    }

    fileprivate func isName(of found: Purchase.Named) -> Bool {
        switch self {
        case .paymentID(let text): found.paymentID == ExactText(text)
        case .merchantUID(let text): ExactText(found.purchase.payment.merchantUID) == ExactText(text)
        }
    }
}

extension PaymentIdentity {
    /// The payment's unique key at its gateway, without the order.
    var key: GatewayKey { GatewayKey(gateway: gateway, id: paymentID) }

    /// The ids under which receipts of the payment may be presented: a V2 receipt has only the payment id.
    var namesPresented: [String] { [paymentID] + [merchantPaymentID].compactMap(\.self) }

    /// Whether a V2 receipt names the payment: it has only the order's id, and only the gateway knows the transaction id.
    fileprivate func isPresented(as credited: PaymentIdentity) -> Bool {
        merchantPaymentID != nil && ExactText(gateway) == ExactText(credited.gateway)
    }
}
