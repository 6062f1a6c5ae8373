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
    /// The title in Korean, which the console shows; nil for a code that only some pages refuse with, in their own words.
    package let korean: String?
    /// Whether the detail of a problem names what to correct.
    package let detailNamesMistake: Bool

    /// The code with this name, known or not.
    public init(rawValue: String) {
        self = Self.byName[rawValue] ?? Self(rawValue, 0, "")
    }

    /// Declares a code.
    package init(
        _ name: String, _ status: Int, _ title: String, korean: String? = nil, detailNamesMistake: Bool = false,
        isRetryable: Bool = false, retryAfterSeconds: Int? = nil
    ) {
        rawValue = name
        self.status = status
        self.title = title
        self.korean = korean
        self.detailNamesMistake = detailNamesMistake
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
