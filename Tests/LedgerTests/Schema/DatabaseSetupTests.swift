import Foundation
import Testing

@testable import Ledger

/// How roles and database are made is said once.
@Suite(.timeLimit(.minutes(20))) struct DatabaseSetupTests {
    @Test func `docs operations md shows the SQL that is run`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/operations.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("```sql\n\(try DatabaseSetup().script)```"))
    }

    @Test(arguments: ["", "Ledgerd", "a b", "a\"b", "1a", "a;b", String(repeating: "a", count: 64)])
    func `a name that needs quoting is refused`(name: String) {
        #expect(throws: LedgerError.self) { try DatabaseSetup(database: name) }
        #expect(throws: LedgerError.self) { try DatabaseSetup(owner: name) }
        #expect(throws: LedgerError.self) { try DatabaseSetup(service: name) }
    }
}
