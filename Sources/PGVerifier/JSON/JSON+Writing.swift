extension JSON {
    /// The value as JSON text; members in alphabetical order.
    var written: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ":" + $0.value.written }
                .joined(separator: ",") + "}"
        }
    }

    /// The elements of an array; nil for anything else.
    var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
