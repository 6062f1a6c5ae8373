/// What a command's caller is told.
public struct Answer: Sendable, Equatable {
    /// What became of it.
    public let outcome: Outcome
    /// Whether that was so before: by an earlier command with the same key, or by this one, if the reply to its commit
    /// was lost and it was then found.
    public let isRepeat: Bool

    /// Tells what became of a command.
    public init(_ outcome: Outcome, isRepeat: Bool = false) {
        self.outcome = outcome
        self.isRepeat = isRepeat
    }
}
