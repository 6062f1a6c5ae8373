import Foundation
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

/// What the drivers do in production: the effects, on the models.
extension SagaWorld {
    func performs(
        _ effect: ReceiptSaga.Effect, of run: SagaProcess.ReceiptRun, _ before: SagaTurn
    ) throws -> [(SagaTurn, ReceiptSaga.Event)] {
        var turn = before
        switch effect {
        case .findPurchase:
            let isFurtherName = turn.database.names.contains(run.key.payment)
            let purchase = find(&turn) { isFurtherName || number(of: $0.payment) == run.key.payment }
            return [(turn, .purchase(purchase))]
        case .findCredited(let payment, _):
            let isKnown = without != .otherNamesAreKnown
            let purchase = find(&turn) { isKnown && $0.payment.merchantUID == payment.merchantUID }
            return [(turn, .purchase(purchase))]
        case .readBalance: return [(turn, .balance(library[turn.database.books].balance(of: run.key.user)))]
        case .askGateway:
            return asks(turn).map { turn, isAnswered in
                (turn, isAnswered ? .payment(answer(run.key.payment, turn)) : .gatewayFailed(.silent))
            }
        case .findSales:
            let rows = turn.database.receipts.filter { $0.key.isOf(run.key.payment) }
            let claims = rows.map { Claim(user: $0.key.user, claimedAt: $0.claimedAt) }
            return [
                (
                    turn,
                    .sales(
                        story.hasOrder ? .order(order(turn)) : .products([.hundredCoins]),
                        without == .claims ? [] : claims.sorted { $0.claimedAt < $1.claimedAt })
                )
            ]
        case .keepName:
            turn.isWritten = true
            turn.database.names.insert(run.key.payment)
            turn.database.findings = []
            return [(turn, .stored)]
        case .storeClaim:
            turn.isWritten = true
            turn.database.claim(run.key, at: turn.now)
            return [(turn, .stored)]
        case .note(let kind, _, _):
            turn.isWritten = true
            turn.database.findings.insert(kind)
            return [(turn, .stored)]
        case .credit(let act, _):
            let blindness: ModelBooks.Blindness = without == .onePurchasePerPayment ? .purchases : .none
            let answer = try perform(act, as: act, &turn, blindTo: blindness)
            return [(turn, .credited(answer))]
        case .findFree, .giveFree: throw LedgerError.unexpected("no payment of this world is of a store")
        case .keep(let reason):
            guard without != .receiptsAreKept else { return [(turn, .kept(true))] }
            turn.isWritten = true
            turn.database.keep(run.key, because: reason.rawValue, at: turn.now)
            return [(turn, .kept(true))]
        }
    }

