import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Proposals that wait for a second person.
@Suite(.timeLimit(.minutes(20))) struct ApprovalTests {
    private static func draft(
        _ key: String, _ act: String = "refund", on target: String = "purchase:1", coins: Int = 1,
        by proposer: String = "support-1"
    ) -> ApprovalDraft {
        ApprovalDraft(
            key: key, act: act, target: target, user: .named("ann"), parameters: #"{"coins": \#(coins)}"#, account: nil,
            seen: "{}", reason: "asked for it", proposer: person(proposer))
    }

    private static func person(_ subject: String) -> Person {
        sure(Person(subject: subject, name: subject, role: .finance))
    }

    @Test func `of many proposals about one object, of two processes, one is open`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            let made = try await together(20) { number in
                let ledger = number.isMultiple(of: 2) ? first : second
                return try await ledger.approvals.propose(Self.draft("form-\(number)"))
            }
            #expect(made.count { $0 == .alreadyOpen } == 19, "\(made)")
            #expect(try await test.number("SELECT count(*) FROM approval") == 1)
            // Another act on it, or the same act on another object, is another proposal.
            for (key, act, target) in [("a", "grant", "purchase:1"), ("b", "refund", "purchase:10")] {
                let other = try await first.approvals.propose(Self.draft(key, act, on: target))
                guard case .proposed = other else {
                    Issue.record("\(act) \(target): \(other)")
                    continue
                }
            }
            await second.close()
        }
    }

    @Test func `the same form at once is one proposal, and its key is no other's`() async throws {
        try await TestLedger.with { ledger, test in
            let made = try await together(20) { _ in try await ledger.approvals.propose(Self.draft("form")) }
            #expect(Set(made.map { "\($0)" }).count == 1 && made.first != .alreadyOpen, "\(made)")
            #expect(try await test.number("SELECT count(*) FROM approval") == 1)
            #expect(try await ledger.approvals.propose(Self.draft("form", coins: 2)) == .keyReused)
            #expect(try await ledger.approvals.propose(Self.draft("form", by: "support-2")) == .keyReused)
        }
    }

    @Test func `the next proposal waits until the first is carried out or declined`() async throws {
        try await TestLedger.with { ledger, _ in
            let finance = Self.person("finance-1")
            func propose(_ key: String) async throws -> Int64? {
                guard case .proposed(let id) = try await ledger.approvals.propose(Self.draft(key)) else { return nil }
                return id
            }
            let first = try #require(try await propose("one"))
            #expect(try await propose("two") == nil)
            #expect(try await ledger.approvals.decide(first, .approved, by: finance, because: "ok"))
            #expect(try await propose("two") == nil, "it is approved and not carried out yet")
            try await ledger.approvals.end(first, .done, outcome: "{}")
            let second = try #require(try await propose("two"))
            #expect(try await ledger.approvals.decide(second, .declined, by: finance, because: "no"))
            #expect(try await propose("three") != nil)
        }
    }

    @Test func `proposals that were open twice before the rule stay, and no third one is made`() async throws {
        try await TestLedger.withDatabase { test in
            // As the rule left them: the approved one counts, or the oldest.
            try await test.execute(
                """
                INSERT INTO approval
                    (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, is_twin)
                SELECT 'key-' || number, 'refund', 'purchase:' || number / 3, 'ann', '{}', '{}', 'r', 'p', 'P',
                    number IN (1, 2, 3, 5)
                FROM generate_series(0, 5) AS number;
                UPDATE approval SET status = 'approved', decided_by = 'x', decided_name = 'X', decided_at = now(),
                    decision_reason = 'ok' WHERE key = 'key-4'
                """)
            let ledger = try await test.open()
            #expect(try await ledger.approvals.propose(Self.draft("new", on: "purchase:0")) == .alreadyOpen)
            #expect(try await ledger.approvals.propose(Self.draft("new", on: "purchase:1")) == .alreadyOpen)
            #expect(try await ledger.approvals.listOpen().count == 6)
            let finance = Self.person("finance-1")
            for approval in try await ledger.approvals.listOpen() where approval.status == .waiting {
                #expect(try await ledger.approvals.decide(approval.id, .declined, by: finance, because: "twice"))
            }
            let next = try await ledger.approvals.propose(Self.draft("new", on: "purchase:0"))
            #expect(next != .alreadyOpen && next != .keyReused)
            await ledger.close()
        }
    }
}
