import Foundation

@testable import Ledger
@testable import LedgerServer
@testable import PGVerifier

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
    let processes = UniqueValues<SagaProcess>()
    let answers = UniqueValues<Set<SagaAnswer>>()
    /// What each process can do where it has had a turn before: other processes change nothing about it.
    private var known: [Place: [Outcome]] = [:]
    /// Where no rule was broken that the running processes say nothing about.
    var sound: Set<Place> = []

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

    /// What decides about a process's next turn, or about rules: all but other processes and what can still happen.
    struct Place: Hashable {
        private let database: Int
        private let gateway: Int
        private let answers: Int
        private let process: Int
        private let isLate: Bool
        private let eventsMade: UInt8

        init(_ state: SagaState, of process: Unique<SagaProcess>? = nil) {
            database = state.database.number
            gateway = state.gateway.number
            answers = state.answers.number
            self.process = process?.number ?? -1
            isLate = state.isLate
            eventsMade = state.eventsMade
        }
    }

    /// What a turn leaves, each part stored once.
    private struct Outcome {
        let database: Unique<ModelDatabase>
        let gateway: Unique<ModelGateway>
        var answers: Unique<Set<SagaAnswer>>
        /// Processes that begin, and the one that had the turn, if it goes on.
        var begun: [Unique<SagaProcess>]
        /// How many events it made.
        let events: UInt8
        var isWritten: Bool
        var isFault: Bool
        let remark: String
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
        let process = state.processes[place]
        let frame = process.value.frames.last
        let canFail = state.faultsLeft > 0
        do {
            for outcome in try outcomes(of: process, in: state) where canFail || !outcome.isFault {
                let action = Action(what: .turn(frame, outcome.remark))
                moves.append(
                    Move(action: action, state: next(outcome, state, replacing: place), isFault: outcome.isFault))
                if outcome.isWritten, !outcome.isFault, canFail, story.faults.contains(.unconfirmed) {
                    let action = Action(what: .turn(frame, " (unconfirmed)"))
                    moves.append(
                        Move(action: action, state: unconfirmed(outcome, state, replacing: place), isFault: true))
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
            moves.append(Move(action: .init(what: .turn(frame, ": crash")), state: next, isFault: true))
        }
    }

    /// What the process can do now.
    private func outcomes(of process: Unique<SagaProcess>, in state: SagaState) throws -> [Outcome] {
        let place = Place(state, of: process)
        if let known = known[place] { return known }
        let found = try turns(turn(in: state, process.value.frames)).map { outcome($0, state) }
        known[place] = found
        return found
    }

    func turn(in state: SagaState, _ frames: [SagaProcess.Frame] = []) -> SagaTurn {
        SagaTurn(
            database: state.database.value, gateway: state.gateway.value, frames: frames,
            answers: state.answers.value, now: now(state), nextEvent: state.eventsMade)
    }

    func now(_ state: SagaState) -> Date {
        state.isLate ? ModelBooks.now + rules.claims.grace / .seconds(1) + 1 : ModelBooks.now
    }

    /// What a turn leaves of a state.
    private func outcome(_ turn: SagaTurn, _ state: SagaState) -> Outcome {
        let begun = turn.begun + (turn.frames.isEmpty ? [] : [SagaProcess(frames: turn.frames)])
        return Outcome(
            database: databases(turn.database, unless: state.database),
            gateway: gateways(turn.gateway, unless: state.gateway),
            answers: answers(turn.answers, unless: state.answers), begun: begun.map { processes($0) },
            events: UInt8(max(0, turn.database.events.count - state.database.value.events.count)),
            isWritten: turn.isWritten, isFault: turn.isFault, remark: turn.remark)
    }

    /// The state after a turn; a commit is confirmed, and so are all commits before it.
    func next(_ turn: SagaTurn, _ state: SagaState) -> SagaState { next(outcome(turn, state), state) }

    private func next(_ outcome: Outcome, _ state: SagaState, replacing place: Int? = nil) -> SagaState {
        var next = state
        next.database = outcome.database
        next.gateway = outcome.gateway
        next.answers = outcome.answers
        next.eventsMade += outcome.events
        if outcome.isWritten { next.replica = nil }
        if outcome.isFault { next.faultsLeft -= 1 }
        if let place { next.processes.remove(at: place) }
        if !outcome.begun.isEmpty {
            next.processes = (next.processes + outcome.begun).sorted { $0.number < $1.number }
        }
        freeLeases(&next)
        return next
    }

    /// The state after a turn whose commit is not replicated: its process gets an error.
    func unconfirmed(_ turn: SagaTurn, _ state: SagaState) -> SagaState { unconfirmed(outcome(turn, state), state) }

    private func unconfirmed(_ outcome: Outcome, _ state: SagaState, replacing place: Int? = nil) -> SagaState {
        var failed = outcome
        if without != .unknownCommitsAreErrors { (failed.begun, failed.answers) = ([], state.answers) }
        failed.isWritten = false
        failed.isFault = true
        var next = next(failed, state, replacing: place)
        next.replica = state.replica ?? state.database
        return next
    }

    /// The leases of processes that have ended, end too.
    private func freeLeases(_ state: inout SagaState) {
        var database = state.database.value
        guard database.hasLeases else { return }
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
