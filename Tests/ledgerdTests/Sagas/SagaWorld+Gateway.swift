import Foundation
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

extension SagaWorld {
    func addGateway(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        let gateway = state.gateway.value
        for place in story.changes.indices where state.changesLeft & 1 << UInt8(place) != 0 {
            let (payment, change) = story.changes[place]
            var turn = turn(in: state)
            guard turn.gateway.apply(change, to: payment, at: turn.now) else { continue }
            // V1 tells nobody of a failure.
            if change != .fail { turn.gateway.tell(of: payment, id: place) }
            var next = next(turn, state)
            next.changesLeft &= ~(1 << UInt8(place))
            moves.append(Move(action: .init(what: .text("gateway: \(change) \(payment)")), state: next))
        }
        for place in gateway.late.indices { addLate(place, in: state, to: &moves) }
        for place in gateway.messages.indices { addDelivery(place, in: state, to: &moves) }
        if story.sweeps, state.isDeaf, state.processes.isEmpty, gateway.messages.isEmpty {
            for payment in gateway.names {
                let turn = turn(in: state, [.sweep, .review(.findPurchase(gateway.answer(payment)))])
                moves.append(Move(action: .init(what: .text("sweep")), state: next(turn, state)))
            }
        }
    }

    private func addLate(_ place: Int, in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        var turn = turn(in: state)
        let late = turn.gateway.late.remove(at: place)
        // Nobody may count on a cancellation that was not promised.
        if late.kind != .accepted {
            moves.append(Move(action: .init(what: .text("gateway: not cancelled")), state: next(turn, state)))
        }
        let believed = late.kind == .unanswered ? late.believedBalance : nil
        let isDone = turn.gateway.cancel(late.payment, late.amount, under: late.key, if: believed)
        if isDone { turn.gateway.tell(of: late.payment, id: 100) }
        if isDone || late.kind == .accepted {
            moves.append(Move(action: .init(what: .text("gateway: cancelled at last")), state: next(turn, state)))
        }
    }

    private func addDelivery(_ place: Int, in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        var turn = turn(in: state)
        let message = turn.gateway.messages.remove(at: place)
        let id = story.isSigned ? message.id.map { "event-\($0)" } : nil
        if without == .webhooksAreStored {
            turn.isWritten = false
        } else if let id {
            turn.isWritten = turn.database.storeSigned(message.payment, id: id, as: turn.nextEvent)
        } else {
            turn.database.storeUnsigned(message.payment, as: turn.nextEvent)
            turn.isWritten = true
        }
        // A known event is confirmed by a mark, as `WebhookRecords.store` does.
        turn.isWritten = turn.isWritten || id != nil && without != .readsAreConfirmed && without != .webhooksAreStored
        turn.answers.insert(.eventStored(payment: message.payment, id: id))
        moves.append(Move(action: .init(what: .text("a webhook comes")), state: next(turn, state)))
        guard state.faultsLeft > 0 else { return }
        var again = turn
        again.gateway.messages.append(message)
        if turn.isWritten, story.faults.contains(.unconfirmed) {
            // V2 sends an event again that got no success; V1 does not.
            let failed = unconfirmed(story.isSigned ? again : turn, state)
            var next = failed
            next.isDeaf = next.isDeaf || !story.isSigned
            moves.append(Move(action: .init(what: .text("a webhook comes (unconfirmed)")), state: next, isFault: true))
        }
        if story.faults.contains(.duplicate) {
            again.isFault = true
            moves.append(
                Move(
                    action: .init(what: .text("a webhook comes, and will again")), state: next(again, state),
                    isFault: true))
        }
        if story.faults.contains(.loss) {
            var lost = self.turn(in: state)
            lost.gateway.messages.remove(at: place)
            lost.isFault = true
            var next = next(lost, state)
            next.isDeaf = true
            moves.append(Move(action: .init(what: .text("a webhook is lost")), state: next, isFault: true))
        }
    }

    /// A call that can get no response.
    func asks(_ turn: SagaTurn) -> [(SagaTurn, isAnswered: Bool)] {
        guard story.faults.contains(.timeout) else { return [(turn, true)] }
        var silent = turn
        silent.isFault = true
        silent.remark = " (no response)"
        return [(turn, true), (silent, false)]
    }

    func answer(_ payment: Int, _ turn: SagaTurn) -> GatewayPayment {
        var answer = turn.gateway.answer(payment)
        if without == .onlyTheGatewaySaysPaid, answer.status == .ready { answer.status = .paid }
        return answer
    }

    func request(_ refund: Refund) throws -> CancellationRequest {
        try #require(try CancellationRequest(refund, of: .model(0), to: nil))
    }

    func cancels(_ request: CancellationRequest, _ before: SagaTurn) -> [(SagaTurn, RefundSaga.Event)] {
        let believed = request.believedBalance
        var done = before
        let isDone = done.gateway.cancel(0, request.amount, under: request.key.text, if: believed)
        let payment = done.gateway.answer(0)
        let refusal = request.refusal(by: payment, GatewayError(.refused, isDefinite: true, message: "refused"))
        // The verifier reads the payment after a refusal (`PortOneV1.cancel`).
        let outcome = request.outcome(in: payment, isAnswer: isDone) ?? .refused(refusal)
        var results: [(SagaTurn, RefundSaga.Event)] = [(done, .outcome(outcome))]
        func fault(
            _ fault: Story.Fault, _ what: String, _ event: RefundSaga.Event, later kind: ModelGateway.Late.Kind?,
            sends: Bool = true
        ) {
            guard story.faults.contains(fault) else { return }
            var turn = kind == nil && fault == .timeout ? done : before
            turn.isFault = true
            turn.remark = " (\(what))"
            if let kind, sends {
                turn.gateway.late.append(
                    ModelGateway.Late(
                        kind: kind, payment: 0, key: request.key.text, amount: request.amount,
                        believedBalance: believed))
            }
            results.append((turn, event))
        }
        fault(.timeout, "done, no response", .gatewayFailed(mayHaveBeenCarriedOut: true), later: nil)
        fault(.timeout, "no response", .gatewayFailed(mayHaveBeenCarriedOut: true), later: .unanswered)
        fault(.timeout, "not reached", .gatewayFailed(mayHaveBeenCarriedOut: false), later: .unanswered, sends: false)
        guard isDone else { return results }
        let byCompany = RefundSaga.Event.outcome(
            .refused(CancellationRefusal(.refusedByGateway, message: "the payment company refused")))
        if before.gateway.late.contains(where: { $0.kind == .unanswered }) {
            var busy = before
            busy.remark = " (refused, because one is under way)"
            results.append((busy, byCompany))
        }
        fault(.acceptance, "accepted", .outcome(.pending(nil)), later: .accepted)
        fault(.refusal, "refused", byCompany, later: nil)
        fault(.refusal, "refused, and carried out later", byCompany, later: .refused)
        return results
    }
}

extension ModelGateway {
    fileprivate mutating func apply(_ change: Story.Change, to payment: Int, at now: Date) -> Bool {
        switch change {
        case .pay where payments[payment].status != .paid:
            payments[payment].status = .paid
            payments[payment].paidAt = now
            return true
        case .fail where payments[payment].status == .ready:
            payments[payment].status = .failed
            return true
        case .cancel(let amount): return cancel(payment, amount, under: nil, if: nil)
        case .pay, .fail: return false
        }
    }
}

extension GatewayError {
    static let silent = GatewayError(.timeout, message: "no response")
}
