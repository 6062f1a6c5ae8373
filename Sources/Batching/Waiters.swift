import Synchronization

/// Callers that are suspended until somebody answers them, by turns of their lanes; who gives up leaves at once.
///
/// A value: whoever keeps it guards it, with an actor or a lock. The caller makes a ticket, appends its continuation under
/// it, and removes that when its task is cancelled or its time is over. Whoever takes a continuation out resumes it.
package struct Waiters<Answer: Sendable, Failure: Error>: Sendable {
    package typealias Continuation = CheckedContinuation<Answer, Failure>

    private var order = Turns<UInt64>()
    private var continuations: [UInt64: Continuation] = [:]

    /// Nobody waits.
    package init() {}

    /// How many wait.
    package var count: Int { continuations.count }
    /// Whether nobody waits.
    package var isEmpty: Bool { continuations.isEmpty }

    /// Adds a caller behind those of its lane.
    package mutating func append(_ continuation: Continuation, as ticket: WaiterTicket) {
        order.append(ticket.number, in: ticket.lane)
        continuations[ticket.number] = continuation
    }

    /// Takes the caller whose turn it is.
    package mutating func popFirst() -> Continuation? {
        order.popFirst().flatMap { continuations.removeValue(forKey: $0) }
    }

    /// Takes a caller that gives up; nil when it is not there: it was answered, or has not come yet.
    package mutating func remove(_ ticket: WaiterTicket) -> Continuation? {
        guard let continuation = continuations.removeValue(forKey: ticket.number) else { return nil }
        _ = order.remove(from: ticket.lane) { $0 == ticket.number }
        return continuation
    }

    /// Takes all callers, in the order of their turns.
    package mutating func removeAll() -> [Continuation] {
        var all: [Continuation] = []
        while let next = popFirst() { all.append(next) }
        return all
    }
}

/// The name of one caller that waits, and its lane.
package struct WaiterTicket: Sendable {
    fileprivate let number: UInt64
    fileprivate let lane: Lane

    /// A ticket that nobody else has.
    package init(in lane: Lane = .common) {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
        self.lane = lane
    }

    private static let last = Atomic<UInt64>(0)
}
