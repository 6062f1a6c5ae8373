/// An item of a list.
public protocol ListedBody: Codable, Sendable {
    /// The name of the list in responses, such as `purchases`.
    static var listName: String { get }
}

/// A page of a list, under the list's own name.
public struct ListBody<Item> {
    /// The list's name.
    public let name: String
    /// The items of the page.
    public let items: [Item]
    /// Where the next page starts; nil on the last one.
    public let nextCursor: String?

    /// Creates a page.
    public init(name: String, items: [Item], nextCursor: String?) {
        self.name = name
        self.items = items
        self.nextCursor = nextCursor
    }
}

extension ListBody: Sendable where Item: Sendable {}
extension ListBody: Equatable where Item: Equatable {}

extension ListBody: Encodable where Item: Encodable {
    /// Writes the page.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: MemberName.self)
        try body.encode(items, forKey: MemberName(name))
        try body.encode(nextCursor != nil, forKey: .hasMore)
        try body.encodeIfPresent(nextCursor, forKey: .nextCursor)
    }
}

extension ListBody: Decodable where Item: ListedBody {
    /// Reads the page.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: MemberName.self)
        name = Item.listName
        items = try body.decode([Item].self, forKey: MemberName(name))
        nextCursor = try body.decodeIfPresent(String.self, forKey: .nextCursor)
    }
}

extension MemberName {
    fileprivate static let hasMore = MemberName("has_more")
    fileprivate static let nextCursor = MemberName("next_cursor")
}
