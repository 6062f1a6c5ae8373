import Foundation

/// A caller's key of one write: a repeat with the same key returns the first response and has no further effect.
///
/// Derive it from the purpose of the act, such as `order-4711/charge`, so that another process can repeat the act after
/// a crash. It has 1 to 255 printable ASCII characters; another key means another act.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
    /// The key as it is sent.
    public let rawValue: String

    /// The key with this text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new key, for an act that is not repeated after its call has thrown.
    public static func random() -> IdempotencyKey { IdempotencyKey(rawValue: UUID().uuidString) }
}

extension IdempotencyKey: ExpressibleByStringInterpolation {
    /// The key with this text.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
