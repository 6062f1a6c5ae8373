public import Foundation

/// Something that has a searched name, and the customer that it belongs to.
public struct SearchMatchBody: Codable, Hashable, Sendable {
    /// What it is.
    ///
    /// - Values: `user`, `purchase`, `refund`, `hold`, `order`, `receipt`
    public let kind: String
    /// Its id; nil for a user.
    public let id: Member.ID?
    /// The customer.
    public let user: String
    /// The order's name at the gateway, or the reference of a hold.
    public let reference: String?
    /// When it was made; nil for a user.
    public let at: Date?

    /// Creates a match.
    public init(kind: String, id: Int64?, user: String, reference: String?, at: Date?) {
        self.kind = kind
        self.id = id
        self.user = user
        self.reference = reference
        self.at = at
    }
}

extension SearchMatchBody: ListedBody {
    /// `matches`.
    public static let listName = "matches"
}
