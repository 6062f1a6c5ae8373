import ArgumentParser
import TestSupport
import Testing

@testable import LedgerServer
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

/// A misspelt command names the one that was probably meant.
@Suite(.timeLimit(.minutes(20))) struct MisspeltCommandTests {
    @Test(arguments: [
        (["serv"], "unknown command 'serv'; did you mean 'ledgerd serve'?"),
        (["purchase", "list"], "unknown command 'purchase'; did you mean 'ledgerd purchases'?"),
        (["disputes", "decid", "7"], "unknown command 'decid'; did you mean 'ledgerd disputes decide'?"),
        (["refunds", "aprove", "--by", "x"], "unknown command 'aprove'; did you mean 'ledgerd refunds approve'?"),
        (["serve"], nil), (["disputes"], nil), (["disputes", "decide", "x"], nil), (["--sreve"], nil), ([], nil),
        (["help"], nil), (["something-else"], nil), ([""], nil), ([String(repeating: "serve", count: 100_000)], nil),
    ])
    func `the nearest command is suggested, if it is similar`(arguments: [String], expected: String?) {
        #expect(MisspeltCommand(arguments, of: Ledgerd.self)?.description == expected)
    }
}
