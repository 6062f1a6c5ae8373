package import Foundation

/// An HTTPS URL that events are sent to.
package struct Endpoint: Sendable, Equatable, Identifiable {
    /// Whether events are sent.
    package enum Status: String, Sendable, CaseIterable {
        /// Events are sent.
        case enabled
        /// Nothing is sent; when it is enabled again, it continues where it stopped.
        case disabled
        /// Nothing is sent any more.
        case deleted
    }

    /// Why an endpoint is disabled.
    package enum StatusReason: String, Sendable {
        /// A caller disabled or deleted it.
        case requested
        /// The receiver answered 410.
        case gone
        /// Every attempt failed for days.
        case failing
    }

    package let id: Int64
    package let url: String
    /// For people.
    package let description: String
    /// The events that are sent.
    package let filter: EndpointFilter
    package let status: Status
    /// Why it is not enabled; nil: it is.
    package let statusReason: StatusReason?
    /// What the secret is made of.
    package let secret: SecretSeed
    /// What the secret before the last rotation is made of, as long as it signs too.
    package let formerSecret: (seed: SecretSeed, until: Date)?
    /// Failed attempts since the last success.
    package let failures: Int64
    /// When the first of them was; nil: the latest attempt succeeded.
    package let failingSince: Date?
    /// Until when nothing is sent; nil: not paused.
    package let pausedUntil: Date?
    /// Increases with each change by a caller.
    package let version: Int64
    package let createdBy: String
    package let createdAt: Date

    package static func == (one: Self, other: Self) -> Bool { one.id == other.id && one.version == other.version }
}

/// What the secret of an endpoint is made of, together with a key of the service's settings.
///
/// It is not secret itself, so the database and its backups hold no secret of a receiver (decision 0135).
package struct SecretSeed: Sendable, Equatable {
    /// The id of the service's key.
    package let keyID: String
    /// 16 random bytes.
    package let salt: [UInt8]

    package init(keyID: String, salt: [UInt8]) {
        self.keyID = keyID
        self.salt = salt
    }
}

/// The events that an endpoint wants.
package struct EndpointFilter: Sendable, Equatable {
    /// The types; empty: all.
    package var types: [String]
    /// The users whose events are wanted; empty: all events, also those of no user.
    package var users: [String]

    package init(types: [String] = [], users: [String] = []) {
        self.types = types
        self.users = users
    }

    /// Whether an event is wanted.
    package func matches(type: String, user: String?) -> Bool {
        (types.isEmpty || types.contains(type)) && (users.isEmpty || user.map(users.contains) ?? false)
    }

    /// Whether every event that this filter matches is matched by another one too.
    package func isWithin(_ other: EndpointFilter) -> Bool {
        Self.isPart(types, of: other.types) && Self.isPart(users, of: other.users)
    }

    private static func isPart(_ some: [String], of others: [String]) -> Bool {
        others.isEmpty || !some.isEmpty && Set(some.map(ExactText.init)).isSubset(of: others.map(ExactText.init))
    }
}

/// An endpoint to create.
package struct EndpointDraft: Sendable {
    package let url: String
    package let description: String
    package let filter: EndpointFilter
    /// The first event that is sent is the one after this; nil: the next one that happens.
    package let after: Int64?
    package let secret: SecretSeed
    package let key: CallerKey

    package init(
        url: String, description: String, filter: EndpointFilter, after: Int64?, secret: SecretSeed, key: CallerKey
    ) {
        self.url = url
        self.description = description
        self.filter = filter
        self.after = after
        self.secret = secret
        self.key = key
    }

    /// Shows whether a repeat asks for something else.
    ///
    /// The seed is random, so it is no part.
    var fingerprint: Fingerprint {
        Fingerprint(
            url, description, filter.types.joined(separator: " "), filter.users.joined(separator: "\0"),
            after.map(String.init))
    }
}

/// A change of an endpoint; nil members stay.
package struct EndpointChange: Sendable {
    package var url: String?
    package var description: String?
    package var types: [String]?
    package var users: [String]?
    package var isEnabled: Bool?
    /// The version that is changed, while the endpoint has it; nil: whichever it has.
    package var version: Int64?

    package init(
        url: String? = nil, description: String? = nil, types: [String]? = nil, users: [String]? = nil,
        isEnabled: Bool? = nil
    ) {
        self.url = url
        self.description = description
        self.types = types
        self.users = users
        self.isEnabled = isEnabled
    }

    /// Whether events are sent after it that would not be sent before, or to another URL.
    package func widens(_ endpoint: Endpoint) -> Bool {
        let filter = EndpointFilter(types: types ?? endpoint.filter.types, users: users ?? endpoint.filter.users)
        return url.map { ExactText($0) != ExactText(endpoint.url) } ?? false
            || isEnabled == true && endpoint.status != .enabled || !filter.isWithin(endpoint.filter)
    }
}

/// A part of the events that an endpoint gets again.
package struct Replay: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let endpointID: Int64
    /// The last event that is behind it.
    package let position: Int64
    /// The last event of the replay.
    package let until: Int64
    /// Whether it is only about events that were given up.
    package let onlyFailed: Bool
    package let requestedBy: String
    package let requestedAt: Date
    /// When it had delivered or given up all events; nil: it is running.
    package let finishedAt: Date?
}

/// One attempt to deliver an event.
package struct DeliveryAttempt: Sendable, Equatable {
    /// The event's number.
    package let seq: Int64
    package let attemptedAt: Date
    /// `delivered`, or why not, such as `refused` or `timeout`.
    package let outcome: String
    /// The HTTP status; nil: no response.
    package let status: Int64?
    /// Milliseconds.
    package let latency: Int64
    /// The first KiB of the response to a failed attempt, as text; nil: none is kept.
    package let answer: String?

    package init(
        seq: Int64, attemptedAt: Date, outcome: String, status: Int64?, latency: Int64, answer: String?
    ) {
        self.seq = seq
        self.attemptedAt = attemptedAt
        self.outcome = outcome
        self.status = status
        self.latency = latency
        self.answer = answer
    }
}

/// Where the next page of attempts begins: after this one.
package struct AttemptCursor: Sendable, Codable, Equatable {
    /// The row of the last attempt.
    let id: Int64
    /// Its place in the row.
    let place: Int64
}
