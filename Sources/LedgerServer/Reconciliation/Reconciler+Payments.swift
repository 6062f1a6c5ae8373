import Foundation
import Ledger
import Logging
import PGVerifier

extension Reconciler {
    /// Compares a page with the books: matches are decided, other payments are examined later.
    func firstLook(
        at sightings: [ListedPage.Element], _ period: Range<Date>
    ) async throws(LedgerError) -> [Comparison] {
        let touched = sightings.filter { $0.isTouched(in: period) }
        guard !touched.isEmpty else { return [] }
        let purchases = try await ledger.reconciliations.purchases(sharing: touched.map(\.identity))
        let looks = touched.compactMap { sighting in
            firstLook(at: sighting, purchases).map { (sighting: sighting, comparison: $0) }
        }
        var comparisons: [Comparison] = []
        for (sighting, comparison) in looks {
            guard case .payment(let payment) = sighting else {
                comparisons.append(comparison)
                continue
            }
            comparisons.append(try await recordDisputes(of: payment, comparison))
        }
        return comparisons
    }

    /// Records the disputes of a payment that otherwise agrees with the books, because their webhooks can be lost.
    ///
    /// This is no fix of a difference, so every run does it.
    ///
    /// - Returns: the comparison after that: a dispute can end otherwise than the books have it.
    private func recordDisputes(
        of payment: GatewayPayment, _ comparison: Comparison
    ) async throws(LedgerError) -> Comparison {
        guard payment.isDisputed, comparison.kind == .matched, comparison.books != nil,
            try await reviewer.follow(payment) == .disputed
        else { return comparison }
        let purchases = try await ledger.reconciliations.purchases(sharing: [comparison.payment])
        return Comparison.judge(comparison.payment, payment, purchases, policy)
    }

    private func firstLook(at sighting: ListedPage.Element, _ purchases: KnownPurchases) -> Comparison? {
        let identity = sighting.identity
        let isCredited = purchases[identity] != nil
        switch sighting {
        case .payment(let payment):
            if !isCredited, payment.isNothing(policy) { return nil }
            let comparison = Comparison.judge(identity, payment, purchases, policy)
            // A payment without a valid receipt can't be examined.
            let isDecided =
                comparison.kind == .matched || (comparison.kind == .waiting && !isCredited) || identity.receipt == nil
            return isDecided
                ? comparison : Comparison(nil, of: identity, gateway: comparison.gateway, books: comparison.books)
        case .event(let event):
            if !isCredited, event.isTest, !policy.allowTestPayments { return nil }
            return Comparison(identity.receipt == nil ? .unreadable : nil, of: identity)
        case .named: return Comparison(nil, of: identity)
        case .unreadable(let element):
            note(element.error, of: identity)
            // A payment can be examined only with all its ids.
            let canBeAskedFor = element.paymentID != nil && element.merchantUID != nil && identity.receipt != nil
            return Comparison(canBeAskedFor ? nil : .unreadable, of: identity)
        }
    }

    private func note(_ error: GatewayError, of payment: PaymentIdentity) {
        logger.warning(
            "a payment can't be read",
            metadata: ["gateway": "\(payment.gateway)", "imp_uid": "\(payment.paymentID)", "error": "\(error)"])
    }

    /// Examines some payments: many together where a gateway tells that they agree, others each with its own request.
    ///
    /// - Returns: the number of payments.
    func examine(some lease: ReconciliationLease) async throws -> Int {
        let items = try await ledger.reconciliations.unexamined(of: lease, limit: Self.concurrency)
        guard !items.isEmpty else { return 0 }
        let matched = try await matchedByOrders(items)
        let others = items.filter { matched[$0.id] == nil }
        try await others.forEachAtOnce { item in
            (id: item.id, comparison: try await examine(item))
        } keep: { examined in
            try await ledger.reconciliations.store(
                matched.map { (id: $0.key, comparison: Optional($0.value)) } + examined, of: lease)
        }
        return items.count
    }

