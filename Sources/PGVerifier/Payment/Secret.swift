/// A text that must never be shown: printing, logging or dumping it shows asterisks.
public struct Secret: Sendable, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Hides `text`.
    public init(_ text: String) {
        self.text = text
    }

    /// Hides a literal, as tests and sandboxes have them.
    public init(stringLiteral value: String) {
        text = value
    }

    /// Asterisks.
    public var description: String { "****" }

    /// Asterisks.
    public var debugDescription: String { "****" }

    /// Nothing to see.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
