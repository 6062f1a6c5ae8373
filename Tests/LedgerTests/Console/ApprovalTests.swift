import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Proposals that wait for a second person.
@Suite(.timeLimit(.minutes(20))) struct ApprovalTests {
    private static func draft(
        _ key: String, _ act: String = "refund", on target: String = "purchase:1", coins: Int = 1,
        of user: UserID? = .named("ann"), by proposer: String = "support-1", to account: BankAccount? = nil,
        because reason: String = "asked for it", beside: Int64? = nil
    ) -> ApprovalDraft {
        ApprovalDraft(
            key: key, act: act, target: target, user: user, parameters: #"{"coins": \#(coins)}"#,
            account: account, seen: "{}", reason: reason, proposer: person(proposer), beside: beside)
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
            // Another act on it is about the same object; the same act on another object is not.
            #expect(try await first.approvals.propose(Self.draft("a", "grant")) == .alreadyOpen)
            guard case .proposed = try await second.approvals.propose(Self.draft("b", on: "purchase:10")) else {
                Issue.record("another object is refused")
                return
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
            #expect(try await ledger.approvals.propose(Self.draft("form", because: "his mother")) == .keyReused)
        }
    }

    @Test func `what is proposed about a user is about the one into whom the user is merged`() async throws {
        try await TestLedger.with { ledger, test in
            for name in ["ann", "cid"] { _ = try await ledger.submit(Grant.sample(name, to: name)) }
            let made = try await ledger.approvals.propose(Self.draft("form", "grant", on: "user:ann"))
            guard case .proposed(let id) = made else {
                Issue.record("the first proposal is refused")
                return
            }
            _ = try await ledger.submit(MergeUsers.sample())
            let cid = UserID.named("cid")
            #expect(try await ledger.approvals.find(id)?.user == cid)
            for name in ["ann", "cid"] {
                #expect(try await ledger.approvals.list(of: .named(name)).map(\.id) == [id])
                #expect(try await ledger.approvals.list(about: "user:\(name)").map(\.id) == [id])
                let second = Self.draft("second", "grant", on: "user:\(name)", of: cid)
                #expect(try await ledger.approvals.propose(second) == .alreadyOpen)
            }
            let beside = Self.draft("second", "grant", on: "user:cid", of: cid, beside: id)
            #expect(try await ledger.approvals.propose(beside) != .besideAnother)
        }
    }

    @Test func `the same form with another bank account is another proposal, until the account is erased`() async throws
    {
        try await TestLedger.with { ledger, _ in
            let account = BankAccount(bank: "SHINHAN", number: "110-1", holder: "홍길동")
            let other = BankAccount(bank: "SHINHAN", number: "110-2", holder: "홍길동")
            let made = try await ledger.approvals.propose(Self.draft("form", to: account))
            guard case .proposed(let id) = made else {
                Issue.record("the first proposal is refused")
                return
            }
            #expect(try await ledger.approvals.propose(Self.draft("form", to: account)) == made)
            #expect(try await ledger.approvals.propose(Self.draft("form", to: other)) == .keyReused)
            #expect(try await ledger.approvals.propose(Self.draft("form")) == .keyReused)
            let finance = Self.person("finance-1")
            #expect(try await ledger.approvals.decide(id, .declined, by: finance, because: "no"))
            #expect(try await ledger.approvals.propose(Self.draft("form", to: account)) == made)
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

    @Test func `a second proposal is made by who has seen the newest one, one at a time`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try #require(try await Self.made(ledger, Self.draft("one")))
            #expect(try await ledger.approvals.propose(Self.draft("two", beside: first - 1)) == .alreadyOpen)
            // Ten people have seen the first, and none of them the others.
            let made = try await together(10) { number in
                try await ledger.approvals.propose(Self.draft("next-\(number)", beside: first))
            }
            #expect(made.count { $0 == .alreadyOpen } == 9, "\(made)")
            let shown = try await ledger.approvals.list(about: "purchase:1")
            #expect(shown.count == 2 && shown.first?.id == first)
            let newest = try #require(shown.last?.id)
            #expect(try await Self.made(ledger, Self.draft("three", beside: newest)) != nil)
            // The form that is sent again is the same proposal, whatever was made beside it.
            #expect(try await ledger.approvals.propose(Self.draft("one")) == .proposed(first))
            #expect(try await test.number("SELECT count(*) FROM approval") == 3)
        }
    }

    @Test func `PostgreSQL refuses a decision of the proposer at every door`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try #require(try await Self.made(ledger, Self.draft("one")))
            let service = try await test.connectAsService()
            for person in ["support-1", "Support-1", "terminal:support-1", "console:support-1"] {
                let error = await service.refusal(
                    of: """
                        UPDATE approval SET status = 'declined', decided_by = '\(person)', decided_name = 'x',
                            decided_at = now(), decision_reason = 'no'
                        """)
                #expect(error?.constraint == "approval_by_another_person", "\(person)")
            }
            await service.close()
        }
    }

    @Test func `what a proposer says to have seen is a proposal about the same object`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try #require(try await Self.made(ledger, Self.draft("one")))
            let other = try #require(try await Self.made(ledger, Self.draft("other", on: "purchase:2")))
            // A larger number is not enough, neither of another object nor of nothing.
            for beside in [other, first + 999, .max] {
                #expect(try await ledger.approvals.propose(Self.draft("two", beside: beside)) == .alreadyOpen)
            }
            #expect(
                try await ledger.approvals.propose(Self.draft("two", on: "purchase:3", beside: first)) == .besideAnother
            )
            #expect(try await Self.made(ledger, Self.draft("two", beside: first)) != nil)
            #expect(try await test.number("SELECT count(*) FROM approval") == 3)
        }
    }

    @Test func `of very many open proposals about one object the newest are listed, so that one more is possible`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                INSERT INTO approval (key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name)
                VALUES ('form-0', 'refund', 'purchase:1', 'ann', '{}', '{}', 'r', 'kim', 'Kim');
                DO $$ BEGIN FOR n IN 1..54 LOOP
                    INSERT INTO approval (
                        key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, beside)
                    SELECT 'form-' || n, 'refund', 'purchase:1', 'ann', '{}', '{}', 'r', 'kim', 'Kim', max(id)
                    FROM approval;
                END LOOP; END $$;
                """)
            let newest = try await test.number("SELECT max(id) FROM approval")
            for listed in [
                try await ledger.approvals.list(about: "purchase:1"),
                try await ledger.approvals.list(of: .named("ann")),
            ] {
                #expect(
                    listed.count == 50 && listed.last?.id == newest && listed.map(\.id) == listed.map(\.id).sorted())
            }
            #expect(try await Self.made(ledger, Self.draft("more", beside: newest)) != nil)
        }
    }

    @Test func `a proposal about the payment of nobody names no customer`() async throws {
        try await TestLedger.with { ledger, _ in
            let draft = Self.draft("one", "refund-finding", on: "finding:1", of: nil)
            let id = try #require(try await Self.made(ledger, draft))
            #expect(try await ledger.approvals.find(id)?.user == nil)
            #expect(try await ledger.approvals.listOpen().map(\.user) == [nil])
            #expect(try await ledger.approvals.propose(draft) == .proposed(id))
        }
    }

    @Test func `who proposed may withdraw, once, and then the next is proposed without a word`() async throws {
        try await TestLedger.with { ledger, _ in
            let id = try #require(try await Self.made(ledger, Self.draft("one")))
            #expect(try await !ledger.approvals.withdraw(id, by: Self.person("support-2")))
            #expect(try await ledger.approvals.withdraw(id, by: Self.person("support-1")))
            #expect(try await !ledger.approvals.withdraw(id, by: Self.person("support-1")))
            #expect(try await !ledger.approvals.decide(id, .approved, by: Self.person("finance-1"), because: ""))
            let kept = try #require(try await ledger.approvals.find(id))
            #expect(kept.status == .withdrawn && kept.withdrawnAt != nil && kept.account == nil && !kept.isOpen)
            #expect(try await ledger.approvals.listOpen().isEmpty)
            #expect(try await ledger.approvals.listClosed(limit: 9).elements.map(\.id) == [id])
            let next = try #require(try await Self.made(ledger, Self.draft("two")))
            // The open one is first, and what has ended stays visible.
            #expect(try await ledger.approvals.list(of: .named("ann")).map(\.id) == [next, id])
            #expect(try await ledger.approvals.list(about: "purchase:1").map(\.status) == [.waiting, .withdrawn])
            #expect(try await ledger.approvals.decide(next, .approved, by: Self.person("finance-1"), because: ""))
            #expect(try await !ledger.approvals.withdraw(next, by: Self.person("support-1")), "it is approved")
        }
    }

    @Test func `of an approval and a withdrawal at once one counts`() async throws {
        try await TestLedger.with { first, test in
            let second = try await test.open()
            for round in 0..<8 {
                let id = try #require(try await Self.made(first, Self.draft("form-\(round)", on: "purchase:\(round)")))
                let counted = try await together(6) { number in
                    if number.isMultiple(of: 2) {
                        return try await first.approvals.withdraw(id, by: Self.person("support-1"))
                    }
                    return try await second.approvals.decide(id, .approved, by: Self.person("finance-1"), because: "")
                }
                #expect(counted.count { $0 } == 1, "round \(round)")
            }
            #expect(try await test.number("SELECT count(*) FROM approval WHERE status = 'waiting'") == 0)
            await second.close()
        }
    }

    @Test func `nobody withdraws what another proposed, nor twice, whatever writes it`() async throws {
        try await TestLedger.with { ledger, test in
            let id = try #require(try await Self.made(ledger, Self.draft("one")))
            let withdraw = "UPDATE approval SET status = 'withdrawn', withdrawn_at = now(), withdrawn_by ="
            await #expect(throws: (any Error).self) { try await test.execute("\(withdraw) 'finance-1'") }
            await #expect(throws: (any Error).self) {
                try await test.execute("UPDATE approval SET status = 'withdrawn'")
            }
            try await test.execute("\(withdraw) 'support-1'")
            await #expect(throws: (any Error).self) { try await test.execute("\(withdraw) 'support-1'") }
            #expect(try await ledger.approvals.find(id)?.status == .withdrawn)
        }
    }

    private static func made(_ ledger: Ledger, _ draft: ApprovalDraft) async throws -> Int64? {
        guard case .proposed(let id) = try await ledger.approvals.propose(draft) else { return nil }
        return id
    }
}
