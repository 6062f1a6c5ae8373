import ArgumentParser

/// The last options of commands that do an act, or propose it to a second person.
struct ProposingOptions: ParsableArguments {
    @Option(
        help:
            "The newest open proposal about the same that you have seen: without it, there is one proposal at a time."
    )
    var beside: Int64?
    @OptionGroup var person: PersonOption
    @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

    /// Orders an act at the desk, and prints the line that tells what became of it.
    func order(
        _ body: @escaping @Sendable (_ desk: TerminalDesk, _ beside: Int64?) async throws -> String
    ) async throws {
        let line = try await settings.withTerminalDesk(for: person.name) { [beside] desk in
            try await body(desk, beside)
        }
        print(line)
    }
}
