/// A text that must never be shown: printing, logging or dumping it shows asterisks.
package struct Secret: Sendable, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Hides `text`.
    package init(_ text: String) {
        self.text = text
    }

    /// Hides a literal, as tests and sandboxes have them.
    package init(stringLiteral value: String) {
        text = value
    }

    /// Asterisks.
    package var description: String { "****" }

    /// Asterisks.
    package var debugDescription: String { "****" }

    /// Nothing to see.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
