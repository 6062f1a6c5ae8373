import Foundation

/// A caller's own name for one act: the same act sent again under it is not done again, but answered as the first time.
///
/// Make it of what the act is for, such as `order-4711/charge`, and it holds even when the program that sent the act is
/// gone and another sends it again. It is 1 to 255 printable ASCII characters; another key means another act.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
    /// The key as it is sent.
    public let rawValue: String

    /// The key of that text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A key that nobody used before, for an act that is never sent again once its call has thrown.
    public static func random() -> IdempotencyKey { IdempotencyKey(rawValue: UUID().uuidString) }
}

extension IdempotencyKey: ExpressibleByStringInterpolation {
    /// The key of that text.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
