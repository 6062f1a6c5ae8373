import Ledger
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct SettingsTableTests {
    /// Run with `LEDGERD_UPDATE_DOCS=1` to write the table anew.
    @Test func `docs operations md describes the settings as they are declared`() throws {
        let block = GeneratedBlock(page: "docs/operations.md", name: "settings")
        let table = Settings.groups.map(\.table).joined(separator: "\n")
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `docs operations md counts the connections that a process uses`() throws {
        let block = GeneratedBlock(
            page: "docs/operations.md", anchors: ["`LEDGERD_WRITERS` + `LEDGERD_READ_CONNECTIONS` + "],
            end: ", and up to")
        let others = LedgerConfiguration.otherConnections
        let (writers, readers) = (Settings.database.writers.absent, Settings.database.readConnections.absent)
        let all = try #require(writers) + #require(readers) + others
        let text = "\(others) database connections (\(all) by default)"
        #expect(try block.committed(comparedWith: text) == text)
    }
}

extension SettingGroup {
    fileprivate var table: String {
        "\n**\(title)**\n\n| variable | value | default | meaning |\n|---|---|---|---|\n" + settings.map(\.row).joined()
    }
}

extension SettingDeclaration {
    fileprivate var row: String {
        let value = defaultText.map { "`\($0)`" } ?? unset ?? "required"
        return "| `\(variable)` | \(rule) | \(value) | \(isSecret ? "Secret. " : "")\(summary) |\n"
    }
}
