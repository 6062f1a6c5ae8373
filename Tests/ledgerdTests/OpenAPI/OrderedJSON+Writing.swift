@testable import LedgerServer

extension OrderedJSON {
    /// An array of strings.
    static func strings(_ texts: [String]) -> Self { .array(texts.map(Self.string)) }

    /// An object with a member for each item.
    static func members<Item>(of items: [Item], _ member: (Item) -> (String, OrderedJSON)) -> Self {
        .object(items.map(member).map { Member(name: $0.0, value: $0.1) })
    }

    /// An object without the members that are nil.
    static func present(_ members: KeyValuePairs<String, OrderedJSON?>) -> Self {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The object or array; nil if it is empty.
    var ifAny: Self? { members.isEmpty && elements.isEmpty ? nil : self }

    /// The members of two objects.
    static func + (left: Self, right: Self) -> Self { .object(left.members + right.members) }
    static func += (left: inout Self, right: Self) { left = left + right }

    /// The object with another value of a member.
    func replacing(_ name: String, by value: OrderedJSON) -> Self {
        .object(members.map { $0.name == name ? Member(name: name, value: value) : $0 })
    }
}
