import Foundation

@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

extension SagaWorld {
    func violation(in state: SagaState, isEnd: Bool) -> String? {
        let place = Place(state)
        if !sound.contains(place) {
            if let rule = violation(in: state) { return rule }
            sound.insert(place)
        }
        if isQuiet(state), !isExcused(state) { return disagreement(state) }
        return isEnd && !isQuiet(state) ? "nothing can happen any more, and not all is decided" : nil
    }

    /// The rule that is broken whatever runs; nil: none.
    private func violation(in state: SagaState) -> String? {
        let database = state.database.value
        let books = library[database.books]
        if let rule = creditViolation(books, state) ?? refundViolation(books, state) { return rule }
        if !database.names.isEmpty, books.purchases.isEmpty { return "a further name is kept of no purchase" }
        for answer in state.answers.value where !isTrue(answer, database, books) {
            return "a caller's answer is not true any more: \(answer)"
        }
        return nil
    }

    func isSettled(_ state: SagaState) -> Bool {
        isQuiet(state) && (disagreement(state) == nil || isExcused(state) && !story.sweeps)
    }

    /// Whether the books can't know what the gateway has done: a webhook was lost, and no refusal of a refund showed it.
    private func isExcused(_ state: SagaState) -> Bool {
        state.isDeaf && !library[state.database.value.books].refunds.contains { $0.status == .refused }
    }

    /// Coins are credited once for an order, to its user, and only when the gateway has the money.
    private func creditViolation(_ books: ModelBooks, _ state: SagaState) -> String? {
        if books.purchases.count > 1 { return "the order is credited twice" }
        if story.payments.count == 1, state.database.value.findings.contains(.merchantUIDAlreadyCredited) {
            return "a payment is refused because it is credited"
        }
        guard let purchase = books.purchases.first, !story.isCredited else { return nil }
        let payment = place(of: purchase)
        if state.gateway.value.payments[payment].status != .paid { return "a payment is credited that nobody has paid" }
        return purchase.user == .ann || isUnclaimed(payment, by: .ann, state)
            ? nil : "a payment is credited to a user who is not its buyer"
    }

    /// Whether nobody could know that a payment without an order is the user's: the user had not presented it before the
    /// end of the grace, or the one who got the coins had not presented it before it was paid.
    private func isUnclaimed(_ payment: Int, by user: UserID, _ state: SagaState) -> Bool {
        let end = (state.gateway.value.payments[payment].paidAt ?? .distantPast) + rules.claims.grace / .seconds(1)
        let claims = state.database.value.receipts.filter { $0.key.isOf(payment) && $0.claimedAt < end }
        return !story.hasOrder
            && (!claims.contains { $0.key.user == user } || claims.allSatisfy { $0.key.user == user })
    }

    /// A refund is carried out once, not more than was paid is returned, and the books show no more than the gateway.
    private func refundViolation(_ books: ModelBooks, _ state: SagaState) -> String? {
        let gateway = state.gateway.value
        let payment = gateway.payments[0]
        if payment.cancelled > ModelGateway.amount { return "more is refunded than was paid" }
        let keys = payment.cancellations.compactMap(\.key)
        if Set(keys).count < keys.count { return "a refund is carried out twice" }
        if let purchase = books.purchases.first, place(of: purchase) == 0,
            purchase.refundedAmount > payment.cancelled
        {
            return "the books have taken back more than the gateway has cancelled"
        }
        for refund in books.refunds where refund.status == .refused && !story.areRefusalsLate {
            if keys.contains(refund.gatewayKey) { return "a refund is refused that was carried out" }
            if gateway.late.contains(where: { $0.key == refund.gatewayKey && $0.canSucceed(on: payment) }) {
                return "a refund is refused that can still be carried out"
            }
        }
        return nil
    }

    private func isTrue(_ answer: SagaAnswer, _ database: ModelDatabase, _ books: ModelBooks) -> Bool {
        switch answer {
        case .credited(let key):
            books.purchases.contains { $0.user == key.user && key.isOf(number(of: $0.payment)) }
        case .receiptKept(let key):
            database.receipts.contains { $0.key == key } || books.purchases.contains { $0.user == key.user }
        case .eventStored(let payment, let id): database.events.contains { $0.payment == payment && $0.id == id }
        case .refundBegun(let id): books.refunds.contains { $0.id == id }
        case .refundCompleted(let id): books.refunds.contains { $0.id == id && $0.status == .completed }
        // A refused refund can be completed later (docs/decisions/0082).
        case .refundRefused(let id): books.refunds.contains { $0.id == id && $0.status != .pending }
        }
    }

    /// The place of a purchase's payment at the gateway.
    private func place(of purchase: Purchase) -> Int { ModelGateway.place(of: number(of: purchase.payment)) }

    // MARK: - At rest

    /// Whether nothing is under way: what waits, waits for the buyer.
    private func isQuiet(_ state: SagaState) -> Bool {
        let database = state.database.value
        let gateway = state.gateway.value
        return state.processes.isEmpty && state.replica == nil && gateway.messages.isEmpty && gateway.late.isEmpty
            && !database.events.contains(where: \.isWaiting)
            && !library[database.books].refunds.contains { $0.status == .pending }
            && !database.receipts.contains {
                $0.isWaiting && (gateway.answer($0.key.payment).status != .ready || hasPurchase(database))
            }
    }

    private func hasPurchase(_ database: ModelDatabase) -> Bool { !library[database.books].purchases.isEmpty }

    /// How the books differ from the gateway without a finding; nil: they do not.
    private func disagreement(_ state: SagaState) -> String? {
        let database = state.database.value
        let books = library[database.books]
        if let purchase = books.purchases.first {
            let answer = state.gateway.value.answer(number(of: purchase.payment))
            if answer.cancelledInAll != purchase.refundedAmount {
                return "at rest, the gateway has cancelled \(answer.cancelledInAll) and the books have "
                    + "\(purchase.refundedAmount)"
            }
            if books.balance(of: purchase.user).held != 0 { return "at rest, coins are held for no refund" }
            let keys = state.gateway.value.payments[0].cancellations.compactMap(\.key)
            // A refund that is carried out too late can be clawed back instead (docs/decisions/0082).
            for refund in books.refunds
            where !story.areRefusalsLate && (refund.status == .completed) != keys.contains(refund.gatewayKey) {
                return "at rest, a refund is \(refund.status), and the gateway has decided otherwise"
            }
        }
        for place in state.gateway.value.payments.indices {
            if let rule = disagreement(on: place, state) { return rule }
        }
        return nil
    }

    private func disagreement(on place: Int, _ state: SagaState) -> String? {
        let database = state.database.value
        let payment = state.gateway.value.payments[place]
        guard payment.status == .paid, payment.balance > 0,
            !library[database.books].purchases.contains(where: { self.place(of: $0) == place })
        else { return nil }
        if story.hasOrder, story.payments.count == 1, payment.cancelled == 0 {
            return "at rest, the payment of an order is not credited"
        }
        let claims = database.receipts.map(\.key).filter { $0.isOf(place) }
        let kept = state.answers.value.contains { answer in claims.contains { answer == .receiptKept($0) } }
        if Set(claims.map(\.user)).count == 1, kept, payment.cancelled == 0, library[database.books].purchases.isEmpty {
            return "at rest, a payment is not credited to the only user who presented it"
        }
        return database.findings.isEmpty ? "at rest, a payment is neither credited nor a finding" : nil
    }
}
