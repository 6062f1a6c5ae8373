import Foundation
import Ledger

/// How far the readers of endpoints are, as far as this process knows.
///
/// The stored position of a reader stays behind while no event is wanted, so that events which nobody wants cost no
/// writes. This knows more.
struct ReaderProgress {
    private var readers: [Int64: Known] = [:]
    /// The latest event that ``advance(over:)`` was told of.
    private(set) var head: Int64

    private struct Known {
        let overview: ReaderOverview
        /// When the first waiting lane is due; nil: none waits, or a turn has just looked.
        var nextLane: Date?
        var pausedUntil: Date?
        /// No wanted event up to here is left that does not wait in a lane.
        var clear: Int64
        /// Since when there is a wanted event; nil: there is none.
        var behindSince: Date?
    }

    /// - Parameter head: the latest event.
    init(head: Int64) { self.head = head }

    /// Takes over what the database knows.
    ///
    /// - Returns: the endpoints that have no reader any more.
    mutating func update(_ overviews: [ReaderOverview]) -> Set<Int64> {
        let before = Set(readers.values.map(\.overview.reader.endpointID))
        let known = readers
        readers = [:]
        for overview in overviews {
            let id = overview.reader.id
            let old = known[id].flatMap { $0.overview.filter == overview.filter ? $0 : nil }
            readers[id] = Known(
                overview: overview, nextLane: overview.nextLane, pausedUntil: overview.pausedUntil,
                clear: max(old?.clear ?? 0, overview.reader.position),
                behindSince: old?.behindSince)
        }
        return before.subtracting(overviews.map(\.reader.endpointID))
    }

    /// Looks at new events: readers that want none of them are ahead of them.
    ///
    /// - Parameter events: those after ``head``, in order.
    mutating func advance(over events: [EventHeading]) {
        guard let last = events.last?.seq else { return }
        let kinds = EventKinds(events)
        for id in readers.keys {
            guard let reader = readers[id], reader.clear >= head, !kinds.contains(wantedBy: reader.overview.filter)
            else {
                continue
            }
            readers[id]?.clear = last
        }
        head = last
    }

    /// Takes over how far a turn got.
    mutating func finish(_ turn: EndpointTurn.Ending) {
        for (id, position) in turn.looked {
            guard let known = readers[id] else { continue }
            readers[id]?.clear = max(known.clear, position)
            readers[id]?.nextLane = nil
            readers[id]?.pausedUntil = turn.pausedUntil
        }
    }

    /// The endpoints that have work at a moment.
    func endpointsWithWork(at now: Date) -> Set<Int64> {
        Set(readers.values.filter { hasWork($0, at: now) }.map(\.overview.reader.endpointID))
    }

    private func hasWork(_ known: Known, at now: Date) -> Bool {
        if let pause = known.pausedUntil, now < pause { return false }
        if let lane = known.nextLane, lane <= now { return true }
        return isBehind(known)
    }

    private func isBehind(_ known: Known) -> Bool { known.clear < min(head, known.overview.reader.until ?? .max) }

    /// How long the event that waits longest has waited, by endpoint; events of replays do not count.
    mutating func lags(at now: Date) -> [Int64: TimeInterval] {
        var lags: [Int64: TimeInterval] = [:]
        for (id, known) in readers where known.overview.reader.until == nil {
            let since = isBehind(known) ? known.behindSince ?? now : nil
            readers[id]?.behindSince = since
            let oldest = [since, known.overview.waitingSince].compactMap(\.self).min()
            lags[known.overview.reader.endpointID] = oldest.map { max(0, now.timeIntervalSince($0)) } ?? 0
        }
        return lags
    }
}

/// The types and users of some events, to see quickly whether one of them is wanted.
struct EventKinds {
    private var types: Set<String> = []
    private var typesByUser: [String: Set<String>] = [:]

    init(_ events: [EventHeading]) {
        for event in events {
            types.insert(event.type)
            if let user = event.user { typesByUser[user, default: []].insert(event.type) }
        }
    }

    /// Whether one of the events is wanted.
    func contains(wantedBy filter: EndpointFilter) -> Bool {
        func isWanted(_ found: Set<String>) -> Bool {
            filter.types.isEmpty ? !found.isEmpty : filter.types.contains(where: found.contains)
        }
        if filter.users.isEmpty { return isWanted(types) }
        return filter.users.contains { user in typesByUser[user].map(isWanted) ?? false }
    }
}
