@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

extension SagaWorld {
    func addWork(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        let database = state.database.value
        for row in database.receipts.indices where database.receipts[row].isWaiting {
            take(state, database.receipts[row].due, &moves, "a waiting receipt is taken") { turn in
                let taken = turn.database.receipts[row].take()
                let run = SagaProcess.ReceiptRun(key: taken.key)
                turn.frames = [.retry(taken), .receipt(run, saga(run).first)]
            } stall: {
                $0.receipts[row].due = .later(.any)
            }
        }
        for row in database.events.indices where database.events[row].isWaiting {
            take(state, database.events[row].due, &moves, "an event is taken") { turn in
                turn.database.events[row].due = .leased
                let attempts = min(database.events[row].attempts + 1, ModelDatabase.mostAttempts)
                turn.database.events[row].attempts = attempts
                let event = database.events[row]
                turn.frames = [
                    .event(
                        .init(number: event.number, attempts: attempts, repeats: event.repeats, reason: event.reason)),
                    .review(.askGateway(receipt(database.events[row].payment))),
                ]
            } stall: {
                $0.events[row].due = .later(.any)
            }
        }
        for row in database.refunds.indices {
            let refund = database.refunds[row]
            guard (try? self.refund(refund.id, database))?.status == .pending else { continue }
            // A lease that runs out was longer than sending a request and its cancellation take.
            let canRunOut = !isUnderWay(refund.id, state)
            take(state, refund.due, &moves, "a refund is taken", canRunOut: canRunOut) { turn in
                let attempts = min(refund.attempts + 1, 1)
                turn.database.refunds[row].due = .leased
                turn.database.refunds[row].attempts = attempts
                let key = SagaProcess.PendingRefundKey(
                    askings: refund.askings, mayBeUnderWay: mayBeUnderWay(refund.id, state), id: refund.id,
                    attempts: attempts, reason: refund.reason)
                turn.frames = (try? process(of: key, turn.database).frames) ?? []
            } stall: {
                $0.refunds[row].due = .later(.any)
            }
        }
    }

    /// Whether a request to cancel is about to be sent, or was sent and can still be carried out.
    ///
    /// In production this is true for as long as it can take.
    private func mayBeUnderWay(_ refund: Int64, _ state: SagaState) -> Bool {
        without != .underWayIsNotRepeated && isUnderWay(refund, state)
    }

    private func isUnderWay(_ id: Int64, _ state: SagaState) -> Bool {
        let key = library[state.database.value.books].refunds.first { $0.id == id }?.gatewayKey
        let kinds: [ModelGateway.Late.Kind] = story.areRefusalsLate ? [.unanswered] : [.unanswered, .refused]
        let row = state.database.value.refunds.first { $0.id == id && $0.askings > 0 }
        return state.gateway.value.late.contains { kinds.contains($0.kind) && $0.key == key }
            || row.map { row in state.processes.contains { $0.value.frames.contains { $0.worksOn(row) } } } ?? false
    }

    private func take(
        _ state: SagaState, _ due: ModelDatabase.Due, _ moves: inout [Move<SagaState, Action>], _ what: String,
        canRunOut: Bool = true, _ begin: (inout SagaTurn) -> Void, stall: (inout ModelDatabase) -> Void
    ) {
        var turn = turn(in: state)
        if isDue(due, in: state) {
            begin(&turn)
            turn.isWritten = true
            moves.append(Move(action: .init(what: .text(what)), state: next(turn, state)))
            if state.faultsLeft > 0, story.faults.contains(.unconfirmed) {
                let text = "\(what) (unconfirmed)"
                moves.append(Move(action: .init(what: .text(text)), state: unconfirmed(turn, state), isFault: true))
            }
        } else if due == .leased, canRunOut, state.faultsLeft > 0, story.faults.contains(.stall) {
            stall(&turn.database)
            turn.isFault = true
            moves.append(Move(action: .init(what: .text("a lease ends")), state: next(turn, state), isFault: true))
        }
    }

    private func isDue(_ due: ModelDatabase.Due, in state: SagaState) -> Bool {
        switch due {
        case .now, .later(.any): true
        case .leased: false
        case .later(.credits): !state.processes.contains { $0.value.frames.contains { $0.isCrediting } }
        case .later(.cancellations):
            story.areRefusalsLate || !state.gateway.value.late.contains { $0.kind != .accepted }
        }
    }
}

extension SagaProcess.Frame {
    func worksOn(_ row: ModelDatabase.Receipt) -> Bool {
        switch self {
        case .receipt(let run, _): run.key == row.key
        case .decideReceipt(let taken, _): taken.key == row.key
        case .decideWaiting(let taken, _, _): taken.contains { $0.key == row.key }
        default: false
        }
    }

    func worksOn(_ row: ModelDatabase.Event) -> Bool {
        switch self {
        case .event(let key), .decideEvent(let key, _): key.number == row.number
        default: false
        }
    }

    func worksOn(_ row: ModelDatabase.Refund) -> Bool {
        switch self {
        case .refund(let key, _), .refundWork(let key): key.id == row.id
        case .decideRefund(let id, _): id == row.id
        default: false
        }
    }

    /// Whether it has the gateway's word that a payment is paid, and may be about to credit it.
    fileprivate var isCrediting: Bool {
        // A review hands its answer to the receipt that it credits.
        if case .review(let effect) = self {
            switch effect {
            case .findPurchase, .findOrder, .credit, .decideWaiting: return true
            default: return false
            }
        }
        guard case .receipt(_, let effect) = self else { return false }
        switch effect {
        case .findPurchase, .readBalance, .askGateway, .findCredited, .keepName, .keep: return false
        case .findSales, .storeClaim, .note, .credit, .findFree, .giveFree: return true
        }
    }

    /// The frame in a few words.
    var title: String {
        switch self {
        case .receipt(let run, let effect):
            "receipt \(run.key.payment) of \(run.key.user.rawValue)\(run.answer == nil ? "" : " again"): \(label(effect))"
        case .review(let effect): "review: \(label(effect))"
        case .refund(let key, let effect): "refund, attempt \(key.attempts), \(key.reason): \(label(effect))"
        case .decideReceipt(let taken, let work): "waiting receipt of \(taken.key.user.rawValue): \(work)"
        case .decideEvent(let key, let work): "event \(key.number): \(work)"
        case .decideRefund(_, let work): "refund: \(work)"
        case .answerRefund: "the refund is answered"
        default: label(self)
        }
    }

    private func label(_ value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }
}
