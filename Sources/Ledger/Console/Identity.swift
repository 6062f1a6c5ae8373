/// Who proposed or decides something, as records name them: the caller, and the name for people if it is known.
///
/// A person is the same at every door: `kim` of the API, `console:kim` and `terminal:Kim` are one. At a terminal a person is known
/// by name alone, so a caller that is the other one's name counts too. The judges compare callers by themselves (`person_of`).
package struct Identity: Sendable, Equatable {
    /// What the caller of an act in the console begins with; the identity provider's name of the person follows.
    package static let console = "console:"
    /// What the caller of an act at a terminal begins with; a name that nobody checks follows.
    package static let terminal = "terminal:"

    private let caller: String
    private let name: String?

    /// - Parameter name: the person's name, for people; nil: it is not known.
    package init(_ caller: String, named name: String? = nil) {
        self.caller = Self.withoutDoor(caller)
        self.name = name.map(Self.withoutDoor)
    }

    private static func withoutDoor(_ text: String) -> String {
        var rest = Substring(text)
        // A person at a terminal is a person of the console, too: `console:terminal:kim`.
        for door in [console, terminal] where rest.hasPrefix(door) { rest = rest.dropFirst(door.count) }
        return rest.lowercased()
    }

    /// Whether both are one person.
    package func isSamePerson(as other: Identity) -> Bool {
        if caller == other.caller { return true }
        return name == other.caller || caller == other.name
    }
}

extension Person {
    package var identity: Identity { Identity(subject, named: name) }
}
