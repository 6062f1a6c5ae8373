import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ClosedPeriodTests {
    /// Between the times at which the samples 10 and 11 were paid.
    private static let boundary = CreditPurchase.sample(10).paidAt.addingTimeInterval(0.5)

    @Test func `what was paid in a closed period is posted at the first open moment and says so`() async throws {
        try await TestLedger.with { ledger, test in
            let before = try #require(try await ledger.credit(.sample(9)).credited)
            #expect(try await ledger.close(until: Self.boundary) != nil)
            let late = try #require(try await ledger.credit(.sample(10)).credited)
            let open = try #require(try await ledger.credit(.sample(11)).credited)
            #expect(late.purchase.paidAt == CreditPurchase.sample(10).paidAt)

            let records = try await together(3) { number in
                try await ledger.journal.find([before, late, open][number].purchase.journalEntryID)
            }
            #expect(
                records.map { $0?.effectiveAt } == [
                    CreditPurchase.sample(9).paidAt, Self.boundary, CreditPurchase.sample(11).paidAt,
                ])
            #expect(records.map { $0?.lateFor } == [nil, CreditPurchase.sample(10).paidAt, nil])
            try await Audit.expectSound(test)
        }
    }

    @Test func `nobody carries out their own closing at another door, nor one that was withdrawn`() async throws {
        try await TestLedger.with { ledger, test in
            let kim = try #require(Person(subject: "kim", name: "Kim", role: .finance))
            _ = try await ledger.periods.propose(
                ClosingDraft(key: "form", until: Self.boundary, openItems: 0, reason: "month", proposer: kim))
            let proposal = try #require(try await ledger.periods.waitingProposal())
            let service = try await test.connectAsService()
            func refusal(of person: String) async -> String? {
                await service.refusal(
                    of: """
                        UPDATE closing_proposal SET status = 'closed', decided_by = '\(person)', decided_name = 'x',
                            decided_at = now()
                        """)?.constraint
            }
            for person in ["kim", "Kim", "terminal:kim", "console:kim"] {
                #expect(await refusal(of: person) == "closing_proposal_by_another_person", "\(person)")
                let same = try #require(Person(subject: person, name: "x", role: .finance))
                #expect(try await ledger.periods.close(proposal, by: same, as: person) == .notWaiting, "\(person)")
            }
            #expect(try await ledger.periods.withdrawProposal(proposal.id, by: kim))
            #expect(await refusal(of: "lee") == "closing_proposal_decided_once")
            await service.close()
            #expect(try await ledger.periods.list(limit: 1).elements.isEmpty)
        }
    }

    @Test func `coins that expired in a closed period expire in the open one`() async throws {
        try await TestLedger.with { ledger, test in
            let expiry = CreditPurchase.sample(1).paidAt.addingTimeInterval(5)
            let purchase = CreditPurchase.sample(1, bonus: 0, expiresAt: expiry)
            _ = try await ledger.credit(purchase)
            #expect(try await ledger.close(until: Self.boundary) != nil)
            let lot = try #require(try await ledger.lots.listDue(limit: 1).first)
            _ = try await ledger.submit(ExpireLot(user: lot.user, lotID: lot.id))
            let late = try await test.number(
                """
                SELECT count(*) FROM journal_entry JOIN closed_period ON effective_at = until
                WHERE kind = 'expiry' AND late_for = (SELECT expires_at FROM lot)
                """)
            #expect(late == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the database refuses an entry in a closed period, whoever writes it`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(try await ledger.close(until: Self.boundary) != nil)
            for connection in [try await test.connectAsOwner(), try await test.connectAsService()] {
                let error = await connection.refusal(
                    of: """
                        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                        VALUES (900001, 0, 'grant', 'test:1', now(), now()),
                            (900002, 0, 'grant', 'test:2', '2026-01-01T00:00:10Z', now())
                        """)
                #expect(error?.constraint == "journal_entry_in_open_period")
                await connection.close()
            }
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 0)
        }
    }

    @Test func `periods are closed one after the other, when they are over, and for good`() async throws {
        try await TestLedger.with { ledger, test in
            let periods = ledger.periods
            guard case .closed(let first) = try await periods.close(until: Self.boundary, by: "kim") else {
                Issue.record("it was not closed")
                return
            }
            #expect(first.until == Self.boundary && first.closedBy == "kim" && first.closedAt > first.until)
            #expect(try await periods.close(until: Self.boundary, by: "lee") == .already(first))
            #expect(try await periods.close(until: Self.boundary - 1, by: "lee") == .behind(first))
            #expect(try await periods.close(until: Date(timeIntervalSinceNow: 60), by: "lee") == .notOver)
            guard case .closed(let second) = try await periods.close(until: Self.boundary + 1, by: "lee") else {
                Issue.record("the next was not closed")
                return
            }
            #expect(try await periods.close(until: Self.boundary, by: "kim") == .already(first))
            #expect(try await periods.list(limit: 10).elements == [second, first])
            let page = try await periods.list(limit: 1)
            #expect(page.elements == [second])
            #expect(try await periods.list(after: page.next, limit: 1).elements == [first])

            let owner = try await test.connectAsOwner()
            for statement in [
                "UPDATE closed_period SET until = until - interval '1 day'", "DELETE FROM closed_period",
                "TRUNCATE closed_period",
            ] {
                #expect(await owner.refusal(of: statement)?.sqlState == .insufficientPrivilege)
            }
            await owner.close()
        }
    }

    @Test func `closing waits for a batch that is under way, and later batches for the closing`() async throws {
        try await TestLedger.with { ledger, test in
            let batch = try await test.connectAsService()
            let effectiveAt = "'2026-01-01T00:00:05Z'"
            try await batch.execute("BEGIN; SELECT closed_until(); " + HandMade(effectiveAt: effectiveAt).sql)
            let closing = Task { try await ledger.close(until: Self.boundary) }
            let closingWaits = try await test.waits(1, before: "SELECT count(*) FROM closed_period")
            let crediting = Task { try await ledger.credit(.sample(3)) }
            var creditWaits = false
            if closingWaits { creditWaits = try await test.waits(2, before: "SELECT count(*) FROM purchase") }
            // Also if one did not wait: then all of it ends, and the test tells.
            try await batch.execute("COMMIT")
            #expect(closingWaits, "the closing did not wait for the batch")
            #expect(creditWaits, "the later batch did not wait for the closing")
            #expect(try await closing.value != nil)
            #expect(try await crediting.value.credited != nil)
            await batch.close()
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE late_for IS NULL") == 1)
            #expect(
                try await test.number(
                    "SELECT count(*) FROM journal_entry WHERE effective_at = (SELECT until FROM closed_period)") == 1)
            let found = try await Audit.problems(of: test)
            #expect(found.allSatisfy { $0.contains("entry:900001: ") }, "made by hand, it is of no grant: \(found)")
        }
    }

    @Test(arguments: [Report.journal, .purchases])
    func `an export of a closed period is the same to the byte, whatever comes late`(_ report: Report) async throws {
        try await TestLedger.with { ledger, test in
            for number in [8, 9, 11] { _ = try await ledger.credit(.sample(number)) }
            #expect(try await ledger.close(until: Self.boundary) != nil)
            let closed: [ExportOption: String] = [.to: "2026-01-01T00:00:10.500Z"]
            let open: [ExportOption: String] = [.from: "2026-01-01T00:00:10.500Z"]
            let before = try await ledger.export(report, closed)
            let rows = try await ledger.export(report, open).trailer.rows
            _ = try await ledger.credit(.sample(10))
            #expect(try await ledger.export(report, closed).bytes == before.bytes)
            #expect(try await ledger.export(report, open).trailer.rows > rows)
            guard report == .journal else { return }
            for (format, words) in [
                ("csv", "2026-01-01T00:00:10.000Z"), ("hledger", "late_for:2026-01-01T00:00:10.000"),
                ("beancount", #"late_for: "2026-01-01T00:00:10.000"#),
            ] {
                let late = try await ledger.export(.journal, open.merging([.format: format]) { $1 })
                #expect(String(decoding: late.bytes, as: UTF8.self).contains(words), "\(format)")
            }
        }
    }

    @Test func `what is closed stays as it was, however much is posted meanwhile`() async throws {
        try await TestLedger.with(writers: 2, batchLimit: 8) { ledger, test in
            let buying = Task {
                // Paid within 100 s, in no order.
                try await together(600) { number in
                    try await ledger.credit(.sample(number * 37 % 101 + number * 1000, paid: number * 37 % 101))
                }
            }
            var snapshots: [Date: Int64] = [:]
            for (index, second) in [10.0, 30, 60, 90].enumerated() {
                try await eventually("more is posted") {
                    try await test.number("SELECT count(*) FROM journal_entry") > Int64(60 * index)
                }
                let until = CreditPurchase.sample(0).paidAt + second + 0.5
                _ = try await ledger.close(until: until)
                snapshots[until] = try await test.fingerprint(before: until)
            }
            _ = try await buying.value
            for (until, fingerprint) in snapshots {
                #expect(try await test.fingerprint(before: until) == fingerprint)
            }
            #expect(try await test.number("SELECT count(*) FROM journal_entry") == 600)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE late_for IS NOT NULL") > 0)
            try await Audit.expectSound(test)
        }
    }
}

