/// The outcome of a command that carries an idempotency key, as it is kept.
struct RecordedOutcome: Sendable, Equatable {
    let key: IdempotencyKey
    /// The name of the command.
    let command: String
    /// Tells the command's content.
    let fingerprint: Fingerprint
    let outcome: Outcome

    /// Whether the command is the very one whose outcome this is.
    func isOf(_ command: any KeyedCommand) -> Bool {
        self.command == type(of: command).name && fingerprint == command.fingerprint
    }
}