    /// - Returns: no event if other sagas run first.
    func performs(
        _ effect: ReviewSaga.Effect, _ before: SagaTurn
    ) throws -> [(SagaTurn, ReviewSaga.Event?)] {
        var turn = before
        switch effect {
        case .askGateway(let receipt):
            let payment = number(of: receipt)
            return asks(turn).map { turn, isAnswered in
                (turn, isAnswered ? .payment(answer(payment, turn)) : .gatewayFailed(.silent))
            }
        case .findPurchase(let payment):
            let purchase = find(&turn) { $0.isOf(PaymentSighting(payment)) }
            if let purchase, number(of: purchase.payment) != number(of: payment) {
                turn.database.names.insert(number(of: payment))
            }
            return [(turn, .purchase(purchase))]
        case .listRefunds: return [(turn, .refunds(library[turn.database.books].refunds))]
        case .completeRefund(let act, _, _, _, _):
            let answer = try perform(act, as: act, &turn)
            return [(turn, .refundDecided(answer))]
        case .clawBack(let act, _, _):
            let blindness: ModelBooks.Blindness =
                switch without {
                case .clawBackLeavesPendingRefund: .pendingRefunds
                case .clawBackComparesTotals: .refundedAmounts
                default: .none
                }
            let answer = try perform(act, as: act, &turn, blindTo: blindness)
            return [(turn, .clawedBack(answer))]
        case .recordDispute: throw LedgerError.unexpected("no payment of this world is disputed")
        case .findClawBack, .askAgain, .reverseClawBack, .confirm, .findSettled, .findFree, .changeFree, .askAboutFree:
            throw LedgerError.unexpected("no payment of this world is of a store")
        case .expedite:
            guard let pending = library[turn.database.books].refunds.first(where: { $0.status == .pending }) else {
                return [(turn, .expedited(false))]
            }
            turn.isWritten = true
            turn.database.expedite(pending.id)
            return [(turn, .expedited(true))]
        case .findOrder: return [(turn, .order(story.hasOrder ? order(turn) : nil))]
        case .credit(let payment, _, let user):
            let key = ModelDatabase.Receipt.Key(user: user, payment: number(of: payment))
            let run = SagaProcess.ReceiptRun(key: key, answer: payment)
            turn.frames.append(.receipt(run, saga(run).first))
            return [(turn, nil)]
        case .decideWaiting(let payment, _):
            let rows = turn.database.take(of: number(of: payment))
            let isExpedited = turn.database.expedite(ofOtherNamesOf: number(of: payment))
            turn.isWritten = !rows.isEmpty || isExpedited
            turn.frames.append(.decideWaiting(rows, payment, any: turn.isWritten))
            return [(turn, nil)]
        case .takeUpAgain(let payment):
            guard without != .refusedReceiptsAreTakenUpAgain else { return [(turn, .takenUpAgain(false))] }
            turn.isWritten = turn.database.takeUpAgain(number(of: payment))
            return [(turn, .takenUpAgain(turn.isWritten))]
        case .note(let kind, _, _, _):
            turn.isWritten = true
            turn.database.findings.insert(kind)
            return [(turn, .stored)]
        case .endFinding: throw LedgerError.unexpected("no payment of this world goes back by bank transfer")
        case .resolveFinding:
            turn.isWritten = true
            turn.database.findings = []
            return [(turn, .stored)]
        }
    }

    func performs(
        _ effect: RefundSaga.Effect, of key: SagaProcess.PendingRefundKey, _ before: SagaTurn
    ) throws -> [(SagaTurn, RefundSaga.Event)] {
        var turn = before
        let refund = try refund(key.id, turn.database)
        switch effect {
        case .lookUp:
            if without == .lookUpBeforeRepeat { return [(turn, .outcome(nil))] }
            let request = try request(refund)
            return asks(turn).map { turn, isAnswered in
                let silence = RefundSaga.Event.gatewayFailed(mayHaveBeenCarriedOut: true)
                return (turn, isAnswered ? .outcome(request.outcome(in: turn.gateway.answer(0))) : silence)
            }
        case .findTaxFree: throw LedgerError.unexpected("the model's payments are taxable")
        case .beginAsking:
            let asking = turn.database.beginAsking(key.id, after: key.askings, comparing: without != .oneAsks)
            turn.isWritten = asking != nil
            return [(turn, .asking(asking.map { PendingRefund.Asking(at: Date(asking: $0)) }))]
        case .cancel: return cancels(try request(refund), turn)
        case .withdraw(let time):
            turn.isWritten = true
            turn.database.withdraw(key.id, time.asking)
            return [(turn, .stored)]
        case .complete(let cancellation):
            let act = CompleteRefund(
                user: refund.user, refundID: refund.id, cancellationID: cancellation.id,
                cancelledAt: cancellation.cancelledAt)
            let decision = try decision(try perform(act, as: act, &turn))
            return [(turn, .decided(decision))]
        case .reviewPayment(let cause):
            let draft = WebhookRecordDraft(.model(0), because: cause, of: refund)
            if without != .paymentIsReviewedAfterRefusal, let id = draft.eventID {
                turn.isWritten = turn.database.storeSigned(0, id: id, as: turn.nextEvent)
            }
            return [(turn, .stored)]
        case .release(let refusal):
            let act = ReleaseRefund(user: refund.user, refundID: refund.id, refusal: refusal)
            let key = "release \(refund.id) \(refusal.reason)"
            let decision = try decision(try perform(act, as: key, &turn))
            return [(turn, .decided(decision))]
        }
    }

