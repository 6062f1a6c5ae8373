public import Foundation

/// A note of support about a customer.
public struct CustomerNoteBody: Codable, Hashable, Sendable {
    /// The note's id.
    public let id: Member.ID
    /// The text, on one line.
    public let text: String
    /// Who wrote it: a person's name, or the subject of a token.
    public let writtenBy: String
    /// When it was written.
    public let writtenAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, text
        case writtenBy = "written_by"
        case writtenAt = "written_at"
    }

    /// Creates a note.
    public init(id: Int64, text: String, writtenBy: String, writtenAt: Date) {
        self.id = id
        self.text = text
        self.writtenBy = writtenBy
        self.writtenAt = writtenAt
    }
}

extension CustomerNoteBody: ListedBody {
    /// `notes`.
    public static let listName = "notes"
}

/// A note to write.
public struct CustomerNoteRequest: Codable, Hashable, Sendable {
    /// The text, without control characters.
    ///
    /// - Length: `1...2000`
    public let text: String

    /// The members of the request.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// `text`.
        case text
    }

    /// Creates a request.
    public init(text: String) { self.text = text }
}
