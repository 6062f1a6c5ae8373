package import Foundation

/// An endpoint whose events one process delivers now, with what it reads.
package struct DeliveryTurn: Sendable {
    package let endpoint: Endpoint
    /// The number of the turn: changes by a process with an older one are refused.
    package let number: Int64
    package let readers: [DeliveryReader]
}

/// How far an endpoint read the events: all new ones, or those of a replay.
package struct DeliveryReader: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let endpointID: Int64
    /// The last event that is behind it.
    package let position: Int64
    /// The last event of a replay; nil: reads everything new.
    package let until: Int64?
    /// Whether it reads only events that were given up.
    package let onlyFailed: Bool

    package init(id: Int64, endpointID: Int64, position: Int64, until: Int64?, onlyFailed: Bool) {
        self.id = id
        self.endpointID = endpointID
        self.position = position
        self.until = until
        self.onlyFailed = onlyFailed
    }
}

/// What is to be known of a reader to see whether it has work.
package struct ReaderOverview: Sendable {
    package let reader: DeliveryReader
    package let filter: EndpointFilter
    /// Until when the endpoint is paused; nil: it is not.
    package let pausedUntil: Date?
    /// When the first waiting lane is due; nil: none waits.
    package let nextLane: Date?
    /// Since when the lane that waits longest waits; nil: none does.
    package let waitingSince: Date?

    package init(
        reader: DeliveryReader, filter: EndpointFilter, pausedUntil: Date?, nextLane: Date?, waitingSince: Date?
    ) {
        self.reader = reader
        self.filter = filter
        self.pausedUntil = pausedUntil
        self.nextLane = nextLane
        self.waitingSince = waitingSince
    }
}

/// An event to deliver.
package struct OwedEvent: Sendable, Equatable {
    package let seq: Int64
    /// The user, or empty: events of one lane are delivered in order.
    package let lane: String

    package init(seq: Int64, lane: String) {
        self.seq = seq
        self.lane = lane
    }
}

/// Events after a position.
package struct DeliveryWindow: Sendable {
    /// The wanted events whose lanes do not wait, in order.
    package let events: [OwedEvent]
    /// The last event that was looked at.
    package let through: Int64
}

/// A lane that waits for its next attempt.
package struct WaitingLane: Sendable, Equatable {
    package let readerID: Int64
    /// The user, or empty.
    package let lane: String
    /// From this event on, none was delivered.
    package var seq: Int64
    /// How often this event failed.
    package var attempts: Int64
    package var nextAttemptAt: Date

    package init(readerID: Int64, lane: String, seq: Int64, attempts: Int64, nextAttemptAt: Date) {
        self.readerID = readerID
        self.lane = lane
        self.seq = seq
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
    }
}

/// What a turn did since it last stored anything.
package struct DeliveryProgress: Sendable {
    /// The new positions of readers.
    package var positions: [Int64: Int64] = [:]
    /// How far the readers looked, by reader: a lane ends only if nothing up to there is left of it.
    package var looked: [Int64: Int64] = [:]
    /// Lanes that wait.
    package var waiting: [WaitingLane] = []
    /// Lanes of which everything that was read is delivered, with the next event.
    package var caughtUp: [WaitingLane] = []
    package var attempts: [DeliveryAttempt] = []
    /// Events that were given up.
    package var givenUp: [Int64] = []
    /// The endpoint's health, if it changed.
    package var health: (failures: Int64, failingSince: Date?, pausedUntil: Date?)?
    /// Whether the endpoint works again, so that its lanes need not wait.
    package var isBack = false
    /// Why the endpoint is to be disabled; nil: it is not.
    package var disable: Endpoint.StatusReason?

    package init() {}

    /// Whether there is nothing to store.
    package var isEmpty: Bool {
        positions.isEmpty && waiting.isEmpty && caughtUp.isEmpty && attempts.isEmpty && givenUp.isEmpty
            && health == nil && !isBack && disable == nil
    }
}
