import Foundation
import Ledger
import LedgerWire
import Logging
import Metrics
import Timing

/// Delivers the events of one endpoint until nothing is due, while this process has the endpoint's lock.
///
/// Events are read in windows. The events of one user are a lane: they are sent one after another, and lanes beside one
/// another. A lane whose event fails is stored to wait for its next attempt, and the window goes on without it. When
/// the rest of the window is delivered, the position moves behind it.
actor EndpointTurn {
    let turn: DeliveryTurn
    private let sender: WebhookSender
    let events: Events
    let deliveries: Deliveries
    private let logger: Logger

    var readers: [Reader]
    var lanes: [LaneName: Lane] = [:]
    /// Lanes with an event to send now.
    var ready: [LaneName] = []
    var bodies: [Int64: [UInt8]] = [:]
    var health: EndpointHealth
    var progress = DeliveryProgress()
    private var inFlight = 0
    /// Whether nothing new may be begun for a reason of this turn.
    var isLost = false

    /// The most attempts at the same time at one endpoint.
    static let width = 8
    /// The time between two looks for news while attempts run.
    private static let tick: Duration = .milliseconds(250)

    init(_ turn: DeliveryTurn, sender: WebhookSender, ledger: Ledger, logger: Logger) {
        self.turn = turn
        self.sender = sender
        events = ledger.events
        deliveries = ledger.deliveries
        self.logger = logger
        readers = turn.readers.map(Reader.init)
        health = EndpointHealth(
            failures: Int(turn.endpoint.failures), failingSince: turn.endpoint.failingSince,
            pausedUntil: turn.endpoint.pausedUntil)
    }

    /// How far a turn got.
    struct Ending: Sendable {
        /// How far each reader looked: no wanted event up to there is left that does not wait in a lane.
        let looked: [Int64: Int64]
        /// Until when the endpoint is paused; nil: it is not.
        let pausedUntil: Date?
    }

    /// Delivers.
    ///
    /// - Throws: when the database can't be reached; events that were delivered meanwhile may be sent again.
    func run() async throws -> Ending {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var isTicking = false
            while true {
                try await refill()
                while let (name, seq) = nextToSend() {
                    guard let body = bodies[seq] else { throw LedgerError.unexpected("the event \(seq) has no body") }
                    group.addTask { [sender] in .attempted(name, await sender.send(id: String(seq), body: body)) }
                }
                if inFlight == 0 {
                    let isOver = isEnding || health.isPaused(at: Time.current.now)
                    if isOver { leaveWindows() }
                    try await store()
                    if isOver || isDry { break }
                    continue
                }
                if !isTicking {
                    isTicking = true
                    group.addTask {
                        try? await Time.current.sleep(for: Self.tick)
                        return .ticked
                    }
                }
                switch try await group.next() {
                case .attempted(let name, let attempt): record(attempt, of: name)
                case .ticked:
                    isTicking = false
                    try await look()
                case nil: break
                }
            }
            group.cancelAll()
        }
        let looked = readers.map { ($0.reader.id, $0.position) }
        return Ending(looked: Dictionary(uniqueKeysWithValues: looked), pausedUntil: health.pausedUntil)
    }

    /// What happens while the turn waits.
    private enum Step: Sendable {
        case attempted(LaneName, WebhookSender.Attempt)
        case ticked
    }

    struct LaneName: Hashable {
        let reader: Int64
        let lane: String
    }

    /// The events of a user that are in memory; the first one is sent, or is next.
    struct Lane {
        var events: [OwedEvent]
        /// How often the first event failed.
        var failures: Int64 = 0
        /// Whether the lane is stored as waiting.
        var isStored: Bool
        /// Whether it got further than what is stored.
        var hasMoved = false
        var isSending = false
    }

    struct Reader {
        let reader: DeliveryReader
        /// The last event that is behind it.
        var position: Int64
        /// The stored position.
        var storedPosition: Int64
        /// The end of the window that is being delivered; nil: no window is.
        var windowEnd: Int64?
        /// Whether there was nothing to read at the last look.
        var hasNoEvents = false
        /// Whether no lane was due at the last look.
        var hasNoLanes = false

        init(_ reader: DeliveryReader) {
            self.reader = reader
            position = reader.position
            storedPosition = reader.position
        }

        /// How far the reader looked.
        var looked: Int64 { windowEnd ?? position }
    }
}

// MARK: - Sending

extension EndpointTurn {
    /// The lane and the event to send next, if one may be sent now.
    private func nextToSend() -> (LaneName, Int64)? {
        guard !isEnding, inFlight < health.width(of: Self.width), !health.isPaused(at: Time.current.now) else {
            return nil
        }
        while !ready.isEmpty {
            let name = ready.removeFirst()
            guard let event = lanes[name]?.events.first else { continue }
            lanes[name]?.isSending = true
            inFlight += 1
            return (name, event.seq)
        }
        return nil
    }

