public import Foundation

/// An endpoint: an HTTPS URL that events are sent to.
public struct EndpointBody: Codable, Hashable, Sendable {
    /// The id of the endpoint.
    public let id: Member.ID
    /// The https URL, with a host that is reachable from the internet, without credentials.
    public let url: Member.URLText
    /// A description for people.
    ///
    /// - Length: `...200`
    public let description: String
    /// The types of events that are sent; empty: all.
    public let types: [String]
    /// The users whose events are sent; empty: everybody's, and events of no user.
    ///
    /// - Count: `...100`
    public let users: [String]
    /// Whether events are sent; `deleted` only in the response to a repeat of the request that created it.
    ///
    /// - Values: `enabled`, `disabled`, `deleted`
    public let status: String
    /// Why it is disabled: `requested` by a caller, `gone` (the receiver answered 410) or `failing` (five days of
    /// failures).
    ///
    /// - Values: `requested`, `gone`, `failing`
    public let statusReason: String?
    /// Since when every attempt failed; nil: the latest one succeeded.
    public let failingSince: Date?
    /// Until when the former secret signs too, after a rotation.
    public let formerSecretUntil: Date?
    /// Who created it.
    public let createdBy: String
    /// When it was created.
    public let createdAt: Date
    /// The secret of its signatures; only in responses to its creation and its rotation.
    ///
    /// - Pattern: `^whsec_`
    public let secret: String?

    private enum CodingKeys: String, CodingKey {
        case id, url, description, types, users, status, secret
        case statusReason = "status_reason"
        case failingSince = "failing_since"
        case formerSecretUntil = "former_secret_until"
        case createdBy = "created_by"
        case createdAt = "created_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, url: String, description: String, types: [String], users: [String], status: String,
        statusReason: String?, failingSince: Date?, formerSecretUntil: Date?, createdBy: String, createdAt: Date,
        secret: String?
    ) {
        self.id = id
        self.url = url
        self.description = description
        self.types = types
        self.users = users
        self.status = status
        self.statusReason = statusReason
        self.failingSince = failingSince
        self.formerSecretUntil = formerSecretUntil
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.secret = secret
    }
}

extension EndpointBody: ListedBody {
    /// `endpoints`.
    public static let listName = "endpoints"
}

/// A request to create an endpoint.
public struct EndpointRequest: Codable, Hashable, Sendable {
    /// The https URL, with a host that is reachable from the internet, without credentials.
    public var url: Member.URLText
    /// A description for people.
    ///
    /// - Length: `...200`
    public var description: String?
    /// The types of events to send; nil or empty: all.
    ///
    /// - Null: refused
    public var types: [String]?
    /// The users whose events to send; nil or empty: everybody's, and events of no user.
    ///
    /// - Null: refused
    /// - Count: `...100`
    public var users: [String]?
    /// The event after which to start, 0 for the first of all; nil: the next event that happens.
    public var after: Member.Natural?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case url, description, types, users, after
    }

    /// Creates a request to create an endpoint.
    public init(
        url: String, description: String? = nil, types: [String]? = nil, users: [String]? = nil, after: Int64? = nil
    ) {
        self.url = url
        self.description = description
        self.types = types
        self.users = users
        self.after = after
    }
}

/// A request to change an endpoint; nil members stay.
public struct EndpointChangeRequest: Codable, Hashable, Sendable {
    /// The https URL, with a host that is reachable from the internet, without credentials.
    public var url: Member.URLText?
    /// A description for people.
    ///
    /// - Length: `...200`
    public var description: String?
    /// The types of events to send; empty: all.
    public var types: [String]?
    /// The users whose events to send; empty: everybody's, and events of no user.
    ///
    /// - Count: `...100`
    public var users: [String]?
    /// Whether events are sent.
    public var isEnabled: Bool?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case url, description, types, users
        case isEnabled = "enabled"
    }

    /// Creates a request to change an endpoint.
    public init(
        url: String? = nil, description: String? = nil, types: [String]? = nil, users: [String]? = nil,
        isEnabled: Bool? = nil
    ) {
        self.url = url
        self.description = description
        self.types = types
        self.users = users
        self.isEnabled = isEnabled
    }
}
