/// A secret text: printing, logging or dumping it shows asterisks.
package struct Secret: Sendable, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Hides `text`.
    package init(_ text: String) {
        self.text = text
    }

    /// Hides a literal, for tests and sandboxes.
    package init(stringLiteral value: String) {
        text = value
    }

    /// Asterisks.
    package var description: String { "****" }

    /// Asterisks.
    package var debugDescription: String { "****" }

    /// Empty, so that dumps show nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