    /// The purchases of the period that agree with their orders at a gateway that tells many at once.
    ///
    /// One that the gateway lists is not among them: an order can show later that it was taken back.
    private func matchedByOrders(_ items: [ReconciliationItem]) async throws -> [Int64: Comparison] {
        var matched: [Int64: Comparison] = [:]
        for gateway in gateways.tellingRefunds {
            let ours = items.filter { $0.comparison.books != nil && $0.comparison.payment.gateway == gateway.name }
            let ids = ours.compactMap(\.comparison.payment.merchantPaymentID)
            guard !ids.isEmpty else { continue }
            let orders = try await gateway.payments(ofOrders: ids)
            let purchases = try await ledger.reconciliations.purchases(sharing: ours.map(\.comparison.payment))
            for item in ours {
                let identity = item.comparison.payment
                guard let order = identity.merchantPaymentID.flatMap({ orders[$0] }), order.isOf(identity) else {
                    continue
                }
                let comparison = Comparison.judge(identity, order, purchases, policy)
                if comparison.kind == .matched { matched[item.id] = comparison }
            }
        }
        return matched
    }

    /// - Returns: nil if neither side knows the payment.
    private func examine(_ item: ReconciliationItem) async throws -> Comparison? {
        let identity = item.comparison.payment
        do {
            let comparison = try await examine(identity)
            guard comparison.gateway == nil, comparison.books == nil else { return comparison }
            // The gateway has listed the payment, but the look-up does not find it: if it was paid, it is a difference.
            return item.comparison.gateway.flatMap {
                $0.keepsMoney ? Comparison(.paidNotCredited, of: identity, gateway: $0) : nil
            }
        } catch let error as GatewayError {
            guard let kind = kind(after: error, of: identity.gateway) else { throw error }
            note(error, of: identity)
            let purchases = try await ledger.reconciliations.purchases(sharing: [identity])
            return Comparison(kind, of: identity, books: purchases[identity].map(Comparison.BooksSide.init))
        }
    }

    /// What a payment is of which a look-up tells no more; nil: it is looked up again.
    private func kind(after error: GatewayError, of gateway: String) -> ReconciliationKind? {
        switch error.code {
        case .unreadablePayment: .unreadable
        // The purchase is known; its order, or the refund in it, appears later, and the store does not say when.
        case .notFoundYet where gateways.gateway(named: gateway) is any TellsRefunds: .waiting
        default: nil
        }
    }

    /// Reads the gateway before the books, so that a change in between can only make the books newer.
    private func examine(_ identity: PaymentIdentity) async throws -> Comparison {
        var answer = try await ask(identity)
        let purchases = try await ledger.reconciliations.purchases(sharing: [identity])
        let comparison = Comparison.judge(identity, answer, purchases, policy)
        // A store also tells of what else the app sells.
        if comparison.books == nil, let sold = answer, try await !reviewer.crediter.areCoins(sold) {
            return Comparison(.matched, of: identity)
        }
        if let answer, comparison.kind == .matched { return try await recordDisputes(of: answer, comparison) }
        switch comparison.kind {
        case .creditedNotPaid, .refundedNotCancelled: break
        // A refund can have been taken back since, at the gateway and in the books.
        case .cancelledNotClawedBack where answer?.totalMayFall == true: break
        default: return comparison
        }
        // The books can be newer than the gateway's response, so the gateway is read again.
        answer = try await ask(identity)
        return Comparison.judge(identity, answer, purchases, policy)
    }

