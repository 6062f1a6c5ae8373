import Foundation
import Testing

@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

/// A state while a process takes its turn.
struct SagaTurn {
    var database: ModelDatabase
    var gateway: ModelGateway
    var frames: [SagaProcess.Frame]
    /// Processes that begin.
    var begun: [SagaProcess] = []
    var answers: Set<SagaAnswer>
    /// Whether a transaction with changes was committed.
    var isWritten = false
    /// Whether the turn is a fault.
    var isFault = false
    let now: Date

    /// The number of the next event.
    let nextEvent: UInt8
    /// What is special about the turn, for people.
    var remark = ""
}

extension SagaWorld {
    /// The possible turns of a process: one, or more if the gateway can do different things.
    func turns(_ turn: SagaTurn) throws -> [SagaTurn] {
        guard let frame = turn.frames.last else { return [] }
        switch frame {
        case .receipt(let run, let effect):
            return try performs(effect, of: run, turn).map { turn, event in
                var turn = turn
                try step(&turn, run, effect, event)
                return turn
            }
        case .review(let effect):
            return try performs(effect, turn).map { turn, event in
                var turn = turn
                if let event { try step(&turn, effect, event) } else { try resume(&turn) }
                return turn
            }
        case .refund(let key, let effect):
            return try performs(effect, of: key, turn).map { turn, event in
                var turn = turn
                try step(&turn, key, effect, event)
                return turn
            }
        default: return [try turnOfFrame(frame, turn)]
        }
    }

    private func turnOfFrame(_ frame: SagaProcess.Frame, _ before: SagaTurn) throws -> SagaTurn {
        var turn = before
        turn.frames.removeLast()
        switch frame {
        case .decideReceipt(let taken, let work):
            turn.isWritten = true
            turn.database.decideReceipt(taken, work, fences: without != .theLastTakerDecides)
        case .decideEvent(let key, let work):
            turn.isWritten = true
            turn.database.decideEvent(key, work, heedsNews: without != .newsKeepsEventsOpen)
        case .decideRefund(let id, let work):
            turn.isWritten = true
            if try refund(id, turn.database).status == .pending { turn.database.postponeRefund(id, work) }
        case .beginRefund(let number): try begin(number, &turn)
        case .answerRefund(let id):
            let status = try refund(id, turn.database).status
            turn.isWritten = status != .pending && without != .readsAreConfirmed
            turn.answers.insert(
                status == .pending ? .refundBegun(id) : status == .completed ? .refundCompleted(id) : .refundRefused(id)
            )
        default: throw LedgerError.unexpected("\(frame) takes no turn")
        }
        try resume(&turn)
        return turn
    }

    private func begin(_ number: Int, _ turn: inout SagaTurn) throws {
        guard let purchase = library[turn.database.books].purchases.first,
            let key = CallerKey("refund-\(number)", of: .ann)
        else { return }
        let act = BeginRefund(
            idempotencyKey: key, user: purchase.user, purchaseID: purchase.id, coins: Coins(story.refunds[number]),
            explanation: "changed her mind")
        guard case .done(let begun) = try perform(act, as: "begin \(number)", &turn).outcome else { return }
        turn.database.refunds.append(ModelDatabase.Refund(id: begun.refund.id))
        let pending = SagaProcess.PendingRefundKey(id: begun.refund.id, attempts: 0, reason: "begun")
        turn.begun.append(try process(of: pending, turn.database))
        turn.frames.append(.answerRefund(begun.refund.id))
    }

    /// A worker that attempts a refund.
    func process(of key: SagaProcess.PendingRefundKey, _ database: ModelDatabase) throws -> SagaProcess {
        SagaProcess(frames: [.refundWork(key), .refund(key, try saga(key, database).first)])
    }

    // MARK: - After an effect

    /// The result of an attempt, without the guard that is removed.
    private func altered(_ work: ModelWork) -> ModelWork {
        guard case .postponed(_, let reason) = work else { return work }
        switch (without, reason?.split(separator: " ").first) {
        case (.cancelledIsLookedAtAgain, "cancelled_look_again"): return .decided("nothing_credited")
        case (.acceptedIsNotRepeated, "cancellation_pending"): return .postponed(.any, "gateway_unavailable")
        case (.firstRefusalIsLookedAtAgain, "cancellation_refused"):
            return .postponed(.any, reason)
        default: return work
        }
    }

    private func step(
        _ turn: inout SagaTurn, _ run: SagaProcess.ReceiptRun, _ effect: ReceiptSaga.Effect, _ event: ReceiptSaga.Event
    ) throws {
        turn.frames.removeLast()
        switch try saga(run).step(after: effect, event, at: turn.now) {
        case .perform(let next): turn.frames.append(.receipt(run, next))
        case .end(let outcome): try resume(&turn, after: outcome, of: run.key)
        }
    }

