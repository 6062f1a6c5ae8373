public import Foundation

/// A seal of the books.
public struct SealBody: Codable, Hashable, Sendable {
    /// The seal's id.
    public let id: Member.ID
    /// When it was created.
    public let sealedAt: Date
    /// The number of journal entries that it covers.
    public let entries: Member.Natural
    /// The hash of the last entry, which covers all earlier ones; hexadecimal.
    ///
    /// - Pattern: `^[0-9a-f]{64}$`
    public let head: String
    /// The start of the SHA-256 of the signing key.
    public let keyID: String

    private enum CodingKeys: String, CodingKey {
        case id, entries, head
        case sealedAt = "sealed_at"
        case keyID = "key_id"
    }

    /// Creates it from its members.
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
