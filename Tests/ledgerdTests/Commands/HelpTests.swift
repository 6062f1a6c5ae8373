import ArgumentParser
import Testing

@testable import ledgerd

/// What `--help` prints.
@Suite(.timeLimit(.minutes(20))) struct HelpTests {
    private static func commands(under command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(under: $0) }
    }

    @Test func `every command has help`() {
        let commands = Self.commands(under: Ledgerd.self)
        #expect(commands.count >= 50)
        for command in commands {
            let help = Ledgerd.helpMessage(for: command)
            #expect(help.contains("OVERVIEW: ") && help.contains("USAGE: ledgerd"), "\(command): \(help)")
        }
    }
}
