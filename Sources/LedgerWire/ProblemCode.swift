/// What went wrong, by its stable name, such as `insufficient_coins`; a code never changes its meaning.
///
/// A struct and not an enum: a newer service may answer codes that are not known here.
public struct ProblemCode: RawRepresentable, Codable, Hashable, Sendable {
    /// The name, `snake_case`.
    public let rawValue: String

    /// The code of that name, known here or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ProblemCode: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code of that name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name.
    public var description: String { rawValue }
}
