import Ledger
import LedgerWire
import Timing

extension EndpointTurn {
    /// The most events that are read at once.
    private static let windowSize = 64
    /// The most waiting lanes in memory.
    private static let mostWaiting = 16
    /// The most events of a waiting lane that are read at once.
    private static let owedSize = 16
    /// The distance from which a position is stored although nothing was delivered.
    private static let longestSkip: Int64 = 10_000

    /// Whether nothing new may be begun.
    var isEnding: Bool { isLost || Repetition.isOver }

    var isDry: Bool { ready.isEmpty && readers.allSatisfy { $0.hasNoEvents && $0.hasNoLanes } }

    /// Reads what is next, where nothing is left in memory.
    func refill() async throws {
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
    func look() async throws {
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
    func leaveWindows() {
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

    func movePosition(of index: Int, to end: Int64, isStored: Bool = false) {
        readers[index].position = end
        let (distance, reader) = (end - readers[index].storedPosition, readers[index].reader)
        guard isStored || distance >= Self.longestSkip || reader.until != nil && distance > 0 else { return }
        readers[index].storedPosition = end
        progress.positions[reader.id] = end
    }
}
