import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A line that is not ours is dismissed by a person, and nothing is lost by that.
@Suite(.timeLimit(.minutes(20))) struct SettlementDismissalTests {
    private static let day = "2026-11-20"

    @Test func `a dismissed line is open nowhere, and is listed with who dismissed it and why`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let file = try SettlementFileDraft.sample([
                ("imp_1", 1000, 30, 3, Self.day), ("other-1", 500, 0, 0, Self.day), ("other-2", 700, 0, 0, Self.day),
            ])
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            let until = Date(timeIntervalSince1970: 1_800_000_000)
            func open() async throws -> OpenRows? {
                try await ledger.periods.checklist(until: until, in: .gmt).items
                    .first { $0.question == .unmatchedSettlementLines }?.open
            }
            #expect(try await open()?.examples == ["\(id) line 3", "\(id) line 4"])

            let dismissed = try await ledger.settlements.dismiss(3, of: id, because: "our other shop's", by: "kim")
            guard case .done(let line) = dismissed else {
                Issue.record("\(dismissed)")
                return
            }
            #expect(line.status == .dismissed && line.payment == "other-1" && line.reason == nil)
            #expect(line.dismissal?.reason == "our other shop's" && line.dismissal?.by == "kim")
            // The first decision stays.
            #expect(try await ledger.settlements.dismiss(3, of: id, because: "again", by: "lee") == dismissed)

            #expect(try await ledger.settlements.listUnmatched(limit: 10).elements.map(\.number) == [4])
            #expect(try await open()?.examples == ["\(id) line 4"])
            #expect(try await ledger.figures.openItems().settlementLinesUnmatched == 1)
            let found = try #require(try await ledger.settlements.find(id))
            #expect(found.lines == [.waiting: 0, .settled: 1, .unmatched: 1, .refused: 0, .dismissed: 1])
            for (status, numbers) in [(SettlementLine.Status.dismissed, [3]), (.unmatched, [4]), (.settled, [2])] {
                let lines = try await ledger.settlements.listLines(of: id, status, limit: 10).elements
                #expect(lines.map(\.number) == numbers.map(Int64.init) && lines.allSatisfy { $0.status == status })
            }
            guard case .done = try await ledger.settlements.dismiss(4, of: id, because: "theirs", by: "kim") else {
                Issue.record("the other line was not dismissed")
                return
            }
            #expect(try await open()?.count == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the sums of a file follow its lines, and those of a file from before are added up`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...12 { _ = try await ledger.credit(.sample(number, by: "user-\(number)")) }
            let payouts = (1...12).map { ("imp_\($0)", Int64(900 + $0), Int64(30), Int64(3), Self.day) }
            let others = ["imp_1", "other-1", "other-2"].map { ($0, Int64(5000), Int64(0), Int64(0), Self.day) }
            let file = try SettlementFileDraft.sample(payouts + others)
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            _ = try await ledger.settlements.dismiss(15, of: id, because: "theirs", by: "kim")
            let kept = try #require(try await ledger.settlements.find(id))
            #expect(kept.lines == [.waiting: 0, .settled: 12, .unmatched: 1, .refused: 1, .dismissed: 1])
            #expect(kept.settled.gross == 900 * 12 + 78 && kept.settled.fee == 360 && kept.settled.tax == 36)
            #expect(try await test.number("SELECT count(*) FROM settlement_file_sum WHERE part >= 0") >= 1)
            #expect(try await ledger.settlements.book(file, by: "finance").file == kept)
            let diagnosis = try await Doctor(try .unhurried(test.serviceURL)).examine()
            #expect(diagnosis.isSound, "\(diagnosis.findings)")

            try await test.execute("DELETE FROM settlement_file_sum; UPDATE settlement_file SET is_summed = false")
            #expect(try await ledger.settlements.find(id) == kept)
            _ = try await ledger.settlements.dismiss(16, of: id, because: "theirs", by: "kim")
            #expect(try await ledger.settlements.list(limit: 5).elements.first?.lines[.dismissed] == 2)
            #expect(try await test.number("SELECT count(*) FROM settlement_file_sum") == 0)
        }
    }

    @Test func `only an unmatched line can be dismissed`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let file = try SettlementFileDraft.sample([
                ("imp_1", 1000, 30, 3, Self.day), ("imp_1", 1000, 30, 3, "2026-11-21"), ("other", 1, 0, 0, Self.day),
            ])
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            func dismiss(_ line: Int64, of file: Int64) async throws -> Settlements.Dismissed {
                try await ledger.settlements.dismiss(line, of: file, because: "x", by: "kim")
            }
            #expect(try await dismiss(2, of: id) == .refused(.settled))
            #expect(try await dismiss(3, of: id) == .refused(.refused))
            #expect(try await dismiss(9, of: id) == .notFound)
            #expect(try await dismiss(4, of: id + 1) == .notFound)
            #expect(try await test.number("SELECT count(*) FROM settlement_dismissal") == 0)

            // PostgreSQL judges it too, and keeps what was decided.
            let service = try await test.connectAsService()
            for row in [
                "SELECT id, payment, 'x', 'eve' FROM settlement_row WHERE line <> 4",
                "SELECT id, 'another', 'x', 'eve' FROM settlement_row WHERE line = 4", "SELECT 999999, 'x', 'x', 'eve'",
            ] {
                let error = await service.refusal(
                    of: "INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by) \(row)")
                #expect(error?.constraint == "settlement_dismissal_of_unmatched", "\(row)")
            }
            let begun = await service.refusal(
                of: """
                    INSERT INTO settlement_row (
                        file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status, is_dismissed)
                    SELECT file_id, 99, 'x', 1, 0, 0, 1, paid_out_on, paid_out_at, 1, 'unmatched', true
                    FROM settlement_row WHERE line = 4
                    """)
            #expect(begun?.constraint == "settlement_row_begins_waiting")
            await service.close()
            _ = try await dismiss(4, of: id)
            let owner = try await test.connectAsOwner()
            for statement in ["UPDATE settlement_dismissal SET reason = 'y'", "DELETE FROM settlement_dismissal"] {
                #expect(await owner.refusal(of: statement)?.sqlState == .insufficientPrivilege, "\(statement)")
            }
            await owner.close()
        }
    }

    @Test func `a dismissed line is booked by an import after its payment was credited`() async throws {
        try await TestLedger.with { ledger, test in
            let file = try SettlementFileDraft.sample([("imp_1", 1000, 30, 3, Self.day)])
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            _ = try await ledger.settlements.dismiss(2, of: id, because: "not ours", by: "kim")
            // Nothing changed, so it stays dismissed.
            #expect(try await ledger.settlements.book(file, by: "finance").file.lines[.dismissed] == 1)
            _ = try await ledger.credit(.sample(1))
            let report = try await ledger.settlements.book(file, by: "finance")
            #expect(report.settledNow == 1 && report.file.lines[.dismissed] == 0 && report.file.lines[.settled] == 1)
            #expect(try await test.number("SELECT sum(balance)::int8 FROM account WHERE code LIKE 'bank/%'") == 967)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a dismissal is about the payment, not about what another mapping makes of the line`() async throws {
        try await TestLedger.with { ledger, _ in
            func file(_ column: String) throws -> SettlementFileDraft {
                let mapping = try SettlementMapping(
                    text: "payment_id=\(column),gross=gross,net=gross,paid_out_at=day")
                let days = try #require(DayText(format: nil, in: .gmt))
                let text = "order,tid,gross,day\norder-a,tid-a,1000,\(Self.day)\n"
                return try SettlementFileReader(mapping: mapping, days: days).read(Array(text.utf8), named: "a.csv")
            }
            let id = try await ledger.settlements.book(try file("tid"), by: "finance").file.id
            _ = try await ledger.settlements.dismiss(2, of: id, because: "not ours", by: "kim")
            let other = try await ledger.settlements.book(try file("order"), by: "finance")
            #expect(other.file.id == id && other.file.lines[.unmatched] == 1 && other.file.lines[.dismissed] == 0)
            // Nobody has to look at an explanation of what is not shown.
            #expect(try await ledger.settlements.listUnchecked(limit: 5).elements.isEmpty)
            let again = try await ledger.settlements.book(try file("tid"), by: "finance")
            #expect(again.file.lines[.dismissed] == 1)
            #expect(try await ledger.settlements.listUnchecked(limit: 5).elements.map(\.number) == [2])
        }
    }

    @Test func `an explanation has a kind, and somebody else looks at it once`() async throws {
        try await TestLedger.with { ledger, test in
            let file = try SettlementFileDraft.sample([
                ("other-1", 500, 0, 0, Self.day), ("other-2", 7, 0, 0, Self.day),
            ])
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            #expect(try await ledger.settlements.checkDismissal(2, of: id, by: "lee") == .notDismissed)
            _ = try await ledger.settlements.dismiss(2, of: id, as: .otherGoods, because: "books", by: "kim")
            #expect(try await ledger.settlements.listUnchecked(limit: 5).elements.map(\.number) == [2])
            let doors: [(String, String?)] = [
                ("kim", nil), ("console:kim", nil), ("terminal:Kim", nil), ("console:9f2", "Kim"),
            ]
            for (person, name) in doors {
                #expect(
                    try await ledger.settlements.checkDismissal(2, of: id, by: person, named: name) == .ownDismissal,
                    "\(person)")
            }
            for person in ["lee", "park"] {
                guard case .done(let line) = try await ledger.settlements.checkDismissal(2, of: id, by: person) else {
                    Issue.record("\(person) could not look at it")
                    return
                }
                #expect(line.dismissal?.kind == .otherGoods && line.dismissal?.checkedBy == "lee")
            }
            #expect(try await ledger.settlements.listUnchecked(limit: 5).elements.isEmpty)
            #expect(try await ledger.settlements.checkDismissal(9, of: id, by: "lee") == .notFound)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a line comes back when its payment comes, dismissed or not, and is booked without the file`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let file = try SettlementFileDraft.sample([
                ("imp_1", 1000, 30, 3, Self.day), ("imp_2", 1000, 30, 3, Self.day), ("other", 7, 0, 0, Self.day),
            ])
            let id = try await ledger.settlements.book(file, by: "finance").file.id
            _ = try await ledger.settlements.dismiss(2, of: id, as: .total, because: "a total", by: "kim")
            #expect(try await ledger.settlements.listReturned(limit: 5).elements.isEmpty)
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            let returned = try await ledger.settlements.listReturned(limit: 5).elements
            #expect(returned.map(\.number) == [2, 3] && returned.map(\.status) == [.dismissed, .unmatched])
            let (booked, looked) = try await ledger.settlements.matchAgain()
            #expect(booked == 2 && looked == 2)
            let lines = try await ledger.settlements.listLines(of: id, limit: 5).elements
            #expect(lines.map(\.status) == [.settled, .settled, .unmatched])
            #expect(try await ledger.settlements.matchAgain() == (0, 0))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a preview says of each line what the import then does`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            // A further name of a payment finds it, but its line is not booked by that.
            try await test.execute(
                """
                INSERT INTO payment_name (imp_uid, gateway, merchant_uid, purchase_id)
                SELECT 'further', 'another-gateway', merchant_uid, id FROM purchase WHERE imp_uid = 'imp_2'
                """)
            let first = try SettlementFileDraft.sample([("imp_1", 1000, 30, 3, Self.day)])
            _ = try await ledger.settlements.book(first, by: "finance")
            let file = try SettlementFileDraft.sample(
                [
                    ("imp_1", 1000, 30, 3, Self.day), ("imp_2", 600, 0, 0, Self.day),
                    ("imp_2", 600, 0, 0, "2026-11-21"),
                    ("other", 7, 0, 0, Self.day), ("imp_2", 1, 0, 0, "2099-11-21"),
                    ("further", 3, 0, 0, Self.day),
                ], named: "b.csv")
            let preview = try await ledger.settlements.preview(file)
            let report = try await ledger.settlements.book(file, by: "finance")
            let lines = try await ledger.settlements.listLines(of: report.file.id, limit: 9).elements
            let done = lines.map { line -> PreviewedLine.Outcome in
                switch line.status {
                case .settled: .booked
                case .refused: .refused(line.reason ?? "")
                default: .unmatched
                }
            }
            #expect(preview.lines.map(\.outcome) == done, "\(preview.lines)")
            #expect(Set(done).count >= 3 && done.last == .refused("named_otherwise"))
            let again = try await ledger.settlements.preview(file)
            #expect(again.lines.allSatisfy { $0.outcome != .booked }, "\(again.lines)")
            try await Audit.expectSound(test)
        }
    }

    @Test func `the columns of a gateway's files are remembered, the last ones`() async throws {
        try await TestLedger.with { ledger, _ in
            #expect(try await ledger.settlements.columns().isEmpty)
            let texts = [
                "payment_id=a,gross=b,net=c,paid_out_at=d", "payment_id=a,gross=b,fee=f,tax=t,net=c,paid_out_at=e",
            ]
            for text in texts {
                let mapping = try SettlementMapping(text: text)
                try await ledger.settlements.remember(mapping, of: "portone-v1", by: "kim")
                let known = try await ledger.settlements.columns()["portone-v1"]
                #expect(known?.columns == mapping.columns && known?.savedBy == "kim")
            }
        }
    }
}