    // MARK: - The books

    /// Performs an act, and commits even if it is a repeat, so that it is confirmed.
    func perform<A: Act>(
        _ act: A, as key: AnyHashable, _ turn: inout SagaTurn, blindTo blindness: ModelBooks.Blindness = .none
    ) throws -> Answer<A.Success> {
        let result = try library.perform(act, as: key, on: turn.database.books, at: turn.now, blindTo: blindness)
        turn.database.books = result.books
        turn.isWritten = true
        return result.answer
    }

    /// The purchase of a payment, confirmed by a mark, as `Purchases.find(of:)` does.
    private func find(_ turn: inout SagaTurn, where isSought: (Purchase) -> Bool) -> Purchase? {
        let purchase = library[turn.database.books].purchases.first(where: isSought)
        turn.isWritten = purchase != nil && without != .readsAreConfirmed
        return purchase
    }

    func refund(_ id: Int64, _ database: ModelDatabase) throws -> Refund {
        try #require(library[database.books].refunds.first { $0.id == id })
    }

    func pending(_ key: SagaProcess.PendingRefundKey, _ database: ModelDatabase) throws -> PendingRefund {
        PendingRefund(
            refund: try refund(key.id, database), account: nil, attempts: key.attempts, reason: key.reason,
            askedAt: key.askings == 0 ? nil : Date(asking: key.askings), mayBeUnderWay: key.mayBeUnderWay)
    }

    /// The saga of a refund at V1, which has no keys.
    func saga(_ key: SagaProcess.PendingRefundKey, _ database: ModelDatabase) throws -> RefundSaga {
        RefundSaga(pending: try pending(key, database), cancelsOncePerKey: false)
    }

    private func decision(_ answer: Answer<RefundDecided>) throws -> PendingRefund.Decision {
        guard case .done(let decided) = answer.outcome else { throw LedgerError.unexpected("not decided") }
        return try #require(PendingRefund.Decision(rawValue: decided.refund.status.rawValue))
    }

    private func order(_ turn: SagaTurn) -> Order {
        let purchase = library[turn.database.books].purchases.first
        return Order(
            id: 1, merchantUID: "order-1", user: .ann, gateway: "portone-v1", product: "coins_100",
            price: .won(.thousandWon), coins: .hundred, bonusCoins: nil, createdAt: ModelBooks.now,
            expiresAt: ModelBooks.now + 86400,
            payment: purchase.map {
                Order.Payment(purchaseID: $0.id, gateway: $0.payment.gateway, paymentID: $0.payment.paymentID)
            })
    }

    func saga(_ run: SagaProcess.ReceiptRun) -> ReceiptSaga {
        ReceiptSaga(
            receipt: receipt(run.key.payment), user: run.key.user, rules: rules, keepsWaiting: run.keepsWaiting,
            answer: run.answer)
    }

    func receipt(_ payment: Int) -> Receipt { sure(PaymentIdentity.model(payment).receipt) }

    func number(of payment: GatewayPayment) -> Int { number(of: PaymentIdentity(payment)) }

    func number(of payment: PaymentIdentity) -> Int { sure(Int(payment.paymentID.dropFirst("imp_".count))) }

    private func number(of receipt: Receipt) -> Int {
        sure((story.payments.indices + [ModelGateway.twin]).first { self.receipt($0) == receipt })
    }
}

/// The time of asking stands for the number of the request.
extension Date {
    fileprivate init(asking: Int64) { self.init(timeIntervalSince1970: Double(asking)) }
    fileprivate var asking: Int64 { Int64(timeIntervalSince1970) }
}

extension Product {
    fileprivate static let hundredCoins = Product(
        code: "coins_100", title: "100 coins", price: .thousandWon, coins: .hundred, bonusCoins: nil,
        activeFrom: ModelBooks.now - 86400, activeUntil: nil)
}

extension Coins {
    static let hundred = sure(Coins(100))
}

extension Price {
    static let thousandWon = sure(Price(won: ModelGateway.amount))
}
