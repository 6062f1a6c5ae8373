/// A secret text: printing, logging or dumping it shows asterisks.
public struct Secret: Sendable, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Hides `text`.
    public init(_ text: String) {
        self.text = text
    }

    /// Hides a literal, for tests and sandboxes.
    public init(stringLiteral value: String) {
        text = value
    }

    /// Asterisks.
    public var description: String { "****" }

    /// Asterisks.
    public var debugDescription: String { "****" }

    /// Empty, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
