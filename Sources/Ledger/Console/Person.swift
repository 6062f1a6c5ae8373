/// A person who works with the console, as the identity provider names them.
package struct Person: Sendable, Equatable, Codable {
    /// What a person may do, by job.
    package enum Role: String, Sendable, Codable, CaseIterable {
        /// Reads.
        case viewer
        /// Helps customers.
        case support
        /// Keeps the books.
        case finance
        /// Does all of it.
        case administrator
    }

    /// The identity provider's name of the person, which never changes.
    package let subject: String
    /// The person's name, for people.
    package let name: String
    package let role: Role
    /// The caller of the person's acts in the ledger: `console:` and the subject.
    package let caller: UserID

    /// - Returns: nil when the subject is empty, longer than 120 characters, or has a control character.
    package init?(subject: String, name: String, role: Role) {
        guard !subject.isEmpty, let caller = UserID(rawValue: Identity.console + subject) else { return nil }
        self.subject = subject
        self.name = name
        self.role = role
        self.caller = caller
    }
}
