import ArgumentParser
import TestSupport
import Testing

@testable import ledgerd

/// The commands in docs/operations.md.
@Suite(.timeLimit(.minutes(20))) struct CommandsPageTests {
    /// A cell's code begins with a subcommand, or is an argument or option.
    @Test func `the table of support names all that its commands can do, and nothing else`() throws {
        let section = try DocPage("docs/operations.md").section("Support at a terminal")
        let rows = try #require(section.table("command | looks | acts"))
        #expect(rows.count >= 10)
        for row in rows {
            let name = try #require(DocPage.code(in: row[0]).first?.split(separator: " ").last, "\(row)")
            let command = try #require(Self.command(named: name), "there is no \(name)")
            let code = row.dropFirst().flatMap { DocPage.code(in: $0) }
            let words = code.compactMap { $0.split(separator: " ").first }.filter { $0.first?.isLowercase == true }
            let subcommands = command.configuration.subcommands
            #expect(Set(words.map(String.init)) == Set(subcommands.map { $0._commandName }), "\(name)")
            let help = ([command] + subcommands).map { Ledgerd.helpMessage(for: $0) }.joined()
            for option in code.flatMap({ $0.matches(of: #/--[a-z-]+/#) }).map(\.output) {
                #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(name) \(option)")
            }
        }
    }

    private static func command(named name: Substring) -> (any ParsableCommand.Type)? {
        Ledgerd.configuration.subcommands.first { $0._commandName == name }
    }
}
