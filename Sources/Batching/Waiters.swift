import Synchronization

/// Suspended callers that wait for an answer.
///
/// Their lanes take turns, and a caller that gives up leaves at once.
///
/// This is a value, so its owner must guard it with an actor or a lock. A caller creates a ticket and appends its
/// continuation with it, and removes the continuation when its task is cancelled or its time is over. Code that removes
/// a continuation must resume it.
package struct Waiters<Answer: Sendable, Failure: Error>: Sendable {
    package typealias Continuation = CheckedContinuation<Answer, Failure>

    private var order = Turns<UInt64>()
    private var continuations: [UInt64: Continuation] = [:]

    /// Creates an empty list.
    package init() {}

    /// The number of waiting callers.
    package var count: Int { continuations.count }
    /// Whether no caller waits.
    package var isEmpty: Bool { continuations.isEmpty }

    /// Adds a caller at the end of its lane.
    package mutating func append(_ continuation: Continuation, as ticket: WaiterTicket) {
        order.append(ticket.number, in: ticket.lane)
        continuations[ticket.number] = continuation
    }

    /// Removes and returns the next caller.
    package mutating func popFirst() -> Continuation? {
        order.popFirst().flatMap { continuations.removeValue(forKey: $0) }
    }

    /// Removes and returns a caller that gives up; nil: it was already answered, or is not appended yet.
    package mutating func remove(_ ticket: WaiterTicket) -> Continuation? {
        guard let continuation = continuations.removeValue(forKey: ticket.number) else { return nil }
        _ = order.remove(from: ticket.lane) { $0 == ticket.number }
        return continuation
    }

    /// Removes and returns all callers in the order of their turns.
    package mutating func removeAll() -> [Continuation] {
        var all: [Continuation] = []
        while let next = popFirst() { all.append(next) }
        return all
    }
}

/// Identifies a waiting caller and its lane.
package struct WaiterTicket: Sendable {
    fileprivate let number: UInt64
    fileprivate let lane: Lane

    /// A new ticket.
    package init(in lane: Lane = .common) {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
        self.lane = lane
    }

    private static let last = Atomic<UInt64>(0)
}
