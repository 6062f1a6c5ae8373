@testable import ledgerd

extension OrderedJSON {
    /// An array of strings.
    static func strings(_ texts: [String]) -> Self { .array(texts.map(Self.string)) }

    /// The members of two objects.
    static func + (left: Self, right: Self) -> Self { .object(left.members + right.members) }
    static func += (left: inout Self, right: Self) { left = left + right }

    /// The object with another value of a member.
    func replacing(_ name: String, by value: OrderedJSON) -> Self {
        .object(members.map { $0.name == name ? Member(name: name, value: value) : $0 })
    }
}