extension Ledger {
    /// Closes, and returns the closing if there was one to be made.
    fileprivate func close(until: Date) async throws -> ClosedPeriod? {
        if case .closed(let period) = try await periods.close(until: until, by: "kim") { period } else { nil }
    }
}

extension CreditPurchase {
    /// The sample with this number, paid so many seconds after the first.
    fileprivate static func sample(_ number: Int, paid second: Int) -> CreditPurchase {
        .sample(number, by: "user-\(number % 40)", paidAt: CreditPurchase.sample(0).paidAt + Double(second))
    }
}

extension TestLedger {
    /// Whether this many sessions wait for a lock; false: the act ended instead.
    ///
    /// It returns at whichever comes first, so an act that does not wait is no wait for ever.
    ///
    /// - Parameter made: counts what the act has made.
    fileprivate func waits(_ sessions: Int64, before made: String) async throws -> Bool {
        let waiting = """
            SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE NOT granted AND datname = current_database()
            """
        var isWaiting = false
        try await eventually("\(sessions) sessions wait, or the act is over") {
            isWaiting = try await number(waiting) >= sessions
            if isWaiting { return true }
            return try await number(made) > 0
        }
        return isWaiting
    }

    /// Tells whether anything that is effective before a moment is otherwise than it was.
    fileprivate func fingerprint(before moment: Date) async throws -> Int64 {
        try await number(
            """
            SELECT (coalesce(sum(hashtextextended(journal_entry::text || posting::text, 0)), 0)
                % 9223372036854775807)::bigint
            FROM journal_entry JOIN posting ON posting.journal_entry_id = journal_entry.id
            WHERE effective_at < to_timestamp(\(moment.timeIntervalSince1970))
            """)
    }
}