    /// The gateway's record of exactly this payment; nil if it does not know the payment.
    private func ask(_ identity: PaymentIdentity) async throws(GatewayError) -> GatewayPayment? {
        guard let receipt = identity.receipt else {
            throw GatewayError(
                .unreadablePayment, isDefinite: true, message: "the payment's ids are not valid for a look-up")
        }
        guard let gateway = gateways.gateway(for: receipt) else { return nil }
        do throws(GatewayError) {
            let answer = try await reviewer.crediter.payment(for: receipt, at: gateway)
            // A look-up by the merchant's id returns the current attempt to pay, which can be another one.
            return answer.isOf(identity) ? answer : nil
        } catch {
            // Google forgets the tokens of what was taken back, and lists it for 30 days only.
            guard error.isOfForgottenPayment || error.isDefinite && error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Fixes some differences that the gateway's records settle.
    ///
    /// - Returns: the number of payments.
    func heal(some lease: ReconciliationLease) async throws -> Int {
        let items = try await ledger.reconciliations.unhealed(of: lease, limit: Self.concurrency)
        guard !items.isEmpty else {
            try await ledger.reconciliations.leaveToPerson(lease)
            return 0
        }
        try await items.forEachAtOnce { item in
            (id: item.id, outcome: try await healer.heal(item))
        } keep: { outcomes in
            try await ledger.reconciliations.store(outcomes, of: lease)
        }
        return items.count
    }
}

extension Array where Element: Sendable {
    /// Acts on all at the same time, and keeps the answers that there are, also if an act fails: otherwise one that always fails would
    /// cost those of the others each time.
    ///
    /// - Throws: what `keep` throws; else the first error of an act.
    func forEachAtOnce<Answer: Sendable>(
        _ act: @escaping @Sendable (Element) async throws -> Answer, keep: ([Answer]) async throws -> Void
    ) async throws {
        var answers: [Answer] = []
        var failure: (any Error)?
        await withTaskGroup(of: Result<Answer, any Error>.self) { group in
            for element in self {
                group.addTask {
                    do {
                        return .success(try await act(element))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for await result in group {
                switch result {
                case .success(let answer): answers.append(answer)
                case .failure(let error): failure = failure ?? error
                }
            }
        }
        try await keep(answers)
        if let failure { throw failure }
    }
}

extension GatewayPayment {
    fileprivate func isOf(_ identity: PaymentIdentity) -> Bool {
        PaymentIdentity(self).paymentID.utf8.elementsEqual(identity.paymentID.utf8)
    }
}

extension ListedPage.Element {
    fileprivate var identity: PaymentIdentity {
        switch self {
        case .payment(let payment): PaymentIdentity(payment).storable
        case .event(let event):
            PaymentIdentity(
                gateway: event.gateway, paymentID: event.paymentID, merchantUID: event.merchantPaymentID,
                merchantPaymentID: event.merchantPaymentID
            ).storable
        case .named(let receipt): PaymentIdentity(receipt)
        case .unreadable(let element):
            PaymentIdentity(
                gateway: element.gateway, paymentID: element.paymentID ?? "", merchantUID: element.merchantUID ?? "",
                merchantPaymentID: element.merchantPaymentID
            ).storable
        }
    }

    /// Whether the payment changed in the period; those of which the list tells no more count as changed.
    fileprivate func isTouched(in period: Range<Date>) -> Bool {
        switch self {
        case .payment(let payment): payment.isTouched(in: period)
        case .event(let event): period.contains(event.createdAt)
        case .named, .unreadable: true
        }
    }
}

extension PaymentIdentity {
    /// The same without U+0000, which PostgreSQL can't store, so that one such id does not fail the run.
    fileprivate var storable: PaymentIdentity {
        func storable(_ text: String) -> String { text.replacing("\0", with: "\u{FFFD}") }
        return PaymentIdentity(
            gateway: gateway, paymentID: storable(paymentID), merchantUID: storable(merchantUID),
            merchantPaymentID: merchantPaymentID.map(storable))
    }
}

extension Comparison.GatewaySide {
    /// Whether the gateway has money of the buyer.
    fileprivate var keepsMoney: Bool {
        ["paid", "partially_cancelled", "cancelled"].contains(status) && cancelledAmount < amount
    }
}
