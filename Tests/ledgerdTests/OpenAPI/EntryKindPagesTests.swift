import Testing

@testable import Ledger
@testable import LedgerServer

/// What pages and examples list of the kinds of entries; `LEDGERD_UPDATE_DOCS=1` writes the lists anew.
@Suite(.timeLimit(.minutes(20))) struct EntryKindPagesTests {
    @Test func `the page of accounting lists all kinds`() throws {
        let rows = EntryKind.allCases.map { kind in
            let events = kind.row.event.types.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let columns = [
                "`\(kind.rawValue)`", kind.row.names.english, events,
                kind.row.prepaid.map { "`\($0.rawValue)`" } ?? "", kind.row.isCounted ? "yes" : "",
            ]
            return "| \(columns.joined(separator: " | ")) |\n"
        }
        let block = GeneratedBlock(page: "docs/accounting.md", name: "kinds of entries")
        let head = "| kind | in the console | events | prepaid report | counted |\n|---|---|---|---|---|\n"
        let table = "\n\(head)\(rows.joined())\n"
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `the page of the API lists the kinds of a statement`() throws {
        let names = StatementEntry.kinds.map { "`\($0)`" }
        let list = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
        let block = GeneratedBlock(
            page: "docs/api.md", anchors: ["**Statement entry:**", "\n| `kind` | "], end: " |\n")
        #expect(try block.committed(comparedWith: list) == list)
    }

    @Test func `the demo shop names the kinds of a statement`() throws {
        let names = EntryKind.allCases.compactMap { kind in
            kind.row.names.user.map { "            \"\(kind.rawValue)\": \"\($0)\",\n" }
        }
        let block = GeneratedBlock(
            page: "Examples/DemoShop/Pages.swift",
            anchors: ["static func act(_ entry: StatementEntryBody)", "        let names = [\n"], end: "        ]\n")
        #expect(try block.committed(comparedWith: names.joined()) == names.joined())
    }

    @Test func `a kind has a name for users if it moves their coins`() {
        for kind in EntryKind.allCases {
            #expect((kind.row.names.user != nil) == StatementEntry.kinds.contains(kind.rawValue), "\(kind)")
        }
    }
}
