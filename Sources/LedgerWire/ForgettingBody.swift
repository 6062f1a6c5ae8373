public import Foundation

/// A request to forget a user.
public struct ForgettingRequest: Codable, Hashable, Sendable {
    /// Why, in people's words; erased when the user is forgotten.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }

    /// Creates a request.
    public init(reason: String) { self.reason = reason }
}

/// A request to forget a user, and what became of it.
public struct ForgettingBody: Codable, Hashable, Sendable {
    /// The id of the request.
    public let id: Member.ID
    /// The id of the user; of a forgotten one the id that took the place of theirs.
    public let user: String
    /// `waiting`: for `due_at`, and then until nothing is open; `cancelled`; `forgotten`: for good.
    ///
    /// - Values: `waiting`, `cancelled`, `forgotten`
    public let status: String
    /// What of the user is open now: as long as something is, a request waits.
    ///
    /// - Known values: `coins`, `held_coins`, `debt`, `payable`, `order`, `receipt`, `refund`, `dispute`, `top_up`,
    ///   `bank_account`, `approval`, `finding`, `campaign`, `webhook`, `gateway_off`
    public let open: [String]
    /// Who asked: `sub` of the token, or a person.
    public let askedBy: String
    /// When it was asked.
    public let askedAt: Date
    /// The user is not forgotten before.
    public let dueAt: Date
    /// Who cancelled it; nil: nobody.
    public let cancelledBy: String?
    /// When it was cancelled or done; nil: it waits.
    public let decidedAt: Date?
    /// Until when the id is kept, encrypted, for records of payments and complaints; nil: it is not.
    public let keptUntil: Date?

    private enum CodingKeys: String, CodingKey {
        case id, user, status, open
        case askedBy = "asked_by"
        case askedAt = "asked_at"
        case dueAt = "due_at"
        case cancelledBy = "cancelled_by"
        case decidedAt = "decided_at"
        case keptUntil = "kept_until"
    }

    /// Creates a request as it is.
    public init(
        id: Int64, user: String, status: String, open: [String], askedBy: String, askedAt: Date, dueAt: Date,
        cancelledBy: String?, decidedAt: Date?, keptUntil: Date?
    ) {
        self.id = id
        self.user = user
        self.status = status
        self.open = open
        self.askedBy = askedBy
        self.askedAt = askedAt
        self.dueAt = dueAt
        self.cancelledBy = cancelledBy
        self.decidedAt = decidedAt
        self.keptUntil = keptUntil
    }
}
