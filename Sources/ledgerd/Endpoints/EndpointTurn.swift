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
    private let turn: DeliveryTurn
    private let sender: WebhookSender
    private let events: Events
    private let deliveries: Deliveries
    private let logger: Logger

    private var readers: [Reader]
    private var lanes: [LaneName: Lane] = [:]
    /// Lanes with an event to send now.
    private var ready: [LaneName] = []
    private var bodies: [Int64: [UInt8]] = [:]
    private var health: EndpointHealth
    private var progress = DeliveryProgress()
    private var inFlight = 0
    /// Whether nothing new may be begun for a reason of this turn.
    private var isLost = false

    /// The most attempts at the same time at one endpoint.
    static let width = 8
    /// The most events that are read at once.
    private static let windowSize = 64
    /// The most waiting lanes in memory.
    private static let mostWaiting = 16
    /// The most events of a waiting lane that are read at once.
    private static let owedSize = 16
    /// The time between two looks for news while attempts run.
    private static let tick: Duration = .milliseconds(250)
    /// The distance from which a position is stored although nothing was delivered.
    private static let longestSkip: Int64 = 10_000

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

    private struct LaneName: Hashable {
        let reader: Int64
        let lane: String
    }

    /// The events of a user that are in memory; the first one is sent, or is next.
    private struct Lane {
        var events: [OwedEvent]
        /// How often the first event failed.
        var failures: Int64 = 0
        /// Whether the lane is stored as waiting.
        var isStored: Bool
        /// Whether it got further than what is stored.
        var hasMoved = false
        var isSending = false
    }

    private struct Reader {
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

// MARK: - Reading

extension EndpointTurn {
    /// Whether nothing new may be begun.
    private var isEnding: Bool { isLost || Repetition.isOver }

    private var isDry: Bool { ready.isEmpty && readers.allSatisfy { $0.hasNoEvents && $0.hasNoLanes } }

    /// Reads what is next, where nothing is left in memory.
    private func refill() async throws {
        guard !isEnding, !health.isPaused(at: Time.current.now) else { return }
        for index in readers.indices {
            closeWindow(of: index)
            // What is read must not miss what is not stored yet.
            if !readers[index].hasNoLanes, hasRoomForLanes(of: index) {
                try await store()
                try await readLanes(of: index)
            }
            // An endpoint that is down is tried with what waits already.
            if readers[index].windowEnd == nil, !readers[index].hasNoEvents, !health.isDown || ready.isEmpty {
                try await store()
                try await readWindow(of: index)
            }
        }
    }

    private func hasRoomForLanes(of index: Int) -> Bool {
        waitingLanes(of: index).count <= Self.mostWaiting / 2
    }

    private func waitingLanes(of index: Int) -> [String] {
        lanes.filter { $0.key.reader == readers[index].reader.id && $0.value.isStored }.map(\.key.lane)
    }

    private func readWindow(of index: Int) async throws {
        let reader = readers[index]
        let window = try await deliveries.window(
            of: reader.reader, after: reader.position, turn.endpoint.filter, limit: Self.windowSize)
        guard !isEnding else { return }
        guard !window.events.isEmpty else {
            readers[index].hasNoEvents = true
            movePosition(of: index, to: window.through)
            return
        }
        try await readBodies(of: window.events)
        readers[index].windowEnd = window.through
        for event in window.events { append(event, to: LaneName(reader: reader.reader.id, lane: event.lane)) }
    }

    private func append(_ event: OwedEvent, to name: LaneName) {
        if lanes[name] == nil {
            lanes[name] = Lane(events: [event], isStored: false)
            ready.append(name)
        } else {
            lanes[name]?.events.append(event)
        }
    }

    private func readLanes(of index: Int) async throws {
        let reader = readers[index]
        let busy = waitingLanes(of: index)
        let due = try await deliveries.dueLanes(of: reader.reader, besides: busy, limit: Self.mostWaiting - busy.count)
        readers[index].hasNoLanes = due.count < Self.mostWaiting - busy.count
        for lane in due {
            let owed = try await deliveries.owed(
                in: lane, of: reader.reader, through: reader.looked, turn.endpoint.filter, limit: Self.owedSize)
            guard !owed.isEmpty else {
                progress.caughtUp.append(lane)
                continue
            }
            try await readBodies(of: owed)
            let name = LaneName(reader: reader.reader.id, lane: lane.lane)
            let failures = owed.first?.seq == lane.seq ? lane.attempts : 0
            lanes[name] = Lane(events: owed, failures: failures, isStored: true)
            ready.append(name)
        }
    }

    private func readBodies(of read: [OwedEvent]) async throws {
        for event in try await events.find(read.map(\.seq)) {
            bodies[event.seq] = Array(try AnswerJSON.encode(EventBody(event)).readableBytesView)
        }
    }

    /// Looks for news, and leaves alone attempts that take long.
    private func look() async throws {
        for index in readers.indices {
            readers[index].hasNoEvents = false
            readers[index].hasNoLanes = false
            leaveSlowLanes(of: index)
        }
        try await store()
    }

    /// If a window waits only for attempts that run, their lanes are stored as waiting, so that the window can end.
    private func leaveSlowLanes(of index: Int) {
        let open = openLanes(of: index)
        if open.allSatisfy({ lanes[$0]?.isSending ?? false }) { leave(open, of: index) }
    }

    /// Stores what is left of the windows as waiting, so that nothing that was delivered is sent again.
    private func leaveWindows() {
        for index in readers.indices { leave(openLanes(of: index), of: index) }
    }

    private func leave(_ open: [LaneName], of index: Int) {
        for name in open {
            lanes[name]?.isStored = true
            lanes[name]?.hasMoved = true
        }
        closeWindow(of: index)
    }

    /// The lanes of the window that is being delivered.
    private func openLanes(of index: Int) -> [LaneName] {
        lanes.filter { $0.key.reader == readers[index].reader.id && !$0.value.isStored }.map(\.key)
    }

    /// Moves the position behind a window of which nothing is left.
    private func closeWindow(of index: Int) {
        guard let end = readers[index].windowEnd, openLanes(of: index).isEmpty else { return }
        readers[index].windowEnd = nil
        movePosition(of: index, to: end, isStored: true)
    }

    private func movePosition(of index: Int, to end: Int64, isStored: Bool = false) {
        readers[index].position = end
        let (distance, reader) = (end - readers[index].storedPosition, readers[index].reader)
        guard isStored || distance >= Self.longestSkip || reader.until != nil && distance > 0 else { return }
        readers[index].storedPosition = end
        progress.positions[reader.id] = end
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
    private func store() async throws {
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
