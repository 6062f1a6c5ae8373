public import Foundation

/// One attempt to deliver an event to an endpoint.
public struct DeliveryBody: Codable, Hashable, Sendable {
    /// The number of the event; nil: a test.
    public let event: Member.ID?
    /// When it was recorded.
    public let attemptedAt: Date
    /// `delivered`, or why not.
    ///
    /// - Known values: `delivered`, `refused`, `redirected`, `gone`, `too_many`, `timeout`, `unreachable`, `untrusted`,
    ///   `forbidden_address`, `broken`
    public let outcome: String
    /// The HTTP status; nil: no response.
    public let status: Member.Natural?
    /// How long the attempt took, in milliseconds.
    public let latency: Member.Natural
    /// The first KiB of the response to a failed attempt; nil: none is kept.
    public let answer: String?

    private enum CodingKeys: String, CodingKey {
        case event, outcome, status, answer
        case attemptedAt = "attempted_at"
        case latency = "latency_ms"
    }

    /// Creates it from its members.
    public init(
        event: Int64?, attemptedAt: Date, outcome: String, status: Int64?, latency: Int64, answer: String?
    ) {
        self.event = event
        self.attemptedAt = attemptedAt
        self.outcome = outcome
        self.status = status
        self.latency = latency
        self.answer = answer
    }
}

extension DeliveryBody: ListedBody {
    /// `deliveries`.
    public static let listName = "deliveries"
}

/// A request to send events again.
public struct ReplayRequest: Codable, Hashable, Sendable {
    /// The event after which to start, 0 for the first of all.
    public var after: Member.Natural
    /// The last event; nil: the latest one.
    ///
    /// - Null: refused
    public var until: Member.ID?
    /// Whether only events that were given up are sent.
    ///
    /// - Null: refused
    /// - Default: `false`
    public var onlyFailed: Bool?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case after, until
        case onlyFailed = "only_failed"
    }

    /// Creates a request to send events again.
    public init(after: Int64, until: Int64? = nil, onlyFailed: Bool? = nil) {
        self.after = after
        self.until = until
        self.onlyFailed = onlyFailed
    }
}

/// A replay: events that an endpoint gets again.
public struct ReplayBody: Codable, Hashable, Sendable {
    /// The id of the replay.
    public let id: Member.ID
    /// The last event that it is through with.
    public let position: Member.Natural
    /// The last event of the replay.
    public let until: Member.Natural
    /// Whether only events that were given up are sent.
    public let onlyFailed: Bool
    /// Who requested it.
    public let requestedBy: String
    /// When it was requested.
    public let requestedAt: Date
    /// When all its events were delivered or given up; nil: it is running.
    public let finishedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, position, until
        case onlyFailed = "only_failed"
        case requestedBy = "requested_by"
        case requestedAt = "requested_at"
        case finishedAt = "finished_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, position: Int64, until: Int64, onlyFailed: Bool, requestedBy: String, requestedAt: Date,
        finishedAt: Date?
    ) {
        self.id = id
        self.position = position
        self.until = until
        self.onlyFailed = onlyFailed
        self.requestedBy = requestedBy
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
    }
}

extension ReplayBody: ListedBody {
    /// `replays`.
    public static let listName = "replays"
}
