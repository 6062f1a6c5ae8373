/// A page of a list, under the list's own name, as clients read it.
struct ListBody<Item: Encodable>: Encodable {
    let name: String
    let items: [Item]
    /// Where the next page starts; nil on the last one.
    let nextCursor: String?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: Key.self)
        try body.encode(items, forKey: Key(stringValue: name))
        try body.encode(nextCursor != nil, forKey: Key(stringValue: "has_more"))
        try body.encodeIfPresent(nextCursor, forKey: Key(stringValue: "next_cursor"))
    }
}
