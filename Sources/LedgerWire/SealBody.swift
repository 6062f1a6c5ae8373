public import Foundation

/// A seal of the books, as it is listed.
public struct SealBody: Codable, Hashable, Sendable {
    /// The seal's id.
    public let id: Int64
    /// When it was made.
    public let sealedAt: Date
    /// How many entries it seals.
    public let entries: Int64
    /// The last entry's hash, which all before it went into; hexadecimal.
    public let head: String
    /// Which key signed it.
    public let keyID: String

    private enum CodingKeys: String, CodingKey {
        case id, entries, head
        case sealedAt = "sealed_at"
        case keyID = "key_id"
    }

    /// Creates it of its members.
    public init(
        id: Int64, sealedAt: Date, entries: Int64, head: String, keyID: String
    ) {
        self.id = id
        self.sealedAt = sealedAt
        self.entries = entries
        self.head = head
        self.keyID = keyID
    }
}

extension SealBody: ListedBody {
    /// `seals`.
    public static let listName = "seals"
}