    private func step(_ turn: inout SagaTurn, _ effect: ReviewSaga.Effect, _ event: ReviewSaga.Event) throws {
        turn.frames.removeLast()
        if without == .reviewsBeginAgain, case .expedited(false) = event {
            return try resume(&turn, after: .clawedBack)
        }
        let saga = ReviewSaga(policy: rules.policy, usedBonus: .charge, first: effect)
        switch try saga.step(after: effect, event, at: turn.now) {
        case .perform(let next): turn.frames.append(.review(next))
        case .end(let review): try resume(&turn, after: review)
        }
    }

    private func step(
        _ turn: inout SagaTurn, _ key: SagaProcess.PendingRefundKey, _ effect: RefundSaga.Effect,
        _ event: RefundSaga.Event
    ) throws {
        turn.frames.removeLast()
        switch try saga(key, turn.database).step(after: effect, event, at: turn.now) {
        case .perform(let next): turn.frames.append(.refund(key, next))
        case .end(let progress):
            turn.frames.removeLast()
            let work = altered(ModelWork(try pending(key, turn.database).outcome(of: progress)))
            if work != .recorded { turn.frames.append(.decideRefund(key.id, work)) }
        }
    }

    private func resume(
        _ turn: inout SagaTurn, after outcome: ReceiptSaga.Outcome, of key: ModelDatabase.Receipt.Key
    ) throws {
        switch turn.frames.removeLast() {
        case .client:
            switch outcome {
            case .credited: turn.answers.insert(.credited(key))
            case .waiting: turn.answers.insert(.receiptKept(key))
            case .refused: break
            case .given: throw LedgerError.unexpected("no payment of this world is of a store")
            }
        case .retry(let taken):
            let waiting = WaitingReceipt(
                id: 1, user: key.user, payment: .model(key.payment), attempts: 1, createdAt: turn.now)
            turn.frames.append(.decideReceipt(taken, ModelWork(waiting.outcome(of: outcome, at: turn.now))))
        case .review(let effect):
            turn.frames.append(.review(effect))
            try step(&turn, effect, .receipt(outcome))
        default: throw LedgerError.unexpected("nothing waits for a receipt")
        }
    }

    private func resume(_ turn: inout SagaTurn, after review: ReviewSaga.Review) throws {
        guard case .event(let key) = turn.frames.removeLast() else { return }  // the sweep
        let record = WebhookRecord(
            id: 1, gateway: "portone-v1", type: "", paymentID: nil, merchantUID: nil, merchantPaymentID: nil,
            attempts: key.attempts, receivedAt: turn.now, repeats: key.repeats,
            reason: key.reason)
        turn.frames.append(.decideEvent(key, altered(ModelWork(record.outcome(of: review, at: turn.now)))))
    }

    /// Continues with the next waiting receipt of a payment, if the process is deciding them.
    private func resume(_ turn: inout SagaTurn) throws {
        guard case .decideWaiting(let taken, let payment, let any) = turn.frames.last else { return }
        turn.frames.removeLast()
        guard let next = taken.first else {
            guard case .review(let effect) = turn.frames.last else { return }
            return try step(&turn, effect, .waitingDecided(any))
        }
        let run = SagaProcess.ReceiptRun(key: next.key, answer: payment)
        turn.frames.append(.decideWaiting(Array(taken.dropFirst()), payment, any: any))
        turn.frames.append(.retry(next))
        turn.frames.append(.receipt(run, saga(run).first))
    }
}

extension ModelDatabase {
    /// - Parameter fences: whether only the worker decides or postpones that took the receipt last.
    fileprivate mutating func decideReceipt(_ taken: Taken, _ work: ModelWork, fences: Bool) {
        guard let row = receipts.firstIndex(where: { $0.key == taken.key && $0.isWaiting }) else { return }
        if fences, receipts[row].takes != taken.takes { return }
        switch work {
        case .recorded: break
        case .decided(let reason): (receipts[row].isWaiting, receipts[row].reason) = (false, reason)
        case .postponed(let delay, let reason):
            if receipts[row].due.postpone(delay) { receipts[row].reason = reason ?? receipts[row].reason }
        }
    }

    /// - Parameter heedsNews: whether an event stays open when news of it came meanwhile.
    fileprivate mutating func decideEvent(_ key: SagaProcess.EventKey, _ work: ModelWork, heedsNews: Bool) {
        guard let row = events.firstIndex(where: { $0.number == key.number && $0.isWaiting }) else { return }
        let isNews = events[row].due == .now || events[row].repeats != key.repeats
        switch work {
        case .recorded: break
        case .decided: if !isNews || !heedsNews { events[row].isWaiting = false }
        case .postponed(let delay, let reason):
            if events[row].due.postpone(delay) { events[row].reason = reason ?? events[row].reason }
        }
    }

    fileprivate mutating func postponeRefund(_ id: Int64, _ work: ModelWork) {
        guard case .postponed(let delay, let reason) = work else { return }
        for row in refunds.indices where refunds[row].id == id {
            if refunds[row].due.postpone(delay) { refunds[row].reason = reason ?? refunds[row].reason }
        }
    }
}
