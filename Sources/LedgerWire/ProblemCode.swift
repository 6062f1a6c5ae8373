/// A problem code, such as `insufficient_coins`.
///
/// A struct, not an enum, because a newer service can send codes that this version does not know. Such a code has only
/// a name; the response has its status, title and detail.
public struct ProblemCode: RawRepresentable, Codable, Sendable {
    /// The name, `snake_case`.
    public let rawValue: String
    /// The HTTP status of the response; 0 for an unknown code.
    public let status: Int
    /// A short sentence for people, always the same; empty for an unknown code.
    public let title: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// The number of seconds to wait before a retry.
    public let retryAfterSeconds: Int?

    /// The code with this name, known or not.
    public init(rawValue: String) {
        self = Self.byName[rawValue] ?? Self(rawValue, 0, "")
    }

    /// Declares a code.
    package init(
        _ name: String, _ status: Int, _ title: String, isRetryable: Bool = false, retryAfterSeconds: Int? = nil
    ) {
        rawValue = name
        self.status = status
        self.title = title
        self.isRetryable = isRetryable || retryAfterSeconds != nil
        self.retryAfterSeconds = retryAfterSeconds
    }

    private static let byName = Dictionary(known.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
}

extension ProblemCode: Hashable {
    /// Whether both have the same name.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension ProblemCode: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code with this name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name.
    public var description: String { rawValue }
}
