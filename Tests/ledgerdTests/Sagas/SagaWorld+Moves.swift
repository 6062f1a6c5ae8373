import Foundation

@testable import Ledger
@testable import PGVerifier
@testable import ledgerd

/// The sagas of one order's payments, with everything that can happen around them.
final class SagaWorld: Walkable {
    let story: Story
    /// The guard that is removed.
    let without: Guard?
    let rules: ReceiptRules
    let library = ModelLibrary()
    let start: SagaState

    private let databases = UniqueValues<ModelDatabase>()
    private let gateways = UniqueValues<ModelGateway>()
    private let processes = UniqueValues<SagaProcess>()
    private let answers = UniqueValues<Set<SagaAnswer>>()

    /// What happens in one step, for people.
    struct Action: CustomStringConvertible {
        enum What { case text(String), turn(SagaProcess.Frame?, String) }
        let what: What

        var description: String {
            switch what {
            case .text(let text): text
            case .turn(let frame, let remark): (frame?.title ?? "end") + remark
            }
        }
    }

    init(_ story: Story, without guardian: Guard? = nil) throws {
        self.story = story
        without = guardian
        rules = ReceiptRules(policy: VerdictPolicy(), requireOrders: story.hasOrder)
        let paid = story.payments.indices.filter { story.payments[$0] == .paid }
        var gateway = ModelGateway(
            payments: story.payments.map {
                ModelGateway.Payment(status: $0, paidAt: $0 == .paid ? ModelBooks.now : nil)
            }, isInBoth: story.isInBoth)
        if !story.isCredited { for payment in paid { gateway.tell(of: payment, id: 50 + payment) } }
        var database = ModelDatabase()
        if story.isCredited {
            let act = CreditPurchase(
                user: .ann, payment: .model(0), product: "coins_100", price: .thousandWon, coins: .hundred,
                bonusCoins: nil, paidAt: ModelBooks.now)
            database.books = try library.perform(act, as: act, on: 0, at: ModelBooks.now).books
        }
        func bits(_ count: Int) -> UInt8 { UInt8(1 << count - 1) }
        start = SagaState(
            database: databases(database), gateway: gateways(gateway), processes: [], answers: answers([]),
            presentationsLeft: bits(story.presentations.count), refundsLeft: bits(story.refunds.count),
            changesLeft: bits(story.changes.count), faultsLeft: UInt8(story.mostFaults))
    }

    func moves(from state: SagaState) -> [Move<SagaState, Action>] {
        var moves: [Move<SagaState, Action>] = []
        for place in state.processes.indices where place == 0 || state.processes[place - 1] != state.processes[place] {
            addTurns(of: place, in: state, to: &moves)
        }
        addBeginnings(in: state, to: &moves)
        addWork(in: state, to: &moves)
        addGateway(in: state, to: &moves)
        addDatabase(in: state, to: &moves)
        return moves
    }

    // MARK: - Processes

    private func addTurns(of place: Int, in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        let process = state.processes[place].value
        let canFail = state.faultsLeft > 0
        do {
            for turn in try turns(turn(in: state, process.frames)) where canFail || !turn.isFault {
                let action = Action(what: .turn(process.frames.last, turn.remark))
                moves.append(
                    Move(action: action, state: next(turn, state, replacing: place), isFault: turn.isFault))
                if turn.isWritten, !turn.isFault, canFail, story.faults.contains(.unconfirmed) {
                    let action = Action(what: .turn(process.frames.last, " (unconfirmed)"))
                    moves.append(
                        Move(action: action, state: unconfirmed(turn, state, replacing: place), isFault: true))
                }
            }
        } catch {
            moves.append(Move(action: Action(what: .text("\(error)")), state: state, isFault: true))
        }
        if canFail, story.faults.contains(.crash) {
            var next = state
            next.faultsLeft -= 1
            next.processes.remove(at: place)
            freeLeases(&next)
            moves.append(Move(action: .init(what: .turn(process.frames.last, ": crash")), state: next, isFault: true))
        }
    }

    private func turn(in state: SagaState, _ frames: [SagaProcess.Frame] = []) -> SagaTurn {
        SagaTurn(
            database: state.database.value, gateway: state.gateway.value, frames: frames,
            answers: state.answers.value, now: now(state), nextEvent: state.eventsMade)
    }

    private func now(_ state: SagaState) -> Date {
        state.isLate ? ModelBooks.now + rules.claims.grace / .seconds(1) + 1 : ModelBooks.now
    }

