import ArgumentParser
import TestSupport
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

    @Test func `every command, option and help text is as it was`() throws {
        let help = Self.commands(under: Ledgerd.self).map { command in
            let help = Ledgerd.helpMessage(for: command, includeHidden: true, columns: 120)
            return help.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.replacing(/\s+$/, with: "") }.joined(separator: "\n") + "----"
        }
        try Golden.expect(help, in: "help.txt")
    }
}
