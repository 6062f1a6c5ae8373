import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// Findings that the books end are over at once in lists and counts, and are resolved when the service looks.
extension FindingsTests {
    @Test func `one open finding behind 300 that the books have ended is counted and listed`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute("BEGIN; \(FilledTables.sql(rows: 300, into: ["purchase"])); COMMIT")
            try await test.execute(
                """
                INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
                SELECT ARRAY['paid_unclaimed'], gateway, imp_uid, merchant_uid, amount, currency FROM purchase
                """)
            try await Self.note(.amountMismatch, Self.v1, in: ledger)
            func expectOne(_ state: Comment) async throws {
                #expect(try await ledger.figures.waitingCounts().findings == 1, state)
                #expect(try await Self.open(ledger).map(\.payment) == [Self.v1], state)
                let waiting = try await ledger.figures.waitingForPeople().findings
                #expect(waiting.map(\.name) == ["amount_mismatch"] && waiting.first?.count == 1, state)
                #expect(try await ledger.figures.openItems().findings == 1, state)
            }
            try await expectOne("the service has not looked yet")
            #expect(try await ledger.findings.settle(pagesOf: 7) == 300, "page by page: 301 are 43 pages of 7")
            try await expectOne("the service has looked")
            #expect(try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL") == 1)
            #expect(try await Self.marked(test) == 300)
            #expect(try await test.number(Self.closedEvents) == 300)
            #expect(try await ledger.findings.settle(pagesOf: 1) == 0, "a page that is full may be the last one")
        }
    }

    /// V2's finding is over because V1's purchase is of the same payment, until another answer shows another amount.
    @Test func `what somebody changes while the service looks stays open, and is not waited for`() async throws {
        try await Self.withEndedTwin { ledger, test, id in
            let other = try await test.connectAsService()
            try await other.execute("BEGIN; UPDATE finding SET amount = 1001")
            #expect(try await ledger.findings.settle() == 0, "another transaction has it")
            try await other.execute("COMMIT")
            await other.close()
            #expect(try await ledger.findings.settle() == 0, "it is another payment")
            #expect(try await Self.open(ledger).map(\.id) == [id])
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [(1001, 0.4), (1000, 2)])
    func `a finding that changed since it was seen as ended is judged anew`(amount: Int64, later: Double) async throws {
        try await Self.withEndedTwin { ledger, test, id in
            let service = try await test.connectAsService()
            let seen = try await service.run(Finding.sweep(after: 0, limit: 9))
            #expect(seen.ended == [id] && seen.last == nil)
            try await Self.note(.unclaimed, Self.v2, amount: amount, paidAt: Self.paidAt + later, in: ledger)
            #expect(try await service.run(Finding.settle(seen.ended)) == 0)
            #expect(try await Self.open(ledger).map(\.id) == [id])
            try await Self.note(.unclaimed, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await service.run(Finding.settle(seen.ended)) == 1)
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a finding that is opened again is no longer one that the books ended`() async throws {
        try await Self.withEndedTwin { ledger, test, id in
            #expect(try await ledger.findings.settle() == 1)
            #expect(try await Self.marked(test) == 1)
            try await Self.note(.disputeUnreadable, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await Self.marked(test) == 0)
            try await ledger.findings.act(.resolve, on: id, by: "kim", reason: "read at the gateway")
            #expect(try await Self.marked(test) == 0, "a person ended it")
            try await Audit.expectSound(test)
        }
    }

    /// Lends a ledger with a credited payment, and the id of its finding under its other name.
    private static func withEndedTwin(_ body: (Ledger, TestLedger, Int64) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            try await note(.unclaimed, v2, paidAt: paidAt + 0.4, in: ledger)
            let id = try #require(try await open(ledger).first).id
            try await ledger.creditV1(paidAt: paidAt)
            #expect(try await open(ledger).isEmpty)
            try await body(ledger, test, id)
        }
    }

    private static func marked(_ test: TestLedger) async throws -> Int64 {
        try await test.number("SELECT count(*) FROM finding WHERE ended_by_books")
    }
}