    /// The state after a turn; a commit is confirmed, and so are all commits before it.
    private func next(_ turn: SagaTurn, _ state: SagaState, replacing place: Int? = nil) -> SagaState {
        var next = state
        next.database = databases(turn.database)
        next.gateway = gateways(turn.gateway)
        next.answers = answers(turn.answers)
        next.eventsMade += UInt8(max(0, turn.database.events.count - state.database.value.events.count))
        if turn.isWritten { next.replica = nil }
        if turn.isFault { next.faultsLeft -= 1 }
        if let place { next.processes.remove(at: place) }
        let begun = turn.begun + (turn.frames.isEmpty ? [] : [SagaProcess(frames: turn.frames)])
        next.processes = (next.processes + begun.map { processes($0) }).sorted { $0.number < $1.number }
        freeLeases(&next)
        return next
    }

    /// The state after a turn whose commit is not replicated: its process gets an error.
    private func unconfirmed(_ turn: SagaTurn, _ state: SagaState, replacing place: Int? = nil) -> SagaState {
        var failed = turn
        if without != .unknownCommitsAreErrors {
            (failed.frames, failed.begun, failed.answers) = ([], [], state.answers.value)
        }
        failed.isWritten = false
        failed.isFault = true
        var next = next(failed, state, replacing: place)
        next.replica = state.replica ?? state.database
        return next
    }

    /// The leases of processes that have ended, end too.
    private func freeLeases(_ state: inout SagaState) {
        var database = state.database.value
        let frames = state.processes.flatMap(\.value.frames)
        for row in database.receipts.indices where database.receipts[row].due == .leased {
            if !frames.contains(where: { $0.worksOn(database.receipts[row]) }) {
                database.receipts[row].due = .later(.any)
            }
        }
        for row in database.events.indices where database.events[row].due == .leased {
            if !frames.contains(where: { $0.worksOn(database.events[row]) }) { database.events[row].due = .later(.any) }
        }
        for row in database.refunds.indices where database.refunds[row].due == .leased {
            if !frames.contains(where: { $0.worksOn(database.refunds[row]) }) {
                database.refunds[row].due = .later(.any)
            }
        }
        if database != state.database.value { state.database = databases(database) }
    }

    // MARK: - Requests and time

    private func addBeginnings(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        for place in story.presentations.indices where state.presentationsLeft & 1 << UInt8(place) != 0 {
            let (user, payment) = story.presentations[place]
            let run = SagaProcess.ReceiptRun(key: .init(user: user, payment: payment), keepsWaiting: true)
            var next = next(turn(in: state, [.client, .receipt(run, saga(run).first)]), state)
            next.presentationsLeft &= ~(1 << UInt8(place))
            moves.append(Move(action: .init(what: .text("\(user.rawValue) presents \(payment)")), state: next))
        }
        for place in story.refunds.indices where state.refundsLeft & 1 << UInt8(place) != 0 {
            var next = next(turn(in: state, [.beginRefund(place)]), state)
            next.refundsLeft &= ~(1 << UInt8(place))
            moves.append(Move(action: .init(what: .text("a refund is requested")), state: next))
        }
        if story.hasGrace, !state.isLate, state.gateway.value.payments.contains(where: { $0.status == .paid }) {
            var next = state
            next.isLate = true
            moves.append(Move(action: .init(what: .text("the grace ends")), state: next))
        }
    }

    // MARK: - Work lists

    private func addWork(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
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

    // MARK: - The gateway

    private func addGateway(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
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

    // MARK: - The database

    private func addDatabase(in state: SagaState, to moves: inout [Move<SagaState, Action>]) {
        guard let replica = state.replica else { return }
        var confirmed = state
        confirmed.replica = nil
        moves.append(Move(action: .init(what: .text("the standby catches up")), state: confirmed))
        var failedOver = confirmed
        failedOver.database = replica
        freeLeases(&failedOver)
        moves.append(Move(action: .init(what: .text("failover")), state: failedOver, isFault: true))
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

extension SagaProcess.Frame {
    fileprivate func worksOn(_ row: ModelDatabase.Receipt) -> Bool {
        switch self {
        case .receipt(let run, _): run.key == row.key
        case .decideReceipt(let taken, _): taken.key == row.key
        case .decideWaiting(let taken, _, _): taken.contains { $0.key == row.key }
        default: false
        }
    }

    fileprivate func worksOn(_ row: ModelDatabase.Event) -> Bool {
        switch self {
        case .event(let key), .decideEvent(let key, _): key.number == row.number
        default: false
        }
    }

    fileprivate func worksOn(_ row: ModelDatabase.Refund) -> Bool {
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
        case .findSales, .findClaims, .storeClaim, .note, .credit: return true
        }
    }

    /// The frame in a few words.
    fileprivate var title: String {
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