    private func record(_ attempt: WebhookSender.Attempt, of name: LaneName) {
        inFlight -= 1
        lanes[name]?.isSending = false
        guard let lane = lanes[name], let event = lane.events.first else { return }
        guard attempt.outcome != .cancelled else {
            isLost = true
            return
        }
        EndpointMetrics.count(attempt)
        let isDelivered = attempt.outcome == .delivered
        progress.attempts.append(
            DeliveryAttempt(
                seq: event.seq, attemptedAt: Time.current.now, outcome: attempt.outcome.rawValue,
                status: attempt.status.map(Int64.init), latency: Int64(attempt.latency / .milliseconds(1)),
                answer: isDelivered ? nil : attempt.answer))
        if isDelivered {
            succeed()
            advance(name)
        } else {
            fail(attempt)
            postpone(name, lane, event, attempt)
        }
    }

    private func succeed() {
        guard health.failures > 0 else { return }
        progress.isBack = progress.isBack || health.isDown
        health.succeed()
        noteHealth()
    }

    private func fail(_ attempt: WebhookSender.Attempt) {
        let now = Time.current.now
        health.fail(at: now, requestedPause: attempt.outcome == .tooMany ? attempt.requestedDelay : nil)
        noteHealth()
        if attempt.outcome == .gone { disable(.gone) } else if health.isHopeless(at: now) { disable(.failing) }
    }

    private func noteHealth() {
        progress.health = (
            failures: Int64(health.failures), failingSince: health.failingSince, pausedUntil: health.pausedUntil
        )
    }

    private func disable(_ reason: Endpoint.StatusReason) {
        progress.disable = reason
        isLost = true
        logger.warning(
            "disabled an endpoint", metadata: ["endpoint": "\(turn.endpoint.id)", "reason": "\(reason.rawValue)"])
    }

    /// Stores a lane to wait for its next attempt, or gives its event up.
    private func postpone(_ name: LaneName, _ lane: Lane, _ event: OwedEvent, _ attempt: WebhookSender.Attempt) {
        let failures = lane.failures + 1
        guard let delay = RetrySchedule.delay(afterFailures: Int(failures), requested: attempt.requestedDelay) else {
            progress.givenUp.append(event.seq)
            return advance(name)
        }
        forget(name)
        progress.waiting.append(
            WaitingLane(
                readerID: name.reader, lane: name.lane, seq: event.seq, attempts: failures,
                nextAttemptAt: Time.current.now + delay / .seconds(1)))
    }

    /// Goes on to the lane's next event.
    private func advance(_ name: LaneName) {
        guard let done = lanes[name]?.events.removeFirst() else { return }
        bodies[done.seq] = nil
        lanes[name]?.failures = 0
        lanes[name]?.hasMoved = true
        guard let lane = lanes[name], lane.events.isEmpty else { return ready.append(name) }
        forget(name)
        guard lane.isStored else { return }
        // There may be later events, which were not read into memory.
        progress.caughtUp.append(
            WaitingLane(
                readerID: name.reader, lane: name.lane, seq: done.seq + 1, attempts: 0, nextAttemptAt: Time.current.now)
        )
        if let index = readers.firstIndex(where: { $0.reader.id == name.reader }) { readers[index].hasNoLanes = false }
    }

    private func forget(_ name: LaneName) {
        for event in lanes.removeValue(forKey: name)?.events ?? [] { bodies[event.seq] = nil }
    }
}

// MARK: - Storing

extension EndpointTurn {
    func store() async throws {
        for index in readers.indices { progress.looked[readers[index].reader.id] = readers[index].looked }
        // What a lane delivered that ends now is known by the position alone.
        for id in Set(progress.caughtUp.map(\.readerID)) {
            guard let index = readers.firstIndex(where: { $0.reader.id == id }) else { continue }
            movePosition(of: index, to: readers[index].position, isStored: true)
        }
        for (name, lane) in lanes where lane.isStored && lane.hasMoved {
            guard let next = lane.events.first else { continue }
            lanes[name]?.hasMoved = false
            progress.waiting.append(
                WaitingLane(
                    readerID: name.reader, lane: name.lane, seq: next.seq, attempts: lane.failures,
                    nextAttemptAt: Time.current.now))
        }
        guard !progress.isEmpty else { return }
        let done = progress
        progress = DeliveryProgress()
        if try await !deliveries.store(done, of: turn) { isLost = true }
    }
}
