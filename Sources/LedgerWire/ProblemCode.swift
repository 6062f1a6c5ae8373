/// A problem code, such as `insufficient_coins`.
///
/// Its meaning never changes.
///
/// A struct and not an enum, because a newer service can return codes that this version doesn't know.
public struct ProblemCode: RawRepresentable, Codable, Hashable, Sendable {
    /// The name, `snake_case`.
    public let rawValue: String

    /// The code with this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ProblemCode: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code with this name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name.
    public var description: String { rawValue }
}
