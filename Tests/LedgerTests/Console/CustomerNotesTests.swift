import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Notes that support writes down.
@Suite(.timeLimit(.minutes(20))) struct CustomerNotesTests {
    @Test func `a note that is sent several times at once is one note`() async throws {
        try await TestLedger.with { ledger, test in
            let user = try #require(UserID(rawValue: "ann"))
            let notes = try await together(12) { _ in
                try await ledger.notes.add("called", on: user, key: "one", by: "support-1", named: "Suho Park")?.id
            }
            #expect(Set(notes).count == 1 && notes.first != .some(nil), "\(notes)")
            #expect(try await test.number("SELECT count(*) FROM customer_note") == 1)
            let other = try await ledger.notes.add("wrote", on: user, key: "one", by: "support-1", named: "Suho Park")
            #expect(other == nil, "another note has the key")
        }
    }
}
